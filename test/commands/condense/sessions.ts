// Sessions of a coding agent, made up: reads, edits, commands, failures, what the user wants, facts to look for.
import type { JsonObject } from '../../../src/lib/json/values.ts';

export interface Session {
  readonly lines: readonly JsonObject[];
  readonly facts: {
    readonly said: readonly string[];
    readonly failed: readonly string[];
    readonly argued: readonly string[];
  };
}

const WORDS = 'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau'.split(
  ' ',
);

/** So many turns of three calls each. The same number gives the same session. */
export function session(turns: number): Session {
  const chance = dice(turns);
  const text = (words: number) =>
    Array.from({ length: words }, () => WORDS[Math.floor(chance() * WORDS.length)]).join(' ');
  const fact = () =>
    `${Math.floor(chance() * 16 ** 10)
      .toString(16)
      .padStart(10, 'f')}7a`;
  const lines: JsonObject[] = [{ role: 'system', content: `You are careful. ${text(30)}` }];
  const facts = { said: [] as string[], failed: [] as string[], argued: [] as string[] };
  for (let turn = 0; turn < turns; turn++) {
    const [said, failed, argued] = [fact(), fact(), fact()];
    facts.said.push(said);
    facts.failed.push(failed);
    facts.argued.push(argued);
    lines.push({ role: 'user', content: `Please see to ticket ${said}: ${text(12)}` });
    const calls: [string, JsonObject, string][] = [
      ['read', { path: `src/part${turn % 5}.ts` }, text(250)],
      ['bash', { command: `make check-${argued}` }, `${text(40)}\nerror: symbol ${failed} is not defined\n${text(40)}`],
      ['write', { path: `src/part${turn % 5}.ts`, content: text(120) }, 'ok'],
    ];
    calls.forEach(([name, input, result], i) => {
      const id = `c${turn}_${i}`;
      lines.push({
        role: 'assistant',
        content: null,
        tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(input) } }],
      });
      lines.push({ role: 'tool', tool_call_id: id, content: result });
    });
    lines.push({ role: 'assistant', content: `Done: ${text(20)}` });
  }
  return { lines: [...lines, { role: 'user', content: 'What is left to do?' }], facts };
}

function dice(seed: number): () => number {
  let state = seed * 2654435761 + 1;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

export const asText = (lines: readonly unknown[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

export const parse = (text: string): JsonObject[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as JsonObject);
