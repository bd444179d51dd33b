// How ids of calls and names of tools are spelled, and that they are told apart.

import { modelName } from '../../conversation/model-name.ts';
import type { Message, Part } from '../../conversation/types.ts';
import { withRenamed } from '../../dialects/codec/renamed-ids.ts';
import { headRenamed, messageRenamed } from '../../dialects/codec/tool-names.ts';
import { isSpelled, type Spelling } from '../../dialects/constraints.ts';
import { constraintsOf, demanding } from '../../dialects/table.ts';
import type { JsonObject } from '../../json/values.ts';
import { idSpelling } from '../adapt/ids.ts';
import { Renames } from '../adapt/renames.ts';
import { headRule, quoted } from './build.ts';
import { isCall, isResult } from './calls.ts';
import type { Checked, Finding, Mended, Rule } from './types.ts';

/** The API's own bounds hold on its own models; a server that only speaks its dialect has bounds of its own. */
function idsOf({ format, head }: Checked): Spelling | undefined {
  const known = modelName(head?.model);
  const { otherServers } = constraintsOf(format);
  if (otherServers && known && known.family !== otherServers.ownFamily) return undefined;
  return idSpelling(format, head?.model);
}

const callIds: Rule = {
  name: 'call-id',
  formats: demanding(({ ids }) => ids),
  check(request) {
    const spelling = idsOf(request);
    if (spelling === undefined) return [];
    return request.messages.flatMap((message, i) =>
      message.parts.flatMap((part): Finding[] => {
        const id = isCall(part) ? part.id : isResult(part) ? part.callId : undefined;
        if (id === undefined || (isSpelled(id, spelling) && id !== '')) return [];
        return [
          {
            rule: 'call-id',
            message: i,
            what: `the id ${quoted(id)} is not ${inWords(spelling)}`,
            mend: 'rename it in the call and in its result',
          },
        ];
      }),
    );
  },
  repair(request) {
    const spelling = idsOf(request);
    if (spelling === undefined || callIds.check(request).length === 0) return undefined;
    const names = new Renames(spelling);
    const did: Mended[] = [];
    const messages = request.messages.map((message, i) => withGoodIds(message, i, names, did));
    return did.length > 0 ? { request: { ...request, messages }, did } : undefined;
  },
};

const inWords = ({ words, most }: Spelling): string =>
  most === Number.POSITIVE_INFINITY || words.includes('nine') ? words : `at most ${most} of ${words}`;

function withGoodIds(message: Message, at: number, names: Renames, did: Mended[]): Message {
  const ids = new Map<string, string>();
  const parts = message.parts.map((part): Part => {
    const old = isCall(part) ? part.id : isResult(part) ? part.callId : '';
    const now = old === '' ? '' : names.of(old);
    if (now === old) return part;
    ids.set(now, old);
    did.push({ rule: 'call-id', message: at, did: `renamed ${quoted(old)} to ${quoted(now)}` });
    return isCall(part) ? { ...part, id: now } : isResult(part) ? { ...part, callId: now } : part;
  });
  if (ids.size === 0) return message;
  return { ...message, parts, meta: withRenamed(message.meta, 'ids', undefined, ids) };
}

/** https://github.com/tadata-org/fastapi_mcp/issues/161, https://github.com/mastra-ai/mastra/issues/6302 */
const toolNames: Rule = {
  name: 'tool-name',
  formats: demanding(({ names }) => names),
  check(request) {
    const spelling = constraintsOf(request.format).names;
    if (spelling === undefined) return [];
    const bad = (name: string | undefined): name is string => name !== undefined && !isSpelled(name, spelling);
    const problem = (name: string) => ({
      rule: 'tool-name',
      what: `the name ${quoted(name)} is not ${inWords(spelling)}`,
      mend: 'rename the tool everywhere',
    });
    const tools = (request.head?.tools ?? []).filter((tool) => tool.type !== 'provider' && bad(tool.name));
    const calls = request.messages.flatMap((message, i) =>
      message.parts.flatMap((part): Finding[] =>
        isCall(part) && bad(part.name) ? [{ ...problem(part.name), message: i }] : [],
      ),
    );
    return [...tools.map((tool) => problem(tool.name)), ...calls];
  },
  repair(request) {
    const spelling = constraintsOf(request.format).names;
    const found = toolNames.check(request);
    if (spelling === undefined || found.length === 0) return undefined;
    const names = new Renames(spelling);
    const renamed = <T extends { meta?: JsonObject }>(
      value: T,
      change: (value: T, rename: (name: string) => string) => T,
    ): T => {
      const given = new Map<string, string>();
      const now = change(value, (old) => {
        const name = names.of(old);
        if (name !== old) given.set(name, old);
        return name;
      });
      return now === value ? value : { ...now, meta: withRenamed(value.meta, 'names', undefined, given) };
    };
    const head = request.head && renamed(request.head, headRenamed);
    const messages = request.messages.map((message) => renamed(message, messageRenamed));
    const did = found.map(({ message, what }) => ({ rule: 'tool-name', message, did: `renamed a tool: ${what}` }));
    return { request: { ...request, head, messages }, did };
  },
};

/** `tools: Tool names must be unique`; Gemini: `Duplicate function declaration found`. */
const uniqueNames = headRule({
  name: 'tool-name-twice',
  formats: demanding(({ uniqueNames }) => uniqueNames),
  find({ tools = [] }) {
    const seen = new Set<string>();
    const twice = tools.filter(({ name }) => seen.has(name) || !seen.add(name));
    return twice.map(({ name }) => ({
      what: `two tools have the name ${quoted(name)}`,
      mend: 'rename one, or remove it',
    }));
  },
});

export const spelling: readonly Rule[] = [callIds, toolNames, uniqueNames];
