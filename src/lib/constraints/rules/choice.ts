// Tools and the choice among them.

import { isFamily } from '../../conversation/model-name.ts';
import type { Head, Message } from '../../conversation/types.ts';
import { constraintsOf, demanding } from '../../dialects/table.ts';
import { equal, isObject, type Json } from '../../json/values.ts';
import { schemaFor } from '../../json-schema/rewrite.ts';
import type { SchemaTarget } from '../../json-schema/targets.ts';
import { targetOf } from '../adapt/schemas.ts';
import { headRule, quoted } from './build.ts';
import { isCall, isResult } from './calls.ts';
import type { Checked, Finding, Problem, Rule } from './types.ts';

const noTools = ({ tools }: Head): boolean => tools === undefined || tools.length === 0;

/** `'tool_choice' is only allowed when 'tools' are specified`; Gemini: functionCallingConfig only with declarations. */
const choice = headRule({
  name: 'tool-choice',
  formats: demanding(({ maxTokens }) => maxTokens),
  find(head, { format, messages }) {
    const { toolChoice, parallelToolCalls, tools = [] } = head;
    const found: Problem[] = [];
    const later = messages.some(addsTools);
    const without = noTools(head) && !hasOlderTools(head, format) && !later;
    if (toolChoice && without && toolChoice.mode !== 'none')
      found.push({ what: 'tool_choice is set without tools', mend: 'remove it, or declare the tools' });
    if (format === 'openai' && parallelToolCalls !== undefined && parallelToolCalls !== null && without)
      found.push({ what: 'parallel_tool_calls is set without tools', mend: 'remove it' });
    if (format === 'bedrock' && toolChoice?.mode === 'none')
      found.push({ what: 'the API has no tool_choice "none"', mend: 'remove it' });
    const names = new Set(tools.map(({ name }) => name));
    const strange = without || later ? [] : (toolChoice?.names ?? []).filter((name) => !names.has(name));
    return [
      ...found,
      ...strange.map((name) => ({
        what: `tool_choice names ${quoted(name)}, which is not a declared tool`,
        mend: 'name one of the tools',
      })),
    ];
  },
  mend(head, { format, messages }) {
    if (!noTools(head) || hasOlderTools(head, format) || messages.some(addsTools)) return undefined;
    return { now: { ...head, toolChoice: undefined, parallelToolCalls: undefined }, did: 'removed tool_choice' };
  },
});

/** A conversation may bring tools along: `additional_tools`, recorded. */
const addsTools = ({ parts }: Message): boolean =>
  parts.some((part) => part.type === 'native' && isObject(part.value) && part.value.type === 'additional_tools');

/** Tools in other fields: `functions`, searching, what the server keeps. */
function hasOlderTools({ ext }: Head, format: string): boolean {
  const kept = ext?.[format] ?? {};
  return ['functions', 'web_search_options', 'mcp_servers', 'prompt', 'tools', 'toolConfig'].some(
    (field) => field in kept,
  );
}

/** `[] is too short - 'tools'` */
const emptyTools = headRule({
  name: 'empty-tools',
  formats: ['openai'],
  find: ({ tools, model }) => {
    const own = model === undefined || isFamily(model, 'gpt');
    return own && tools?.length === 0 ? [{ what: 'the list of tools is empty', mend: 'omit it' }] : [];
  },
  mend: (head) => ({ now: { ...head, tools: undefined }, did: 'removed the empty list of tools' }),
});

/** `The toolConfig field must be defined when using toolUse and toolResult content blocks`: https://github.com/vxcontrol/pentagi/pull/196 */
const toolsMissing: Rule = {
  name: 'tools-missing',
  formats: demanding(({ calledToolsListed }) => calledToolsListed),
  check({ head, messages }): Finding[] {
    if (head === undefined || !noTools(head) || head.ext?.bedrock?.toolConfig !== undefined) return [];
    const at = messages.findIndex(usesTools);
    return at < 0
      ? []
      : [
          {
            rule: 'tools-missing',
            message: at,
            what: 'there are calls or results, but no tools are declared',
            mend: 'define the tools',
          },
        ];
  },
  repair(request) {
    if (request.head === undefined || toolsMissing.check(request).length === 0) return undefined;
    const names = new Set(request.messages.flatMap(({ parts }) => parts.filter(isCall).map(({ name }) => name)));
    const tools = [...(names.size > 0 ? names : ['tool'])].map((name) => ({ type: 'function' as const, name }));
    const did = [{ rule: 'tools-missing', did: `defined ${[...names].map(quoted).join(', ')} by name alone` }];
    return { request: { ...request, head: { ...request.head, tools } }, did };
  },
};

