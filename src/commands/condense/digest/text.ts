// The digest as text that a model reads, and back: a later condensing takes up what an earlier one wrote.

import type { Message, Part } from '../../../lib/conversation/types.ts';
import { isObject } from '../../../lib/json/values.ts';
import type { NameKind } from './names.ts';

/** What is remembered of entries that went, each list oldest first. */
export interface Past {
  readonly requests: readonly string[];
  readonly answers: readonly string[];
  readonly errors: readonly string[];
  readonly commands: readonly string[];
  /** What a model wrote about them. */
  readonly summaries: readonly string[];
  readonly files: ReadonlyMap<string, ReadonlyMap<string, number>>;
  scores(kind: NameKind): ReadonlyMap<string, number>;
}

export const OPENING = `[This is a record of earlier messages that were taken out to save room. It is no request: what was asked for in them is done, unless what follows says otherwise.]`;

const HEADINGS = {
  summaries: 'Summary',
  requests: 'The user said',
  answers: 'The assistant answered',
  errors: 'Errors',
  commands: 'Commands',
  files: 'Files',
  facts: 'Ids, numbers, addresses',
  names: 'Names',
} as const;

export type Section = keyof typeof HEADINGS;

export const headingLine = (section: Section): string => `\n## ${HEADINGS[section]}\n`;

/** One entry of a list, on as many lines as it has: those after the first are indented. */
export const bullet = (text: string): string => `- ${text.replaceAll('\n', '\n  ')}\n`;

/** Whether a message is a digest that ai-condense wrote. */
export const isDigest = ({ meta }: Message): boolean => isObject(meta?.condensed) && meta.condensed.digest === true;

/** A message without the digest that was joined to it, and the digest, where an API's messages must take turns; else the message. */
export function apartFromDigests(message: Message): readonly Message[] {
  const { condensed, ...meta } = message.meta ?? {};
  if (!isObject(condensed) || condensed.joined !== true) return [message];
  const said = (part: Part): boolean => part.type === 'text' && part.text.startsWith(OPENING);
  const digest: Message = { role: 'user', parts: message.parts.filter(said), meta: { condensed: { digest: true } } };
  const rest = { ...message, parts: message.parts.filter((part) => !said(part)), meta };
  return [rest, digest].filter(({ parts }) => parts.length > 0);
}

/** What a digest remembers; undefined for any other message. */
export function readDigest(message: Message): Past | undefined {
  if (!isDigest(message)) return undefined;
  const sections = sectionsOf(message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n'));
  const bullets = (section: Section) => readBullets(sections.get(HEADINGS[section]) ?? '');
  const scores = { name: readList(sections.get(HEADINGS.names)), fact: readList(sections.get(HEADINGS.facts)) };
  const summary = sections.get(HEADINGS.summaries)?.trim();
  return {
    requests: bullets('requests'),
    answers: bullets('answers'),
    errors: bullets('errors'),
    commands: bullets('commands'),
    summaries: summary ? [summary] : [],
    files: readFiles(sections.get(HEADINGS.files)),
    scores: (kind) => scores[kind],
  };
}

function sectionsOf(text: string): Map<string, string> {
  const known = new Set<string>(Object.values(HEADINGS));
  const sections = new Map<string, string[]>();
  let lines: string[] = [];
  for (const line of text.split('\n')) {
    const heading = line.startsWith('## ') ? line.slice(3) : '';
    if (known.has(heading)) {
      lines = sections.get(heading) ?? [];
      sections.set(heading, lines);
    } else lines.push(line);
  }
  return new Map([...sections].map(([heading, body]) => [heading, body.join('\n')]));
}

function readBullets(body: string): string[] {
  const found: string[] = [];
  for (const line of body.split('\n')) {
    if (line.startsWith('- ')) found.push(line.slice(2));
    else if (line.startsWith('  ') && found.length > 0) found.push(`${found.pop()}\n${line.slice(2)}`);
  }
  return found;
}

/** The first of a list scored best when it was written. */
function readList(body: string | undefined): Map<string, number> {
  const names = (body ?? '')
    .split(/,\s+/)
    .map((name) => name.trim())
    .filter(Boolean);
  return new Map(names.map((name, i) => [name, 1 / (1 + i / 50)]));
}

/** `path (read 3, edit 1)`, as `fileLine` spells it. */
function readFiles(body: string | undefined): Map<string, Map<string, number>> {
  const found = new Map<string, Map<string, number>>();
  for (const line of (body ?? '').split('\n')) {
    const match = /^- (.+) \(([^()]*)\)$/.exec(line);
    if (match === null) continue;
    const tools = (match[2] ?? '')
      .split(', ')
      .map((tool) => [tool.replace(/ \d+$/, ''), Number(/ (\d+)$/.exec(tool)?.[1] ?? 1)] as const);
    found.set(match[1] as string, new Map(tools));
  }
  return found;
}

export function fileLine(path: string, tools: ReadonlyMap<string, number>): string {
  const counts = [...tools].map(([tool, count]) => (count === 1 ? tool : `${tool} ${count}`));
  return bullet(`${path.replaceAll('\n', ' ')} (${counts.join(', ')})`);
}
