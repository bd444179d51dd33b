// Special tokens as models spell them: found by name, whatever bars, blanks and blocks they are written with.
import type { Source } from './source.ts';
import { tagAt } from './tag.ts';

interface Token {
  readonly at: number;
  readonly end: number;
  readonly name: string;
}

/** The token at `at`, by its name between the bars (`tool_call_begin`); undefined if none stands there. */
export function tokenAt(source: Source, at: number): Token | undefined {
  const tag = source.text[at] === '<' ? tagAt(source, at) : undefined;
  if (tag === undefined || !tag.name.startsWith('|')) return undefined;
  return { at, end: tag.end, name: tag.name.replaceAll('|', '') };
}

/** The first token of these names at or after `from`, within `limit` characters and before another call begins. */
export function nextToken(source: Source, names: readonly string[], from: number, limit = 1 << 30): Token | undefined {
  for (let at = source.flat.indexOf('<', from); at >= 0 && at - from < limit; at = source.flat.indexOf('<', at + 1)) {
    if (!source.spend(4)) return undefined;
    const token = tokenAt(source, at);
    if (token && names.includes(token.name)) return token;
    if (token?.name === 'tool_call_begin') return undefined;
  }
  return undefined;
}

/** No more tokens than this stand beside each other. */
const MOST = 8;

/** Behind the tokens of these names that stand at `at`, white space between them. */
export function skipTokens(source: Source, names: readonly string[], at: number): number {
  let end = at;
  for (let i = 0; i < MOST; i += 1) {
    const token = tokenAt(source, source.space(end));
    if (token === undefined || !names.includes(token.name)) break;
    ({ end } = token);
  }
  return end;
}
