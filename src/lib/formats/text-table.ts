// Every form of text. Apart from table.ts, so that the programs that need none do not load them.
import type { FormatName } from '../ir/types.ts';
import { chatml } from './chatml/index.ts';
import { html } from './html/index.ts';
import { markdown } from './markdown/index.ts';
import { text } from './text/index.ts';
import type { TextFormat } from './types.ts';

export const TEXTS: readonly TextFormat[] = [text, markdown, html, chatml];

export function textNamed(name: FormatName): TextFormat | undefined {
  return TEXTS.find((each) => each.name === name);
}
