// What the options ask for, stage after stage.
import { adaptTo } from '../../lib/adapters/table.ts';
import type { Context } from '../../lib/cli/filter.ts';
import type { Adaptation } from '../../lib/formats/adapt.ts';
import { describe, Losses } from '../../lib/formats/losses.ts';
import { formatNamed } from '../../lib/formats/table.ts';
import { EXIT, Failure } from '../../lib/ir/failure.ts';
import type { Rec } from '../../lib/ir/record.ts';
import { checkAll } from './check.ts';
import { convert } from './convert.ts';
import type { TransformOptions } from './options.ts';
import { type Did, repairAll } from './repair.ts';
import { Report } from './report.ts';
import { DEFAULT_BUDGET, withinBudget } from './tool-budget.ts';
import { namingFor, withToolNames } from './tool-names.ts';

/** The records as the options want them. */
export function* transform(records: Iterable<Rec>, options: TransformOptions, context: Context): Generator<Rec> {
  const report = options.report === undefined ? undefined : new Report(options.report);
  const { strict, carry, quiet } = options;
  const losses = new Losses({ strict, carried: carry, report: report && ((event) => report.loss(event)) });
  const did: Did = (rec, rule, what) => {
    report?.add(rec, { did: 'repaired', rule, why: what });
    if (!quiet) context.note(`${rec?.file === undefined ? '' : `${rec.file}:${rec.line}: `}${rule}: ${what}`);
  };
  try {
    const converted = inDialect(records, options, losses, context);
    const from = options.to ?? options.from;
    const mended = options.repair ? repairAll(converted, from, did) : converted;
    if (options.check) checkAll(mended, { from, quiet }, context);
    else yield* mended;
  } finally {
    report?.close();
    if (!quiet) for (const loss of losses.all) context.note(describe(loss));
  }
}

function inDialect(records: Iterable<Rec>, options: TransformOptions, losses: Losses, context: Context): Iterable<Rec> {
  const { from, model, carry } = options;
  const to = options.to === undefined ? undefined : formatNamed(options.to);
  const first = changes(options);
  const adaptOwn = model !== undefined || first.length > 0;
  if (to === undefined && !adaptOwn) return records;
  return convert(records, { to, from, losses, carry, adapt: adaptTo({ model, first }), adaptOwn }, context);
}

/** What is changed whatever the dialect. */
function changes(options: TransformOptions): (() => Adaptation)[] {
  const table = options['tool-names'];
  const naming = table === undefined ? undefined : namingFor(table);
  const budget = options['summarize-tools'];
  const most = budget === undefined ? undefined : budgetOf(budget);
  return [...(naming ? [() => withToolNames(naming)] : []), ...(most === undefined ? [] : [() => withinBudget(most)])];
}

function budgetOf(text: string): number {
  if (text === '') return DEFAULT_BUDGET;
  const number = Number(text);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new Failure(EXIT.usage, `option --summarize-tools needs a number of characters, not "${text}"`);
}
