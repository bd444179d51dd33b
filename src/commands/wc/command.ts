// ai-wc: counts what is in conversations, and says when a limit is reached.
import { type Context, defineFilter } from '../../lib/cli/filter.ts';
import { type Conversation, firstRecord, Gatherer } from '../../lib/formats/conversation.ts';
import { isAboutData } from '../../lib/formats/read.ts';
import { FORMATS } from '../../lib/formats/table.ts';
import type { Format } from '../../lib/formats/types.ts';
import { EXIT } from '../../lib/ir/failure.ts';
import { type Rec, record } from '../../lib/ir/record.ts';
import type { Records } from '../../lib/jsonl/read.ts';
import { type CountOptions, countOf, countRecord } from './count.ts';
import { DESCRIPTION, OPTIONS } from './help.ts';
import { needsTokens, reached, readLimits } from './limits.ts';
import { block, type Counted, status, table } from './show.ts';
import { tally } from './tally.ts';

export default defineFilter({
  name: 'ai-wc',
  summary: 'count turns, calls, tokens and dollars; say when a limit is reached',
  description: DESCRIPTION,
  options: OPTIONS,
  toleratesTornTail: true,
  exits: { 0: 'no limit is reached', 1: 'a limit is reached', 78: 'a limit cannot be told' },
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
    for (const counted of counts(records, how, context)) {
      const over = options.max.length > 0 ? reached(counted.count, limits) : [];
      if (over.length > 0) context.exit(EXIT.no);
      if (!options.quiet) for (const each of over) context.note(each);
      if (options.json && !options.quiet) yield record(placed(counted));
      else all.push(counted);
    }
    if (options.quiet || options.json) return;
    const text = options.status ? all.map(status).join('\n') : all.length === 1 ? all.map(block).join('') : table(all);
    if (all.length > 0) context.print(`${text}\n`);
  },
});

function* counts(
  records: Records,
  options: CountOptions,
  context: Context,
): Generator<Counted & { place: Rec | undefined }> {
  let any = false;
  for (const conversation of byFile(records)) {
    any = true;
    const place = firstRecord(conversation);
    const name = place?.file === undefined || place.file === '-' ? `line ${place?.line ?? 1}` : place.file;
    const found = guarded(conversation, context);
    if (found) yield { name, place, count: countOf(found, options) };
  }
  // An empty conversation is one of nothing: a limit is not reached, and a status line stands.
  if (!any) yield { name: '-', place: undefined, count: countOf(tally(EMPTY), options) };
}

/** The end of a file ends its conversation. */
function* byFile(records: Records): Generator<Conversation> {
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

function guarded(conversation: Conversation, context: Context) {
  try {
    return tally(conversation);
  } catch (error) {
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
