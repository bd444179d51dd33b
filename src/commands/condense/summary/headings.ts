// The headings that a prompt asks for, and those that a summary has.

/** `## Goal`, `**Goal**`, `1. Goal:`, `- **Goal**:` or `Goal:` at the beginning of a line, in whatever mix. */
const HEADING =
  /^\s{0,3}(?:(?<marks>#{1,6})\s+)?(?<list>[-*+•]\s+)?(?<bold>\*\*|__)?(?<number>\(?\d{1,2}(?:\.\d{1,2})*[.):]\s*)?(?<inner>\*\*|__)?(?<name>[\p{Lu}\p{Lo}][\p{L}\p{N} &/,'’()-]{1,60}?)\s*(?<end>\*\*|__|:|：|$)/u;

/** More characters of a line than this are no heading. */
const LONGEST = 100;

interface Heading {
  /** In small letters. */
  readonly name: string;
  /** It can be nothing else, by its marks. */
  readonly sure: boolean;
  readonly item: boolean;
  /** Something follows it on its line. */
  readonly told: boolean;
}

function headingOn(line: string): Heading | undefined {
  const match = HEADING.exec(line.slice(0, LONGEST));
  if (match === null) return undefined;
  const { marks, list, bold, number, inner, name = '' } = match.groups ?? {};
  const sure = marks !== undefined || bold !== undefined || inner !== undefined;
  const rest = line.slice(match[0].length).replace(/^[\s*_:：]+/, '');
  const item = list !== undefined || number !== undefined;
  return { name: name.trim().toLowerCase(), sure, item, told: rest !== '' };
}

/** The headings of a text, in small letters; a short line by itself counts as one. */
export const headingsIn = (text: string): Set<string> =>
  new Set(text.split('\n').flatMap((line) => headingOn(line)?.name ?? []));

/**
 * The headings that a prompt wants, in small letters: what it marks as one, items of a list with a colon behind their names, and lines that are a
 * name with a colon. A line that leads in a list, as in `Summarize this, focusing on:`, is none, and neither are items that are only topics.
 */
export function headingsAsked(prompt: string): Set<string> {
  const lines = prompt.split('\n').filter((line) => line.trim() !== '');
  const found = lines.map((line) => (/[:：]|\*\*|__|^\s*#/.test(line) ? headingOn(line) : undefined));
  const asked = found.flatMap((heading, i) =>
    heading && !leadsIn(heading, lines[i + 1], found[i + 1]) ? [heading] : [],
  );
  const sure = asked.filter((heading) => heading.sure || heading.item || !isSentence(heading.name));
  const names = new Set(sure.map(({ name }) => name));
  // One by itself is the title of the prompt, or how a sentence begins.
  return names.size > 1 ? names : new Set();
}

/** A bare line with a colon, before a list or before a heading that is told more of. */
function leadsIn(heading: Heading, next: string | undefined, follows: Heading | undefined): boolean {
  if (heading.sure || heading.item || heading.told || next === undefined) return false;
  return /^\s*(?:[-*+•]|\(?\d{1,2}[.):])\s/.test(next) || follows?.sure === true || follows?.told === true;
}

/** Names are short. */
const WORDS = 6;
const isSentence = (name: string): boolean => name.split(/\s+/).length > WORDS;
