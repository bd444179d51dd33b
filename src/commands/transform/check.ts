// --check: what an API would refuse, one finding per line.
import type { Context } from '../../lib/cli/filter.ts';
import { check } from '../../lib/constraints/rules/check.ts';
import type { Finding } from '../../lib/constraints/rules/types.ts';
import type { FormatName } from '../../lib/conversation/types.ts';
import { type Conversation, conversations, firstRecord } from '../../lib/conversion/gather.ts';
import { isAboutData, misshapen } from '../../lib/dialects/read-record.ts';
import { EXIT } from '../../lib/failure/failure.ts';
import type { Rec } from '../../lib/json/record.ts';
import { sourced } from './request.ts';
import { wireFindings } from './wire.ts';

interface CheckOptions {
  /** The dialect of the records, where it is known. */
  readonly from?: FormatName;
  /** Whether the records of an input are a conversation: what an API would refuse of anything else says nothing. */
  knows(file: string | undefined): boolean;
  /** Only the exit status says it. */
  readonly quiet: boolean;
}

/** Prints `file:line: rule: what, how to mend` for each finding; exit status 1 if there is one. Writes no records. */
export function checkAll(records: Iterable<Rec>, { from, quiet, knows }: CheckOptions, context: Context): void {
  let found = false;
  for (const conversation of conversations(records, from)) {
    if (!knows(firstRecord(conversation)?.file)) continue;
    for (const { rec, finding } of guarded(conversation, context)) {
      if (!found) context.exit(EXIT.no);
      found = true;
      if (!quiet) context.print(`${line(rec, finding, conversation)}\n`);
    }
  }
}

/** Those that are found before a value is met that no rule can look at, which is told. */
function* guarded(conversation: Conversation, context: Context): ReturnType<typeof findings> {
  try {
    yield* findings(conversation);
  } catch (raised) {
    const error = misshapen(raised, firstRecord(conversation) ?? { value: undefined });
    if (!isAboutData(error)) throw error;
    context.bad(error);
  }
}

function* findings(conversation: Conversation): Generator<{ rec?: Rec; finding: Finding }> {
  const { request, inHead, items, misshapen } = sourced(conversation);
  const told = wireFindings(conversation);
  yield* told;
  const known = new Set(told.filter(({ finding }) => finding.rule === 'shape').map(({ rec }) => rec));
  for (const one of misshapen) if (!known.has(one.rec)) yield one;
  // What is missing would break other rules.
  if (misshapen.length > 0) return;
  const said = new Set(told.map(({ rec, finding }) => `${finding.rule} ${rec?.file} ${rec?.line} ${finding.message}`));
  const recs = [...items.values()].map((item) => item.rec);
  const top = conversation.head?.rec ?? conversation.rolled ?? recs[0];
  for (const finding of check(request)) {
    const at = finding.message;
    const rec = at === undefined || at < inHead ? top : recs[at - inHead];
    const message = at === undefined ? undefined : at - inHead;
    if (!said.has(`${finding.rule} ${rec?.file} ${rec?.line} ${message}`))
      yield { rec, finding: at === undefined ? finding : { ...finding, message } };
  }
}

function line(rec: Rec | undefined, { rule, what, mend, message }: Finding, { rolled }: Conversation): string {
  const place = rec?.file === undefined ? '' : `${rec.file}:${rec.line}: `;
  const within = rolled && message !== undefined ? `${message < 0 ? 'system' : `message ${message + 1}`}: ` : '';
  return `${place}${rule}: ${within}${what}, ${mend}`;
}
