// SEARCH/REPLACE blocks as Roo Code has them: https://docs.roocode.com/advanced-usage/available-tools/apply-diff
import { count, EditError, type Edited } from './edited.ts';

interface Block {
  search: string[];
  replace: string[];
  /** The line where the search begins, from 1; 0 if it is not said. */
  start: number;
}

/** How far from the line that was said the text may be. */
const NEAR = 40;

/**
 * Applies the blocks of one file, those for earlier lines first. What matches is done, what does not is told; if none matches, an EditError.
 * Lines match if they are the same but for blanks and typographic quotes; the replacement then takes over the indentation that was found.
 */
export function searchAndReplace(text: string, diffs: readonly { content: string; start?: number }[]): Edited {
  const blocks = diffs
    .flatMap(({ content, start }) => readBlocks(content, start ?? 0))
    .sort((a, b) => a.start - b.start);
  if (blocks.length === 0) throw new EditError('there is no SEARCH/REPLACE block in "diff"');
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  let lines = text.split(/\r?\n/);
  let shift = 0;
  const failed: string[] = [];
  for (const [i, block] of blocks.entries()) {
    const at = find(lines, block, block.start === 0 ? 0 : block.start + shift);
    if (typeof at === 'string') failed.push(`block ${i + 1}: ${at}`);
    else {
      const found = lines.slice(at, at + block.search.length);
      lines = [...lines.slice(0, at), ...indented(block, found), ...lines.slice(at + found.length)];
      shift += block.replace.length - found.length;
    }
  }
  const made = blocks.length - failed.length;
  if (made === 0) throw new EditError(failed.join('\n'));
  const rest = failed.length > 0 ? `\nNot applied:\n${failed.join('\n')}` : '';
  return { text: lines.join(end), done: `Applied ${count(made, 'block')} of ${blocks.length}.${rest}` };
}

const MARKERS = /^\\(<<<<<<<|=======|>>>>>>>|-------|:start_line:|:end_line:)/;

function readBlocks(content: string, start: number): Block[] {
  const blocks: Block[] = [];
  let open: Block | undefined;
  let side: 'search' | 'replace' = 'search';
  for (const [i, line] of content.split(/\r?\n/).entries()) {
    const marker = line.trimEnd();
    const problem = (why: string) => new EditError(`cannot read the diff: line ${i + 1}: ${why}`);
    if (/^<<<<<<< SEARCH>?$/.test(marker)) {
      if (open) throw problem('a block begins before the one above it ends with ">>>>>>> REPLACE"');
      open = { search: [], replace: [], start };
      side = 'search';
    } else if (marker === '=======' && open) {
      if (side === 'replace')
        throw problem('a second "=======" (a line of the file that looks like it needs a backslash before it)');
      side = 'replace';
    } else if (marker === '>>>>>>> REPLACE' && open) {
      if (side === 'search') throw problem('there is no "=======" between SEARCH and REPLACE');
      blocks.push(open);
      open = undefined;
    } else if (open) addLine(open, side, line);
  }
  if (open) throw new EditError('cannot read the diff: the last block does not end with ">>>>>>> REPLACE"');
  return blocks.map(({ search, replace, start: line }) =>
    withoutNumbers({ search: some(search), replace: some(replace), start: line }),
  );
}

/** One empty line between two markers is nothing at all. */
const some = (lines: string[]): string[] => (lines.length === 1 && lines[0] === '' ? [] : lines);

function addLine(block: Block, side: 'search' | 'replace', line: string): void {
  const said = side === 'search' && block.search.length === 0 ? /^:(start|end)_line:\s*(\d+)\s*$/.exec(line) : null;
  if (said?.[1] === 'start') block.start = Number(said[2]);
  else if (!said && !(side === 'search' && block.search.length === 0 && line.trimEnd() === '-------'))
    block[side].push(line.replace(MARKERS, '$1'));
}

/** Numbers before every line (`12 | text`), as the file was shown, are no part of it. */
function withoutNumbers(block: Block): Block {
  const numbered = (lines: readonly string[]) => lines.length > 0 && lines.every((line) => /^\s*\d+\s+\| ?/.test(line));
  if (!numbered(block.search) || !(numbered(block.replace) || block.replace.join('').trim() === '')) return block;
  const strip = (lines: readonly string[]) => lines.map((line) => line.replace(/^\s*\d+\s+\| ?/, ''));
  const start = block.start || Number.parseInt(block.search[0] ?? '', 10);
  return { search: strip(block.search), replace: strip(block.replace), start };
}

/** The index where a block's search stands, or why it stands nowhere. `start` is counted from 1; 0 is anywhere. */
function find(lines: readonly string[], { search, replace }: Block, start: number): number | string {
  if (search.length === 0) return 'its SEARCH is empty: say after which text the new one comes';
  if (search.join('\n') === replace.join('\n')) return 'its SEARCH and REPLACE are the same';
  const from = start === 0 ? 0 : Math.max(0, start - 1 - NEAR);
  const to = start === 0 ? lines.length : Math.min(lines.length, start - 1 + search.length + NEAR);
  for (const alike of [(line: string) => line, normal]) {
    const places = placesOf(search.map(alike), lines.slice(from, to).map(alike)).map((at) => at + from);
    const [only] = places;
    if (only === undefined) continue;
    if (start > 0)
      return places.reduce((best, at) => (Math.abs(at - start + 1) < Math.abs(best - start + 1) ? at : best), only);
    return places.length === 1
      ? only
      : `its SEARCH is there ${count(places.length, 'time')}: add ":start_line:" or more lines`;
  }
  return start > 0
    ? `its SEARCH is not within ${NEAR} lines of line ${start}: read the file again`
    : 'its SEARCH is not in the file: read it again';
}

/** Where a run of lines stands in others. */
function placesOf(wanted: readonly string[], lines: readonly string[]): number[] {
  const needle = `\n${wanted.join('\n')}\n`;
  const hay = `\n${lines.join('\n')}\n`;
  const places: number[] = [];
  let line = 0;
  let counted = 0;
  for (let at = hay.indexOf(needle); at >= 0; at = hay.indexOf(needle, at + 1)) {
    for (; counted < at; counted++) if (hay[counted] === '\n') line += 1;
    places.push(line);
  }
  return places;
}

const normal = (line: string): string =>
  line
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/\u2026/g, '...')
    .replace(/[\u2013\u2014]/g, '-')
    .replace(/\u00a0/g, ' ');

/** The replacement, with the indentation of what was found in the place of that of the search. */
function indented({ search, replace }: Block, found: readonly string[]): string[] {
  const indent = (line: string | undefined) => /^[\t ]*/.exec(line ?? '')?.[0] ?? '';
  const [wanted, real] = [indent(search[0]), indent(found[0])];
  if (wanted === real) return replace;
  return replace.map((line) => {
    const own = indent(line);
    const rest = line.slice(own.length);
    if (rest === '') return line;
    return own.length >= wanted.length
      ? real + own.slice(wanted.length) + rest
      : real.slice(0, Math.max(0, real.length - wanted.length + own.length)) + rest;
  });
}
