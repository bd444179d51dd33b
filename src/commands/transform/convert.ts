// The conversion as a stage of the pipe: bad records, and what is said at the end.
import type { Context } from '../../lib/cli/filter.ts';
import { Converter, type ConvertOptions } from '../../lib/formats/convert.ts';
import { isAboutData } from '../../lib/formats/read.ts';
import type { Rec } from '../../lib/ir/record.ts';

/** The records in their new dialect. One that cannot be converted ends the program, or is passed on as it came. */
export function* convert(records: Iterable<Rec>, options: ConvertOptions, context: Context): Generator<Rec> {
  const converter = new Converter(options);
  for (const rec of records) {
    let out: Rec[];
    try {
      out = converter.push(rec);
    } catch (error) {
      yield* failed(converter, error, context);
      out = [rec];
    }
    for (const one of out) yield one;
  }
  try {
    yield* converter.end();
  } catch (error) {
    yield* failed(converter, error, context);
  }
}

/** What stood before the bad record is written first. */
function* failed(converter: Converter, error: unknown, context: Context): Generator<Rec> {
  yield* converter.drain();
  if (!isAboutData(error)) throw error;
  context.bad(error);
}
