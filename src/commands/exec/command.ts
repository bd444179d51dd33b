// ai-exec: runs the calls that may run, and writes their results.
import { resolve } from 'node:path';
import { type Context, defineFilter } from '../../lib/cli/filter.ts';
import {
  type CallRecord,
  digestOf,
  isCall,
  readCall,
  type StartedRecord,
} from '../../lib/conversation/loop-records.ts';
import { misshapen } from '../../lib/dialects/read-record.ts';
import { FORMATS, formatNamed, formatNames } from '../../lib/dialects/table.ts';
import type { Format } from '../../lib/dialects/types.ts';
import { EXIT, Failure } from '../../lib/failure/failure.ts';
import { type Rec, record } from '../../lib/json/record.ts';
import type { Json, JsonObject } from '../../lib/json/values.ts';
import type { Records } from '../../lib/jsonl/read.ts';
import { Recognition } from '../../lib/transcripts/recognition.ts';
import { headFor } from './head.ts';
import { appendLine } from './journal.ts';
import type { Narrowing } from './narrowing.ts';
import { DESCRIPTION, OPTIONS } from './options.ts';
import { withAbsolutePaths } from './paths.ts';
import { notStarted, Runner } from './run-call.ts';
import { type Entry, schedule } from './schedule.ts';
import { spoolDirectory } from './spool.ts';
import { lineOf } from './telling.ts';
import { Toolbox } from './toolbox.ts';
import { Turns } from './turns.ts';

export default defineFilter({
  name: 'ai-exec',
  summary: 'run the allowed tool calls and write their results',
  description: DESCRIPTION,
  options: OPTIONS,
  exits: {
    0: 'every call has a result, even if its tool failed',
    65: 'a line is invalid, or no record is a call or a message',
    78: 'the tools cannot be read or are not trusted',
    130: 'interrupted; every call has a result',
  },
  see: ['ai-permit', 'ai-pending'],
  examples: [
    {
      title: 'a call without permission does not run',
      command: 'ai-exec -T builtin',
      stdin: '{"type":"call","id":"a","name":"Bash","input":{"command":"make"},"dialect":"openai"}\n',
      stdout:
        '{"role":"tool","tool_call_id":"a","content":"Not run: nobody has allowed it.","_meta":{"runs":[{"id":"a","name":"Bash","decision":"deny"}]}}\n',
    },
  ],
  async *run(records, options, context) {
    const cwd = resolve(context.cwd, options.directory ?? '.');
    const directories = directoriesOf(options.tools, context);
    const narrowing = await narrowingFor(options, context);
    if (options.head !== undefined) {
      const told = new Toolbox(directories, context.cwd, (name) => narrowing?.tells(name) ?? true);
      const { model } = options;
      return yield* headFor(told, { dialect: options.head, agent: narrowing?.agent, model }, context);
    }
    const tools = new Toolbox(directories, context.cwd, (name) => narrowing?.has(name) ?? true);
    const stop = new AbortController();
    const signal = AbortSignal.any([context.signal, stop.signal]);
    const { timeout, 'max-bytes': most, 'write-ahead': journal } = options;
    const spool = spoolDirectory(context.env, context.cwd);
    const env = withAbsolutePaths(context.env, context.cwd);
    const runner = new Runner(tools, { env, cwd, timeout, most, spool, signal, narrowing });
    const turns = new Turns((call) => formatOf(call.dialect ?? options.dialect));
    const recognition = new Recognition({ program: 'ai-exec' });
    try {
      for await (const event of schedule(entries(recognition.watching(records), runner, context), {
        jobs: options.jobs,
        signal,
        patience: 1000,
        stopped: notStarted,
      })) {
        if (event.type === 'pass') yield* turns.pass(event.rec);
        else if (event.type === 'result') {
          if (options.verbose) context.show(lineOf(event.call, event.result));
          yield* turns.add(event.call, event.result);
        } else if (journal === undefined) yield record(started(event.call, context.now()));
        else appendLine(resolve(context.cwd, journal), started(event.call, context.now()));
      }
      yield* turns.end();
      if (context.signal.aborted) context.exit(EXIT.interrupted);
    } finally {
      stop.abort();
    }
    for (const failure of recognition.failures()) context.bad(failure);
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

/** undefined where nothing narrows the tools. */
async function narrowingFor(
  { agent, only }: { readonly agent?: string; readonly only: readonly string[] },
  { env, cwd }: Context,
): Promise<Narrowing | undefined> {
  const names = split(only, ',');
  if (agent === undefined && names.length === 0 && !env.AI_WITHIN && !env.AI_ONLY) return undefined;
  const { narrowingOf } = await import('./narrowing.ts');
  return narrowingOf({ agent, only: names, env, list: env.AI_AGENTS, cwd });
}

const split = (values: readonly string[], by: string): string[] =>
  values.flatMap((value) => value.split(by)).filter(Boolean);

function directoriesOf(given: readonly string[], { env }: Context): string[] {
  const directories = split(given.length > 0 ? given : [env.AI_TOOLS ?? ''], ':');
  if (directories.length > 0) return directories;
  throw new Failure(EXIT.usage, 'cannot run calls: no tools were given', {
    hint: 'use --tools DIR or AI_TOOLS; "builtin" names the built-in tools',
  });
}
