// ai-exec: runs the calls that may run, and writes their results.
import { resolve } from 'node:path';
import { type Context, defineFilter } from '../../lib/cli/filter.ts';
import { formatNames } from '../../lib/formats/convert.ts';
import { misshapen } from '../../lib/formats/read.ts';
import { FORMATS, formatNamed } from '../../lib/formats/table.ts';
import type { Format } from '../../lib/formats/types.ts';
import { type CallRecord, digestOf, isCall, readCall, type StartedRecord } from '../../lib/ir/calls.ts';
import { EXIT, Failure } from '../../lib/ir/failure.ts';
import type { Json, JsonObject } from '../../lib/ir/json.ts';
import { type Rec, record } from '../../lib/ir/record.ts';
import type { Records } from '../../lib/jsonl/read.ts';
import { headWith } from './head.ts';
import { DESCRIPTION, OPTIONS } from './help.ts';
import { appendLine } from './journal.ts';
import { withAbsolutePaths } from './paths.ts';
import { notStarted, Runner } from './run-call.ts';
import { type Entry, schedule } from './schedule.ts';
import { spoolDirectory } from './spool.ts';
import { Toolbox } from './toolbox.ts';
import { Turns } from './turns.ts';

export default defineFilter({
  name: 'ai-exec',
  summary: 'run the calls that may run, write their results',
  description: DESCRIPTION,
  options: OPTIONS,
  exits: {
    0: 'every call has a result, if only that its tool failed',
    78: 'the tools cannot be read or trusted',
    130: 'stopped; every call has a result',
  },
  see: ['ai-permit', 'ai-pending'],
  examples: [
    {
      title: 'what nobody has allowed does not run',
      command: 'ai-exec -T builtin',
      stdin: '{"type":"call","id":"a","name":"Bash","input":{"command":"make"},"dialect":"openai"}\n',
      stdout:
        '{"role":"tool","tool_call_id":"a","content":"Not run: nobody has allowed it.","_meta":{"runs":[{"id":"a","name":"Bash","decision":"deny"}]}}\n',
    },
  ],
  async *run(records, options, context) {
    const cwd = resolve(context.cwd, options.directory ?? '.');
    const tools = new Toolbox(directoriesOf(options.tools, context), context.cwd, split(options.only, ','));
    if (options.head !== undefined) return yield headOf(tools, options.head || 'openai', context);
    const stop = new AbortController();
    const signal = AbortSignal.any([context.signal, stop.signal]);
    const { timeout } = options;
    const spool = spoolDirectory(context.env, context.cwd);
    const env = withAbsolutePaths(context.env, context.cwd);
    const runner = new Runner(tools, { env, cwd, timeout, most: options['max-bytes'], spool, signal });
    const turns = new Turns((call) => formatOf(call.dialect ?? options.dialect));
    const journal = options['write-ahead'];
    try {
      for await (const event of schedule(entries(records, runner, context), {
        jobs: options.jobs,
        signal,
        patience: 1000,
        stopped: notStarted,
      })) {
        if (event.type === 'pass') yield* turns.pass(event.rec);
        else if (event.type === 'result') yield* turns.add(event.call, event.result);
        else if (journal === undefined) yield record(started(event.call, context.now()));
        else appendLine(resolve(context.cwd, journal), started(event.call, context.now()));
      }
      yield* turns.end();
      if (context.signal.aborted) context.exit(EXIT.interrupted);
    } finally {
      stop.abort();
    }
  },
});

/** Calls with what is to be done for them. A call that cannot be read ends the program, or is left out. */
async function* entries(records: Records, runner: Runner, context: Context): AsyncGenerator<Entry> {
  for await (const rec of records) {
    if (!isCall(rec.value)) {
      yield { kind: 'record', rec };
      continue;
    }
    const call = callIn(rec, rec.value, context);
    if (call) yield { kind: 'call', call, plan: runner.plan(call) };
  }
}

function callIn(rec: Rec, value: JsonObject, context: Context): CallRecord | undefined {
  try {
    const call = readCall(value);
    formatOf(call.dialect);
    return call;
  } catch (error) {
    const failure = misshapen(error, rec);
    if (!(failure instanceof Failure)) throw failure;
    context.bad(
      new Failure(EXIT.badInput, failure.message, {
        place: failure.place ?? `${rec.file}:${rec.line}`,
        hint: failure.hint,
      }),
    );
    return undefined;
  }
}

/** The dialect of a name; the first of the table where none is given. Throws a Failure (64). */
function formatOf(name: string | undefined): Format {
  const format = name === undefined ? FORMATS[0] : formatNamed(name);
  if (format) return format;
  throw new Failure(EXIT.usage, `there is no dialect "${name}"`, { hint: formatNames().join(', ') });
}

function started(call: CallRecord, now: number): Json {
  const { id, name, index } = call;
  const made: StartedRecord = {
    type: 'started',
    id,
    name,
    ...(index !== undefined && { index }),
    digest: digestOf(call),
    time: new Date(now).toISOString(),
  };
  return made as unknown as Json;
}

function headOf(tools: Toolbox, dialect: string, context: Context): Rec {
  const { head, problems } = headWith(tools, formatOf(dialect));
  for (const problem of problems) context.note(problem);
  if (problems.length > 0) context.exit(EXIT.config);
  return record(head);
}

const split = (values: readonly string[], by: string): string[] =>
  values.flatMap((value) => value.split(by)).filter(Boolean);

function directoriesOf(given: readonly string[], { env }: Context): string[] {
  const directories = split(given.length > 0 ? given : [env.AI_TOOLS ?? ''], ':');
  if (directories.length > 0) return directories;
  throw new Failure(EXIT.usage, 'no tools are named', {
    hint: 'use --tools DIR or AI_TOOLS; "builtin" are the ones that come along',
  });
}
