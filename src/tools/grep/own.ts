// The search without ripgrep: a walk, and RE2's expressions, which take linear time on any text.
import { readFileSync, statSync } from 'node:fs';
import { ToolError } from '../../lib/cli/tool.ts';
import { loadRegex } from '../../lib/config/regex.ts';
import { walk } from '../walk.ts';
import type { Report } from './report.ts';
import type { Search } from './search.ts';

/** Larger files are not searched. */
const LARGEST = 20 * 1024 * 1024;

export async function byWalking(search: Search, report: Report): Promise<boolean> {
  const find = await finder(search);
  const wanted = names(search);
  for (const path of search.isFile ? [search.root] : files(search)) {
    if (report.full) break;
    if (wanted(path)) one(path, search, report, find);
  }
  return true;
}

function* files(search: Search): Generator<string> {
  for (const { path, directory } of walk(search.root, { dot: false, ignore: true, hidden: search.hides }))
    if (!directory) yield path;
}

/** Where a text matches: places of the beginning and the end. */
type Find = (text: string, from: number) => readonly [start: number, end: number] | undefined;

async function finder({ pattern, ignoreCase, multiline }: Search): Promise<Find> {
  const { RE2JS } = await loadRegex();
  const flags = (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0) | RE2JS.MULTILINE | (multiline ? RE2JS.DOTALL : 0);
  try {
    const compiled = RE2JS.compile(pattern, flags);
    return (text, from) => {
      const matcher = compiled.matcher(text);
      return matcher.find(from) ? [matcher.start(), matcher.end()] : undefined;
    };
  } catch (error) {
    throw new ToolError(`the pattern cannot be read: ${(error as Error).message}`);
  }
}

function names({ wants, type }: Search): (file: string) => boolean {
  const extensions = type === undefined ? undefined : TYPES.get(type);
  if (type !== undefined && extensions === undefined)
    throw new ToolError(`the type "${type}" is not known here: ${[...TYPES.keys()].join(', ')}`);
  return (file) => wants(file) && (extensions?.some((extension) => file.endsWith(`.${extension}`)) ?? true);
}

/** The commonest of ripgrep's types. */
const TYPES = new Map(
  `js:js,jsx,mjs,cjs,vue ts:ts,tsx,cts,mts py:py,pyi rust:rs go:go java:java c:c,h cpp:cpp,cc,cxx,hpp,hh,hxx,h,C,H cs:cs ruby:rb,gemspec php:php
  swift:swift kotlin:kt,kts scala:scala sh:sh,bash,zsh md:md,markdown,mdx json:json yaml:yaml,yml toml:toml html:html,htm css:css,scss xml:xml sql:sql
  lua:lua txt:txt`
    .split(/\s+/)
    .map((line) => [line.split(':')[0] ?? '', (line.split(':')[1] ?? '').split(',')] as const),
);

function one(path: string, search: Search, report: Report, find: Find): void {
  const text = textAt(path);
  if (text === undefined) return;
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const matched = search.multiline ? inText(text, lines, find) : inLines(lines, find);
  if (matched.size === 0) return;
  if (search.mode !== 'content') {
    report.file(path, matched.size);
    return;
  }
  const shown = new Set([...matched].flatMap((at) => around(at, search, lines.length)));
  for (const at of [...shown].sort((a, b) => a - b)) report.line(path, at + 1, lines[at] ?? '', matched.has(at));
}

function textAt(path: string): string | undefined {
  try {
    if (statSync(path).size > LARGEST) return undefined;
    const bytes = readFileSync(path);
    return bytes.subarray(0, 8192).includes(0) ? undefined : bytes.toString('utf8');
  } catch {
    return undefined;
  }
}

const inLines = (lines: readonly string[], find: Find): Set<number> =>
  new Set(lines.flatMap((line, at) => (find(line, 0) ? [at] : [])));

/** The lines that matches of the whole text touch. */
function inText(text: string, lines: readonly string[], find: Find): Set<number> {
  const matched = new Set<number>();
  let line = 0;
  let begin = 0;
  for (
    let at = find(text, 0);
    at !== undefined;
    at = at[1] > text.length ? undefined : find(text, Math.max(at[1], at[0] + 1))
  ) {
    while (line < lines.length && begin + (lines[line]?.length ?? 0) < at[0]) begin += (lines[line++]?.length ?? 0) + 1;
    let end = begin;
    for (let each = line; each < lines.length && end <= Math.max(at[0], at[1] - 1); each++) {
      matched.add(each);
      end += (lines[each]?.length ?? 0) + 1;
    }
    if (at[0] + 1 > text.length) break;
  }
  return matched;
}

function around(at: number, { before, after }: Search, count: number): number[] {
  const from = Math.max(0, at - before);
  const to = Math.min(count - 1, at + after);
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}
