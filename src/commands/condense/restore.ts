// `--restore`: what was read before it was condensed.

import { isStandIn } from '../../lib/conversation/hidden.ts';
import { type Conversation, conversations, type Item } from '../../lib/conversion/gather.ts';
import { EXIT, Failure } from '../../lib/failure/failure.ts';
import { type Rec, record } from '../../lib/json/record.ts';
import { isObject, type JsonObject } from '../../lib/json/values.ts';
import { backupPath, readBackup } from './backup.ts';
import { parsed, show, spelledLine } from './hidden.ts';
import { bytesOf, damaged, type Run, readLedger } from './ledger.ts';

interface Sources {
  readonly ledger: string | undefined;
  readonly backup: string | undefined;
}

/** The records of the original. Throws a Failure (1) where nothing is known of what was taken out, (74) where a file cannot be read. */
export function* restore(records: Iterable<Rec>, { ledger, backup }: Sources): Generator<Rec> {
  if (backup !== undefined) yield { value: undefined, source: original(backup, backupNamedIn(records)) };
  else if (ledger !== undefined) yield* fromLedger([...records], readLedger(ledger));
  else for (const conversation of conversations(records)) yield* shown(conversation);
}

/** What was condensed more than once names its backups one by one: the first is the original. */
function original(folder: string, named: string | undefined): Uint8Array {
  const seen = new Set<string>();
  let bytes = readBackup(folder, named);
  for (let next = backupNamedIn(linesOf(bytes)); next !== undefined && !seen.has(next); ) {
    if (backupPath(folder, next) === undefined) break;
    seen.add(next);
    bytes = readBackup(folder, next);
    next = backupNamedIn(linesOf(bytes));
  }
  return bytes;
}

function* linesOf(bytes: Uint8Array): Generator<Rec> {
  for (const line of Buffer.from(bytes).toString().split('\n')) {
    const value = line.includes('"backup"') ? parsed(line) : undefined;
    if (value !== undefined) yield { value };
  }
}

function backupNamedIn(records: Iterable<Rec>): string | undefined {
  let hash: string | undefined;
  for (const { value } of records) hash = namedIn(value) ?? hash;
  return hash;
}

function namedIn(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  const condensed = isObject(value._meta) ? value._meta.condensed : undefined;
  if (isObject(condensed) && typeof condensed.backup === 'string') return condensed.backup;
  for (const inner of Object.values(value))
    if (Array.isArray(inner)) {
      const found = inner.map(namedIn).find((hash) => hash !== undefined);
      if (found) return found;
    }
  return undefined;
}

/** Runs are undone from the last to the first; one that did not make what stands there is another conversation's. */
function fromLedger(records: readonly Rec[], runs: readonly Run[]): readonly Rec[] {
  let now = records;
  let undone = 0;
  for (const run of runs.toReversed()) {
    if (hashOf(now.slice(0, run.output.records)) !== run.output.sha256) continue;
    now = undo(now, run);
    undone += 1;
  }
  if (undone > 0) return now;
  throw new Failure(EXIT.no, 'cannot restore: the ledger has no run that wrote this conversation', {
    hint: 'the input must begin with the unchanged output of ai-condense',
  });
}

function hashOf(records: readonly Rec[]): string {
  const hash = process.getBuiltinModule('node:crypto').createHash('sha256');
  for (const rec of records) hash.update(bytesOf(rec));
  return hash.digest('hex');
}

/** What was read, if that is what comes out. Throws a Failure (74): the entries were changed, or some are missing. */
function undo(records: readonly Rec[], { lost, output, input, place }: Run): Rec[] {
  const stayed = records.slice(0, output.records).filter((_, at) => !output.made.has(at));
  let next = 0;
  const before: Rec[] = [];
  for (let at = 0; at < input.records; at++) {
    const source = lost.get(at);
    const rec = source ? { value: undefined, source } : stayed[next++];
    if (rec) before.push(rec);
  }
  const isWhole = before.length === input.records;
  if (input.sha256 !== undefined && !(isWhole && hashOf(before) === input.sha256)) throw damaged(place);
  return [...before, ...records.slice(output.records)];
}

/** A conversation without marks. What stood for hidden messages goes. */
function* shown({ rolled, head, items, format }: Conversation): Generator<Rec> {
  if (rolled !== undefined) {
    yield unrolled(rolled, items, format.messagesKey);
    return;
  }
  const all: Item[] = head ? [head, ...items] : [...items];
  for (const { rec } of all) if (!isStandIn(rec.value)) yield show(rec);
}

function unrolled(rolled: Rec, items: readonly Item[], key: string): Rec {
  const line = spelledLine(rolled);
  if (line) return line;
  if (items.every(({ rec }) => !isStandIn(rec.value) && show(rec) === rec)) return rolled;
  const messages = items.filter(({ rec }) => !isStandIn(rec.value)).map(({ rec }) => show(rec).value ?? null);
  return record({ ...(rolled.value as JsonObject), [key]: messages }, rolled);
}
