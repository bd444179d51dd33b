// PreToolUse: calls in, calls out, with what the hooks have decided.
import type { Context } from '../../lib/cli/filter.ts';
import { type CallRecord, digestOf, isCall, readCall } from '../../lib/conversation/loop-records.ts';
import { misshapen } from '../../lib/dialects/read-record.ts';
import { formatNamed } from '../../lib/dialects/table.ts';
import { EXIT, Failure } from '../../lib/failure/failure.ts';
import type { Outcome } from '../../lib/hooks/outcome.ts';
import type { HookRunner } from '../../lib/hooks/runner.ts';
import { type Rec, record } from '../../lib/json/record.ts';
import type { Json } from '../../lib/json/values.ts';
import type { Records } from '../../lib/jsonl/read.ts';
import type { Session } from './session.ts';
import { stopRecord, tell } from './tell.ts';

/** The calls, each as soon as its hooks are done; then what the hooks have to say, which may not stand between calls and results. */
export async function* preToolUse(
  records: Records,
  runner: HookRunner,
  session: Session,
  context: Context,
): AsyncGenerator<Rec> {
  const later: Rec[] = [];
  let stop: string | undefined;
  for await (const rec of records) {
    const call = callIn(rec, context);
    if (call === undefined || call.result !== undefined) {
      if (call !== undefined || !isCall(rec.value)) yield rec;
      continue;
    }
    if (stop !== undefined) {
      yield denied(call, `a hook stopped the run: ${stop}`, 'hook:PreToolUse', rec);
      continue;
    }
    const outcome = await runner.run('PreToolUse', fieldsOf(call), call);
    tell(outcome, context);
    stop = outcome.stop;
    if (outcome.permission === 'defer') context.exit(EXIT.notPermitted);
    yield* decided(call, outcome, rec);
    const format = formatNamed(call.dialect ?? '') ?? session.format;
    later.push(...outcome.context.flatMap((text) => session.note(text, 'PreToolUse', format)));
  }
  yield* later;
  if (stop === undefined) return;
  context.note(stop);
  context.exit(EXIT.blocked);
  yield stopRecord('PreToolUse', stop);
}

/** The call of a record. One that cannot be read ends the program, or is left out. */
function callIn(rec: Rec, context: Context): CallRecord | undefined {
  if (!isCall(rec.value)) return undefined;
  try {
    return readCall(rec.value);
  } catch (error) {
    const failure = misshapen(error, rec);
    if (!(failure instanceof Failure)) throw failure;
    context.bad(failure);
    return undefined;
  }
}

const fieldsOf = ({ name, input, text, id }: CallRecord) => ({
  tool_name: name,
  tool_input: input ?? (text === undefined ? {} : { input: text }),
  tool_use_id: id,
});

function* decided(call: CallRecord, outcome: Outcome, rec: Rec): Generator<Rec> {
  const { permission, updatedInput, stop } = outcome;
  const by = `hook:PreToolUse (${outcome.by})`;
  if (stop !== undefined) return yield denied(call, `a hook stopped the run: ${stop}`, 'hook:PreToolUse', rec);
  if (permission === 'defer') return;
  if (permission === 'deny') return yield denied(call, outcome.reason ?? 'a hook denied it', by, rec);
  if (permission === undefined && updatedInput === undefined) return yield rec;
  // A hook can only make stricter what an earlier stage has said.
  if (call.decision === 'deny') return yield rec;
  const changed = updatedInput === undefined ? call : withInput(call, updatedInput);
  if (updatedInput !== undefined)
    yield record({ type: 'hook', event: 'PreToolUse', id: call.id, name: call.name, input: updatedInput });
  if (permission === 'ask') yield written({ ...changed, ...because(outcome), decision: 'ask', by }, rec);
  else if (permission === 'allow' && changed.decision !== 'ask')
    yield written({ ...changed, ...because(outcome), decision: 'allow', by, digest: digestOf(changed) }, rec);
  else yield written(changed, rec);
}

const because = ({ reason }: Outcome) => (reason === undefined ? {} : { reason });

const written = (call: CallRecord, from: Rec): Rec => record(call as unknown as Json, from);

/** What an earlier stage has allowed was another call. */
function withInput({ text: _text, custom: _custom, digest: _digest, ...call }: CallRecord, input: Json): CallRecord {
  if (call.decision !== 'allow') return { ...call, input };
  const { decision: _decision, reason: _reason, by: _by, ...undecided } = call;
  return { ...undecided, input };
}

const denied = (call: CallRecord, reason: string, by: string, from: Rec): Rec =>
  written({ ...call, decision: 'deny', reason, by }, from);
