// The search by ripgrep. Names are chosen afterwards: its own globs and kinds find what ignore files name. What the model wrote stands behind `-e` and `--` alone: an option in it would run programs (`--pre`).
import { type ToolContext, ToolError } from '../../lib/cli/tool.ts';
import { isObject, type JsonObject } from '../../lib/json/values.ts';
import { runProcess } from '../../lib/processes/process.ts';
import type { Report } from './report.ts';
import type { Search } from './search.ts';

/** Runs it and reports what it finds. false: it is not installed. Throws a ToolError for a pattern that it cannot read. */
export async function byRipgrep(search: Search, report: Report, { env, cwd, signal }: ToolContext): Promise<boolean> {
  const events = new Events(search, report);
  const stop = new AbortController();
  const errors: string[] = [];
  const ended = await runProcess({
    command: 'rg',
    args: argumentsFor(search),
    cwd,
    env: { PATH: env.PATH ?? '' },
    stdin: '',
    timeoutMs: 120_000,
    signal: AbortSignal.any([signal, stop.signal]),
    // In our own group: what ends us ends it.
    terminal: true,
    onStdout: (chunk) => {
      if (!report.full) events.push(chunk);
      if (report.full) stop.abort();
    },
    onStderr: (chunk) => errors.push(Buffer.from(chunk).toString('utf8')),
  });
  if (ended.failure !== undefined) return false;
  if (ended.status === 2 && !events.any) throw new ToolError(errors.join('').slice(0, 2000).trim());
  return true;
}

function argumentsFor(search: Search): string[] {
  return [
    '--no-config',
    '--json',
    '--sort=path',
    '--max-columns=0',
    ...(search.ignoreCase ? ['--ignore-case'] : []),
    ...(search.multiline ? ['--multiline', '--multiline-dotall'] : []),
    ...(search.before > 0 ? [`--before-context=${search.before}`] : []),
    ...(search.after > 0 ? [`--after-context=${search.after}`] : []),
    ...(search.type === undefined ? [] : [`--type=${search.type}`]),
    '--glob=!.git',
    '-e',
    search.pattern,
    '--',
    search.root,
  ];
}

/** Reads ripgrep's events, one JSON object to a line: https://docs.rs/grep-printer/latest/grep_printer/struct.JSON.html */
class Events {
  readonly #search: Search;
  readonly #report: Report;
  #rest: Buffer[] = [];
  #count = 0;
  /** It began to search: its pattern could be read. */
  any = false;

  constructor(search: Search, report: Report) {
    this.#search = search;
    this.#report = report;
  }

  push(chunk: Uint8Array): void {
    const end = chunk.lastIndexOf(10) + 1;
    if (end === 0) {
      this.#rest.push(Buffer.from(chunk));
      return;
    }
    const whole = Buffer.concat([...this.#rest, chunk.subarray(0, end)]).toString('utf8');
    this.#rest = [Buffer.from(chunk.subarray(end))];
    for (const line of whole.split('\n')) if (line !== '' && !this.#report.full) this.#event(JSON.parse(line));
  }

  #event({ type, data }: JsonObject): void {
    this.any = true;
    if (!isObject(data)) return;
    const path = textOf(data.path);
    if (path === undefined || this.#search.hides(path) || !this.#search.wants(path)) return;
    if (type === 'begin') this.#count = 0;
    else if (type === 'end' && this.#count > 0 && this.#search.mode !== 'content') this.#report.file(path, this.#count);
    else if (type === 'match' || type === 'context') this.#lines(path, data, type === 'match');
  }

  #lines(path: string, { lines, line_number }: JsonObject, matches: boolean): void {
    const all = (textOf(lines) ?? '').replace(/\r?\n$/, '').split(/\r?\n/);
    if (matches) this.#count += all.length;
    if (this.#search.mode !== 'content') return;
    for (const [i, line] of all.entries()) this.#report.line(path, Number(line_number) + i, line, matches);
  }
}

/** Text, or bytes that are none. */
function textOf(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  if (typeof value.text === 'string') return value.text;
  return typeof value.bytes === 'string' ? Buffer.from(value.bytes, 'base64').toString('utf8') : undefined;
}
