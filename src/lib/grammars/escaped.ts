// Calls whose tags are written with XML's entities: `&lt;tool_call&gt;{…}&lt;/tool_call&gt;`. Servers that escape what they show do so.
import { hermes } from './hermes.ts';
import { INVOKES } from './invoke.ts';
import { glm } from './pairs.ts';
import { qwenCoder } from './qwen-coder.ts';
import { Source } from './source.ts';
import { decodeEntities, tagAt } from './tag.ts';
import type { Grammar, Opening, Reading } from './types.ts';

const WRAPPERS = ['tool_call', 'function_calls', 'tool_calls'];

/** The grammars whose tags are looked for behind the entities. */
const INNER: readonly Grammar[] = [hermes, qwenCoder, glm, ...INVOKES];

/** Longer stretches are not decoded. */
const LONGEST = 1 << 18;

function read(source: Source, { opener, at, end }: Opening): Reading | undefined {
  const closer = opener.replace('&lt;', '&lt;/');
  const close = source.find(closer, end);
  if (close < 0 || close - at > LONGEST || !source.spend(2 * (close - at))) return undefined;
  const inner = new Source(decodeEntities(source.text.slice(at, close + closer.length)), source.tools);
  const tag = tagAt(inner, 0);
  if (tag === undefined) return undefined;
  const wrapper = `<${tag.name}>`;
  for (const grammar of INNER) {
    if (!grammar.openers.includes(wrapper)) continue;
    const found = grammar.read(inner, { opener: wrapper, at: 0, end: tag.end, tag });
    if (found === undefined || found.cut !== undefined || found.end < inner.text.length) continue;
    const calls = found.calls.map((call) => ({
      ...call,
      repairs: [...(call.repairs ?? []), 'entities decoded' as const],
    }));
    return { calls, end: close + closer.length };
  }
  return undefined;
}

export const escaped: Grammar = {
  name: 'escaped-tags',
  summary: 'servers that escape their output',
  openers: WRAPPERS.map((name) => `&lt;${name}&gt;`),
  delimited: true,
  read,
};
