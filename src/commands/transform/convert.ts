// The conversion as a stage of the pipe: bad records, and what is said at the end.
import type { Context } from '../../lib/cli/filter.ts';
import { Converter, type ConvertOptions } from '../../lib/formats/convert.ts';
import { isAboutData } from '../../lib/formats/read.ts';
import type { Rec } from '../../lib/ir/record.ts';

/** The records in their new dialect. One that cannot be converted ends the program, or is passed on as it came. */
export function* convert(records: Iterable<Rec>, options: ConvertOptions, context: Context): Generator<Rec> {
  const converter = new Converter(options);
  for (const rec of records) yield* guarded(converter, () => converter.push(rec), context, rec);
  yield* guarded(converter, () => converter.end(), context);
}

function* guarded(converter: Converter, act: () => Rec[], context: Context, rec?: Rec): Generator<Rec> {
  let out: Rec[];
  try {
    out = act();
  } catch (error) {
    yield* converter.drain();
    if (!isAboutData(error)) throw error;
    context.bad(error);
    out = rec ? [rec] : [];
  }
  yield* out;
}