const usesTools = ({ parts }: Message): boolean => parts.some((part) => isCall(part) || isResult(part));

/** `input_schema.type: Field required`; strict modes: https://platform.openai.com/docs/guides/structured-outputs#supported-schemas */
const schemas = headRule({
  name: 'tool-schema',
  formats: ['anthropic', 'bedrock', 'openai', 'openai-responses'],
  find(head, request) {
    const tools = (head.tools ?? []).filter((tool) => tool.type === 'function' && tool.schema !== undefined);
    return [
      ...tools.flatMap((tool) => refused(tool.schema, tool.strict === true, `the tool ${quoted(tool.name)}`, request)),
      ...answerFormat(head, request),
    ];
  },
  mend(head, request) {
    const rewritten = (schema: Json | undefined, strict: boolean): Json | undefined => {
      const target = targetFor(request, strict);
      return schema === undefined || target === undefined ? schema : schemaFor(target, schema, () => {});
    };
    const tools = head.tools?.map((tool) =>
      tool.type === 'function' ? { ...tool, schema: rewritten(tool.schema, tool.strict === true) } : tool,
    );
    const strict = !constraintsOf(request.format).namedSchemas || head.responseFormat?.strict === true;
    const schema = rewritten(head.responseFormat?.schema, strict);
    const responseFormat = head.responseFormat && { ...head.responseFormat, schema };
    const now = { ...head, tools, responseFormat };
    return equal(now, head) ? undefined : { now, did: 'rewrote schemas; constraints are in their descriptions' };
  },
});

/** Other servers that speak OpenAI's dialect have no strict mode of its kind. */
const targetFor = ({ format, head }: Checked, strict: boolean): SchemaTarget | undefined =>
  targetOf(
    format,
    strict && (!constraintsOf(format).otherServers || head?.model === undefined || isFamily(head.model, 'gpt')),
  );

function answerFormat({ responseFormat }: Head, request: Checked): Problem[] {
  if (responseFormat?.type !== 'schema') return [];
  const { schema, name, strict } = responseFormat;
  const openai = constraintsOf(request.format).namedSchemas;
  const unnamed = openai && (typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,64}$/.test(name));
  const found =
    schema === undefined ? [] : refused(schema, openai ? strict === true : true, 'the response format', request);
  return unnamed
    ? [
        { what: 'the response format has an invalid name', mend: 'use 64 letters, digits, "_" and "-" at most' },
        ...found,
      ]
    : found;
}

function refused(schema: unknown, strict: boolean, of: string, request: Checked): Problem[] {
  if (!isObject(schema)) return [{ what: `the schema of ${of} is not an object`, mend: 'give a JSON Schema' }];
  const target = targetFor(request, strict);
  const told = new Map<string, Problem>();
  if (target !== undefined)
    schemaFor(target, schema, (keyword, why) => {
      if (!HARMLESS.has(keyword)) told.set(keyword, { what: `the schema of ${of}: "${keyword}": ${why}`, mend: MEND });
    });
  const { type } = schema;
  const rooted = type === undefined || type === 'object';
  return rooted
    ? [...told.values()]
    : [
        { what: `the schema of ${of} has the type ${quoted(type)} at its root`, mend: 'make it an object' },
        ...told.values(),
      ];
}

const MEND = 'ai-transform --repair rewrites it';

/** Annotations are refused by some documents and taken by every recorded server. Not so `default`: `'default' is not permitted`. */
const HARMLESS = new Set(['$schema', '$id', '$comment', '$anchor', 'examples', 'discriminator', 'title']);

export const choices: readonly Rule[] = [choice, emptyTools, toolsMissing, schemas];
