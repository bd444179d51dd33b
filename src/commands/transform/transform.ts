// What the options ask for, stage after stage.
import { adaptTo } from '../../lib/adapters/table.ts';
import type { Context } from '../../lib/cli/filter.ts';
import { describe, Losses } from '../../lib/formats/losses.ts';
import { formatNamed } from '../../lib/formats/table.ts';
import type { Rec } from '../../lib/ir/record.ts';
import { checkAll } from './check.ts';
import { convert } from './convert.ts';
import type { TransformOptions } from './options.ts';
import { type Did, repairAll } from './repair.ts';
import { Report } from './report.ts';

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
  const adaptOwn = model !== undefined;
  if (to === undefined && !adaptOwn) return records;
  return convert(records, { to, from, losses, carry, adapt: adaptTo({ model }), adaptOwn }, context);
}
