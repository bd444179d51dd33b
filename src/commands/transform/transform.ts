// What the options ask for, stage after stage.

import type { Context } from '../../lib/cli/filter.ts';
import { adaptTo } from '../../lib/constraints/adapt/adapt.ts';
import type { Adaptation } from '../../lib/conversion/adaptation.ts';
import { describe, Losses } from '../../lib/conversion/losses.ts';
import { isAboutData } from '../../lib/dialects/read-record.ts';
import { formatNamed } from '../../lib/dialects/table.ts';
import { EXIT, Failure } from '../../lib/failure/failure.ts';
import type { Rec } from '../../lib/json/record.ts';
import type { Records } from '../../lib/jsonl/read.ts';
import { textNamed } from '../../lib/transcripts/text-table.ts';
import { Flow, type FlowOptions } from './flow.ts';
import { DEFAULT_BUDGET, type TransformOptions } from './options.ts';
import { Report } from './report.ts';
import { Roller, Unroller } from './roll.ts';
import type { Did } from './wire.ts';

/** What only some options need, loaded where they are given. */
interface Stages {
  readonly check?: typeof import('./check.ts');
  readonly repair?: typeof import('./repair.ts');
  readonly events?: typeof import('./event-stream.ts');
  readonly names?: typeof import('./tool-names.ts');
  readonly budget?: typeof import('./tool-budget.ts');
  readonly prompt?: typeof import('./tools-to-prompt.ts');
}

async function stagesFor(options: TransformOptions): Promise<Stages> {
  return {
    ...(options.check && { check: await import('./check.ts') }),
    ...(options.repair && { repair: await import('./repair.ts') }),
    ...(options.sse && { events: await import('./event-stream.ts') }),
    ...(options['tool-names'] !== undefined && { names: await import('./tool-names.ts') }),
    ...(options['summarize-tools'] !== undefined && { budget: await import('./tool-budget.ts') }),
    ...(options['tools-to-prompt'] !== undefined && { prompt: await import('./tools-to-prompt.ts') }),
  };
}

/** The records as the options want them. Throws a Failure (64) for options that do not go together. */
export async function transform(records: Records, options: TransformOptions, context: Context): Promise<Lists> {
  agree(options);
  return staged(records, options, context, await stagesFor(options));
}

function* staged(
  records: Records,
  options: TransformOptions,
  context: Context,
  stages: Stages,
): Generator<Rec | readonly Rec[]> {
  const report = options.report === undefined ? undefined : new Report(options.report);
  const { strict, carry, quiet } = options;
  const losses = new Losses({ strict, carried: carry, report: report && ((event) => report.loss(event)) });
  const did: Did = (rec, rule, what) => {
    report?.add(rec, { did: 'repaired', rule, why: what });
    if (!quiet) context.note(`${rec?.file === undefined ? '' : `${rec.file}:${rec.line}: `}${rule}: ${what}`);
  };
  try {
    if (stages.events)
      return yield* stages.events.asEvents(
        records,
        { to: formatNamed(options.to ?? ''), from: options.from, losses },
        context,
      );
    const flow = new Flow(flowOptions(options, stages), losses, context);
    const converted = rolled(flow.through(records), options);
    const from = formatNamed(options.to ?? options.from ?? '')?.name;
    const mended = stages.repair ? stages.repair.repairAll(each(converted), from, did, context.bad) : converted;
    if (stages.check) stages.check.checkAll(each(mended), { from, quiet, knows: (file) => flow.knows(file) }, context);
    else yield* mended;
    flow.complain();
  } finally {
    report?.close();
    if (!quiet) for (const loss of losses.all) context.note(describe(loss));
  }
}

function agree({ to, all, select, roll, unroll, check, repair, sse }: TransformOptions): void {
  const usage = (message: string) => new Failure(EXIT.usage, message);
  if (roll && unroll) throw usage('options --roll and --unroll cannot be used together');
  if (to === undefined && (all || select !== undefined))
    throw usage(`option --${all ? 'all' : 'select'} needs --to: it selects what to read from a session log`);
  if (all && select !== undefined) throw usage('options --all and --select cannot be used together');
  const isDialect = to === undefined || formatNamed(to) !== undefined;
  if ((roll || unroll) && !isDialect && !(roll && textNamed(to)?.wrap))
    throw usage(`option --${roll ? 'roll' : 'unroll'} needs JSON lines of messages, and "${to}" is a text format`);
  if ((check || repair) && !isDialect)
    throw usage(
      `option --${check ? 'check' : 'repair'} is for the dialects of APIs, not "${to}": use it in an earlier step of the pipe`,
    );
  if (sse && !isDialect) throw usage(`option --sse: ${to} has no event stream`);
}

function flowOptions(options: TransformOptions, stages: Stages): FlowOptions {
  const { from, all, select, roll, model, carry, check } = options;
  // What is said to be in the dialect, and is spelled as another's, is what the check is to find.
  const to = check && options.to === from ? undefined : options.to;
  const first = changes(options, stages);
  return {
    from,
    to,
    all,
    select,
    roll,
    carry,
    adapt: adaptTo({ model, first }),
    adaptOwn: model !== undefined || first.length > 0,
  };
}

/** What is changed whatever the dialect. */
function changes(options: TransformOptions, { names, budget: cut, prompt }: Stages): (() => Adaptation)[] {
  const table = options['tool-names'];
  const naming = table === undefined ? undefined : names?.namingFor(table);
  const budget = options['summarize-tools'];
  const most = budget === undefined ? undefined : budgetOf(budget);
  const format = options['tools-to-prompt'];
  return [
    ...(names && naming ? [() => names.withToolNames(naming)] : []),
    ...(cut === undefined || most === undefined ? [] : [() => cut.withinBudget(most)]),
    ...(prompt === undefined || format === undefined ? [] : [prompt.toolsToPrompt(format, options.model)]),
  ];
}

function budgetOf(text: string): number {
  if (text === '') return DEFAULT_BUDGET;
  const number = Number(text);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new Failure(EXIT.usage, `option --summarize-tools needs a number of characters, not "${text}"`);
}

/** With `--roll` or `--unroll`: what was gathered is written even if the input turns out to be bad. */
function rolled(records: Lists, { roll, unroll, to, from }: TransformOptions): Lists {
  const isText = to !== undefined && textNamed(to) !== undefined;
  const rolling = roll && !isText ? new Roller() : unroll ? new Unroller(from) : undefined;
  return rolling === undefined ? records : throughRoller(records, rolling);
}

function* throughRoller(records: Lists, rolling: Roller | Unroller): Generator<Rec> {
  try {
    for (const rec of each(records)) yield* rolling.push(rec);
  } catch (error) {
    if (isAboutData(error)) yield* rolling.end();
    throw error;
  }
  yield* rolling.end();
}

type Lists = Iterable<Rec | readonly Rec[]>;

function* each(lists: Lists): Generator<Rec> {
  for (const list of lists)
    if ('length' in list) yield* list;
    else yield list;
}
