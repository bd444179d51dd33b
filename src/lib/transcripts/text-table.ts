// Every form of text. Apart from table.ts, so that the programs that need none do not load them.
import type { FormatName } from '../conversation/types.ts';
import type { TextFormat } from '../dialects/types.ts';
import { chatml } from './texts/chatml/index.ts';
import { html } from './texts/html/index.ts';
import { markdown } from './texts/markdown/index.ts';
import { text } from './texts/text/index.ts';

export const TEXTS: readonly TextFormat[] = [text, markdown, html, chatml];

export function textNamed(name: FormatName): TextFormat | undefined {
  return TEXTS.find((each) => each.name === name);
}
