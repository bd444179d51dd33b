// ai-wc: counts what is in conversations, and says when a limit is reached.
import { type Context, defineFilter } from '../../lib/cli/filter.ts';
import { type Conversation, firstRecord, Gatherer } from '../../lib/conversion/gather.ts';
import { isAboutData, misshapen } from '../../lib/dialects/read-record.ts';
import { FORMATS } from '../../lib/dialects/table.ts';
import type { Format } from '../../lib/dialects/types.ts';
import { EXIT } from '../../lib/failure/failure.ts';
import { type Rec, record } from '../../lib/json/record.ts';
import type { Records } from '../../lib/jsonl/read.ts';
import { Recognition } from '../../lib/transcripts/recognition.ts';
import { type Count, type CountOptions, countOf, countRecord } from './count.ts';
import { needsTokens, reached, readLimits } from './limits.ts';
import { DESCRIPTION, OPTIONS } from './options.ts';
import { block, type Counted, status, table } from './show.ts';
import { tally } from './tally.ts';

export default defineFilter({
  name: 'ai-wc',
  summary: 'count turns, calls, tokens and dollars; check limits',
  description: DESCRIPTION,
  options: OPTIONS,
  toleratesTornTail: true,
  exits: {
    0: 'no limit is reached',
    1: 'a limit is reached',
    65: 'a line is invalid, or an input is not a conversation',
    78: 'it is unknown whether a limit is reached',
  },
  see: ['ai-condense', 'ai-agent'],
  examples: [
    {
      title: 'a line for a status bar',
      command: 'ai-wc --status',
      stdin:
        '{"model":"claude-sonnet-4-5"}\n{"role":"user","content":"hi"}\n{"role":"assistant","content":"ho","_meta":{"usage":{"input_tokens":5200,"output_tokens":20},"cost":{"usd":0.03}}}\n',
      stdout: 'claude-sonnet-4-5 · 1 turn · 5k/200k 2.6% · $0.03\n',
    },
  ],
  async *run(records, options, context) {
    const limits = readLimits(options.max);
    const all: Counted[] = [];
    const measured = !options.quiet || needsTokens(limits);
    // A loop that only counts its turns need not read the vocabularies.
    const measure = measured ? (await import('./sizes.ts')).sizesOf : undefined;
    const { model, window } = options;
    const how = { model, window, now: context.now(), measure };
    const recognition = new Recognition({ program: 'ai-wc' });
    for (const counted of counts(records, recognition, how, context)) {
      const over = options.max.length > 0 ? reached(counted.count, limits) : [];
      if (over.length > 0) context.exit(EXIT.no);
      if (!options.quiet) for (const each of over) context.note(each);
      if (options.json && !options.quiet) yield record(placed(counted));
      else all.push(counted);
    }
    if (all.length > 0 && !options.quiet && !options.json) context.print(`${shown(all, options.status)}\n`);
    for (const failure of recognition.failures()) context.bad(failure);
  },
});

function shown(all: readonly Counted[], short: boolean): string {
  if (short) return all.map(status).join('\n');
  return all.length === 1 ? all.map(block).join('') : table(all);
}

function* counts(
  records: Records,
  recognition: Recognition,
  options: CountOptions,
  context: Context,
): Generator<Counted & { place: Rec | undefined }> {
  for (const conversation of byFile(recognition.all(records))) {
    const place = firstRecord(conversation);
    // Zeros would be wrong: in the end it is said that nothing was recognised.
    if (!recognition.knows(place?.file)) continue;
    const name = place?.file === undefined || place.file === '-' ? `line ${place?.line ?? 1}` : place.file;
    const count = guarded(conversation, options, context);
    if (count) yield { name, place, count };
  }
  // An empty conversation is one of nothing: a limit is not reached, and a status line stands.
  if (!recognition.any) yield { name: '-', place: undefined, count: countOf(tally(EMPTY), options) };
}

/** The end of a file ends its conversation. */
function* byFile(records: Iterable<Rec>): Generator<Conversation> {
  const gatherer = new Gatherer();
  let last: Rec | undefined;
  for (const rec of records) {
    if (rec.file !== last?.file || (rec.line ?? 0) <= (last?.line ?? 0)) yield* gatherer.end();
    last = rec;
    yield* gatherer.push(rec);
  }
  yield* gatherer.end();
}

const EMPTY: Conversation = { format: FORMATS[0] as Format, items: [], decided: false };

function guarded(conversation: Conversation, options: CountOptions, context: Context): Count | undefined {
  try {
    return countOf(tally(conversation), options);
  } catch (raised) {
    const error = misshapen(raised, firstRecord(conversation) ?? { value: undefined });
    if (!isAboutData(error)) throw error;
    context.bad(error);
    return undefined;
  }
}

function placed({ count, place }: Counted & { place: Rec | undefined }) {
  const { type, ...rest } = countRecord(count);
  const file = place?.file === undefined || place.file === '-' ? {} : { file: place.file };
  return { type, ...file, ...(place?.line !== undefined && { line: place.line }), ...rest };
}
