// What the options ask for, stage after stage.
import { adaptTo } from '../../lib/adapters/table.ts';
import type { Context } from '../../lib/cli/filter.ts';
import { describe, Losses } from '../../lib/formats/losses.ts';
import { formatNamed } from '../../lib/formats/table.ts';
import type { Rec } from '../../lib/ir/record.ts';
import { convert } from './convert.ts';
import type { TransformOptions } from './options.ts';
import { Report } from './report.ts';

/** The records as the options want them. */
export function* transform(records: Iterable<Rec>, options: TransformOptions, context: Context): Generator<Rec> {
  const to = options.to === undefined ? undefined : formatNamed(options.to);
  const adapt = adaptTo({ model: options.model });
  const adaptOwn = options.model !== undefined;
  if (to === undefined && !adaptOwn) {
    yield* records;
    return;
  }
  const report = options.report === undefined ? undefined : new Report(options.report);
  const { strict, carry } = options;
  const losses = new Losses({ strict, carried: carry, report: report && ((event) => report.loss(event)) });
  try {
    yield* convert(records, { to, from: options.from, losses, carry, adapt, adaptOwn }, context);
  } finally {
    report?.close();
    if (!options.quiet) for (const loss of losses.all) context.note(describe(loss));
  }
}
