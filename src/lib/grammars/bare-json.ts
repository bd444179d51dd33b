// JSON without any mark: objects and lists that name a tool of the conversation, in the shapes of many APIs.
import type { Body } from './body.ts';
import { fenceAt } from './body.ts';
import { extentAt } from './extent.ts';
import { opensValue } from './json.ts';
import { jsonBody } from './json-body.ts';
import { nameStart } from './literal.ts';
import type { Source } from './source.ts';
import { skipStray } from './stray.ts';
import { namedJson } from './token-json.ts';
import type { Grammar, Opening, Reading } from './types.ts';
import { eachJson, listJson, safeJson } from './write.ts';

/** What the object begins with tells whose shape it is. */
const SHAPES: readonly (readonly [RegExp, string])[] = [
  [/^\W*"?(?:tool_calls|function_call)"?\s*:|"type"\s*:\s*"function"\s*,\s*"function"/, 'openai-json'],
  [/^\W*["'](?:type)["']\s*:\s*["']tool_use["']|["']type["']\s*:\s*["']tool_use["']/, 'anthropic-json'],
  [/^\W*"functionCall"\s*:/, 'gemini-json'],
  [/"tool_name"\s*:/, 'cohere-json'],
  [/^\W*"function"\s*:\s*"/, 'functions-json'],
  [/"action_input"\s*:/, 'structured-chat'],
  [/"tool_input"\s*:/, 'tool-tool_input-json'],
  [/^\W*"tool"\s*:/, 'flat-json'],
];

function shapeOf(text: string): string {
  return SHAPES.find(([pattern]) => pattern.test(text))?.[1] ?? 'bare-json';
}

/** A key that holds a name, or a call. */
const KEY =
  /["'“]?\b(?:name|tool|tool_?[nN]ame|function(?:_?[nN]ame|_?[cC]alls?)?|recipient_name|action|api|fn|func|method|tool_?[cC]alls?|toolUse|tool_uses?)["'”]?\s*:/;

function read(source: Source, { at }: Opening): Reading | undefined {
  if (source.isVain('json', at) || !opensValue(source, at)) return undefined;
  const inner = source.space(at + 1);
  if (source.text[at] === '[' && source.text[inner] !== '{') return undefined;
  const extent = extentAt(source.text, at);
  if (!source.spend(extent.end - at)) return undefined;
  const found = mayBeCall(source, source.text.slice(at, extent.end)) ? calls(source, at) : undefined;
  if (found === undefined && extent.type !== 'cut') source.vain('json', extent.end);
  return found;
}

/** Whether an object has a key for a name, or a tool's name for a key. */
function mayBeCall(source: Source, text: string): boolean {
  if (KEY.test(text)) return true;
  const key = /^\W*([\p{L}\p{N}_.-]+)["']\s*:\s*\{/u.exec(text.slice(0, 200))?.[1];
  return key !== undefined && source.tools.has(key);
}

function calls(source: Source, at: number): Reading | undefined {
  const found = jsonBody(source, at, [], { tools: source.tools, certain: false });
  if (found === undefined || (found.calls.length === 0 && found.cut === undefined)) return undefined;
  const rest = source.text.slice(found.end, found.end + 20);
  const end =
    /^[\s\]}]+$/.test(rest) && found.end + rest.length === source.text.length ? source.text.length : found.end;
  return { ...found, end, format: shapeOf(source.text.slice(at, Math.min(found.end, at + 300))) };
}

export const bareJson: Grammar = {
  name: 'bare-json',
  summary: 'any weak model',
  openers: ['{', '['],
  delimited: false,
  read,
  write: eachJson('', ''),
};

const nameIn = (text: string): string => text.trimEnd().replace(/:$/, '');

/** Where the name of a tool begins that stands before `at`, on the line before or on the same line. */
export function nameBefore(source: Source, at: number): number | undefined {
  let end = at;
  while (end > 0 && /[ \t\r\n]/.test(source.text[end - 1] ?? '')) end -= 1;
  if (at - end > 8) return undefined;
  const start = nameStart(source.text, end);
  const name = nameIn(source.text.slice(start, end));
  const isTool = start < end && source.startsLine(start) && source.tools.resolve(name)?.tool !== undefined;
  return isTool ? start : undefined;
}

/** A tool's name on the line before the object, or directly before it. */
export const glm4Legacy: Grammar = {
  name: 'glm4-legacy',
  summary: 'GLM-4-9B',
  openers: ['{'],
  delimited: false,
  read(source, { at }) {
    const start = nameBefore(source, at);
    if (start === undefined) return undefined;
    const name = nameIn(source.text.slice(start, at));
    const found = namedJson(source, name, at, []);
    if (found === 'cut' || found === undefined) return undefined;
    return { calls: [found.spoken], end: found.end, start, advertised: true };
  },
  write: (calls) => calls.map(({ name, input }) => `${name}\n${safeJson(input)}`).join('\n'),
};

/** `Action:` or `**Tool Call:**` before JSON in a fence. */
function fencedAfter(source: Source, at: number): Body | undefined {
  const start = source.space(at);
  const body = fenceAt(source, start) ?? start;
  const found = jsonBody(source, body, ['```']);
  if (found === undefined || found.cut !== undefined || body === start) return found;
  const close = source.space(found.end);
  return source.has('```', close) ? { ...found, end: close + 3 } : found;
}

export const commandR: Grammar = {
  name: 'command-r-fence',
  summary: 'Command R and R+',
  openers: ['Action:'],
  delimited: true,
  read: (source, { at, end }) => (source.startsLine(at) ? fencedAfter(source, end) : undefined),
  write: (calls) =>
    `Action: \`\`\`json\n[\n${calls.map(({ name, input }) => safeJson({ tool_name: name, parameters: input })).join(',\n')}\n]\n\`\`\``,
};

export const rwkv: Grammar = {
  name: 'rwkv-md-fence',
  summary: 'RWKV-7',
  openers: ['**Tool Call:**', '**Tool call:**', '**Tool Calls:**'],
  delimited: true,
  read(source, { at, end }) {
    const found = source.startsLine(at) ? fencedAfter(source, end) : undefined;
    return (
      found && { ...found, advertised: true, end: found.cut === undefined ? skipStray(source, found.end) : found.end }
    );
  },
  write: (calls) =>
    calls
      .map(({ name, input }) => `**Tool Call:**\n\`\`\`json\n${safeJson({ name, arguments: input })}\n\`\`\``)
      .join('\n'),
};

export const jsonFence: Grammar = {
  name: 'json-fence',
  summary: 'any model',
  openers: [],
  delimited: false,
  read: () => undefined,
  write: eachJson('```json\n', '\n```'),
};

export const xlam: Grammar = {
  name: 'xlam-json',
  summary: 'xLAM, Hammer, BitAgent',
  openers: [],
  delimited: false,
  read: () => undefined,
  write: listJson('', ''),
};

/** An object with the calls of OpenAI Chat, Anthropic and Gemini, as models write them that imitate the API. */
export const apiJson: readonly Grammar[] = [
  {
    name: 'openai-json',
    summary: 'models that imitate the API',
    openers: [],
    delimited: false,
    read: () => undefined,
    write: (calls) =>
      safeJson({
        tool_calls: calls.map(({ name, input, id }, index) => ({
          id: id ?? `call_${index + 1}`,
          type: 'function',
          function: { name, arguments: JSON.stringify(input) },
        })),
      }),
  },
  {
    name: 'anthropic-json',
    summary: 'models that imitate the API, argo-proxy',
    openers: [],
    delimited: false,
    read: () => undefined,
    write: (calls) =>
      `[${calls.map(({ name, input, id }, index) => safeJson({ type: 'tool_use', id: id ?? `toolu_${index + 1}`, name, input })).join(', ')}]`,
  },
  {
    name: 'gemini-json',
    summary: 'models that imitate the API',
    openers: [],
    delimited: false,
    read: () => undefined,
    write: (calls) => calls.map(({ name, input }) => safeJson({ functionCall: { name, args: input } })).join('\n'),
  },
  {
    name: 'cohere-json',
    summary: 'models that imitate the API',
    openers: [],
    delimited: false,
    read: () => undefined,
    write: (calls) =>
      `[${calls.map(({ name, input }) => safeJson({ tool_name: name, parameters: input })).join(', ')}]`,
  },
  {
    name: 'functions-json',
    summary: 'prompts of the Berkeley leaderboard',
    openers: [],
    delimited: false,
    read: () => undefined,
    write: (calls) => `[${calls.map(({ name, input }) => safeJson({ function: name, parameters: input })).join(', ')}]`,
  },
  {
    name: 'tool-tool_input-json',
    summary: 'Mistral-instruct prompts',
    openers: [],
    delimited: false,
    read: () => undefined,
    write: (calls) => calls.map(({ name, input }) => safeJson({ tool: name, tool_input: input })).join('\n'),
  },
  {
    name: 'structured-chat',
    summary: "LangChain's structured chat",
    openers: [],
    delimited: false,
    read: () => undefined,
    write: (calls) =>
      calls
        .map(({ name, input }) => `\`\`\`json\n${safeJson({ action: name, action_input: input })}\n\`\`\``)
        .join('\n'),
  },
];
