// ai-condense: a conversation that fits its budget, and is still valid.
import { type Context, defineFilter, type Output } from '../../lib/cli/filter.ts';
import { type Conversation, conversations, firstRecord } from '../../lib/conversion/gather.ts';
import { isAboutData, misshapen } from '../../lib/dialects/read-record.ts';
import { EXIT, Failure } from '../../lib/failure/failure.ts';
import { type Rec, record } from '../../lib/json/record.ts';
import type { Records } from '../../lib/jsonl/read.ts';
import { Recognition } from '../../lib/transcripts/recognition.ts';
import { Archive } from './archive.ts';
import { DESCRIPTION, EXAMPLES } from './manual.ts';
import { asksSmallModel, type Given, type Job, jobFrom, OPTIONS } from './options.ts';
import type { Outcome } from './outcome.ts';
import { restore } from './restore.ts';
import type { Windows } from './settings.ts';
import { needsWindow } from './size-options.ts';
import type * as Working from './working.ts';

export default defineFilter({
  name: 'ai-condense',
  summary: 'make a conversation fit a token budget, still valid',
  description: DESCRIPTION,
  options: OPTIONS,
  exits: {
    1: 'what must be kept exceeds the budget, or --restore finds no copy of the original',
    2: 'a hook blocked it',
    65: 'a line is invalid, or an input is not a conversation (it is passed through unchanged)',
    74: 'a ledger, backup or prompt file cannot be read or written',
    78: 'the context window of the model is unknown',
  },
  see: ['ai-route', 'ai-complete', 'ai-transform'],
  examples: EXAMPLES,
  run(records, options, context) {
    if (options.restore) return restore(records, options);
    if (asksSmallModel(options)) return configured(records, options, context);
    const job = jobFrom(options, context);
    return options.hooks === undefined
      ? plainly(records, job, options, context)
      : hooked(records, job, options, context);
  },
});

/** With the summaries of the model that the configuration names for small work. */
async function configured(records: Records, options: Given, context: Context): Promise<Output> {
  const { loadSettings } = await import('../../lib/models/settings.ts');
  const { config, notes } = await loadSettings({ env: context.env, cwd: context.cwd });
  for (const text of notes) context.note(text);
  const { small_model: small } = config;
  const job = jobFrom(options, context, small);
  return options.hooks === undefined ? plainly(records, job, options, context) : hooked(records, job, options, context);
}

/** What works on conversations is loaded when there is one. */
async function plainly(records: Records, job: Job, options: Given, context: Context): Promise<Iterable<Rec>> {
  const iterator = records[Symbol.iterator]();
  const first = iterator.next();
  if (first.done) return [];
  const working = await loadWorking(job, context);
  return condensed(resumed(first.value, iterator), job, options, context, working);
}

type Loaded = typeof Working & { readonly windows: Windows };

/** The configuration is read where a window is asked for. */
async function loadWorking({ sizes }: Job, context: Context): Promise<Loaded> {
  const working = await import('./working.ts');
  const of = needsWindow(sizes) ? await working.loadWindows(context) : working.listedWindow;
  let told = false;
  const assume = (): void => {
    if (!told) context.note(working.ASSUMED);
    told = true;
  };
  return { ...working, windows: { of, assume } };
}

function* resumed(first: Rec, others: Iterator<Rec>): Generator<Rec> {
  yield first;
  for (let next = others.next(); !next.done; next = others.next()) yield next.value;
}

function* condensed(
  records: Iterable<Rec>,
  job: Job,
  options: Given,
  context: Context,
  working: Loaded,
): Generator<Rec> {
  const archive = new Archive(options, context.now);
  const recognition = new Recognition({ program: 'ai-condense' });
  for (const conversation of conversations(recognition.all(archive.read(records)))) {
    const known = recognition.knows(firstRecord(conversation)?.file);
    yield* archive.write(conversation, known ? guarded(conversation, job, context, working) : undefined);
  }
  archive.end();
  for (const failure of recognition.failures()) context.bad(failure);
}

/** The same between hooks: what they block stays as it is. */
async function* hooked(records: Records, job: Job, options: Given, context: Context): AsyncGenerator<Rec> {
  const { CompactHooks } = await import('./hooks.ts');
  const hooks = await CompactHooks.load(options.hooks ?? '', options.backup, context);
  const archive = new Archive({ ...options, backup: hooks.folder }, context.now);
  const input = archive.read(records);
  const working = await loadWorking(job, context);
  const recognition = new Recognition({ program: 'ai-condense' });
  for (const conversation of conversations(recognition.all(input))) {
    const known = recognition.knows(firstRecord(conversation)?.file);
    // A summary costs something, and is not asked for before the hooks agree.
    const wanted = known ? guarded(conversation, { ...job, asking: undefined }, context, working) : undefined;
    const before = wanted === undefined ? undefined : await hooks.before(input);
    const allowed = before !== undefined && !before.blocked;
    const asking = job.asking && { ...job.asking, ...(before?.advice !== undefined && { advice: before.advice }) };
    const outcome =
      allowed && asking !== undefined ? guarded(conversation, { ...job, asking }, context, working) : wanted;
    yield* archive.write(conversation, allowed ? outcome : undefined);
    if (allowed && outcome !== undefined) await hooks.after(outcome.digests);
  }
  archive.end();
  for (const failure of recognition.failures()) context.bad(failure);
}

/** A conversation that cannot be read ends the program, or is passed on as it came. */
function guarded(conversation: Conversation, job: Job, context: Context, working: Loaded): Outcome | undefined {
  const { condense, explain, boundsOf, asking, Summariser, windows } = working;
  try {
    const policy = { ...job.policy, summariser: job.asking && new Summariser(asking(job.asking, conversation)) };
    const task = {
      ...job,
      policy,
      bounds: boundsOf(conversation, job.sizes, windows),
      note: context.note,
      now: context.now,
    };
    if (job.explain) context.show(explain(conversation, task));
    return condense(conversation, task);
  } catch (error) {
    const failure = misshapen(error, firstRecord(conversation) ?? record(null));
    if (!isAboutData(failure) && !isFloor(failure)) throw failure;
    context.bad(failure);
    return undefined;
  }
}

/** With --keep-going a conversation that cannot fit is passed on as it came, and told. */
const isFloor = (error: unknown): error is Failure => error instanceof Failure && error.status === EXIT.no;
