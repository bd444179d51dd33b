// Every form of text. Apart from table.ts, so that the programs that need none do not load them.
import type { FormatName } from '../ir/types.ts';
import type { TextFormat } from './types.ts';

export const TEXTS: readonly TextFormat[] = [];

export function textNamed(name: FormatName): TextFormat | undefined {
  return TEXTS.find((text) => text.name === name);
}
