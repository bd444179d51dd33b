// --batch submit: hands the lines in, one batch for each model, more where one holds no more.
import type { Conversation } from '../../../lib/conversion/gather.ts';
import { describe, Losses } from '../../../lib/conversion/losses.ts';
import { EXIT, Failure } from '../../../lib/failure/failure.ts';
import { type Rec, record } from '../../../lib/json/record.ts';
import type { BatchApi, BatchRequest } from '../../../lib/providers/batches/types.ts';
import { asked } from '../default-model.ts';
import { namesOf } from '../named.ts';
import { prepared } from '../prepare.ts';
import { requestFor } from '../request.ts';
import type { Ready } from '../run.ts';
import { type Target, targetOf } from '../target.ts';
import { idsOf } from './ids.ts';
import { batchApiOf, clientFor } from './open.ts';

interface Group {
  readonly target: Target;
  readonly requests: BatchRequest[];
}

export async function* submitted(lines: readonly Conversation[], ready: Ready): AsyncGenerator<Rec> {
  if (lines.length === 0) throw new Failure(EXIT.badInput, 'cannot submit a batch: the input has no conversations');
  for (const { target, requests } of (await groups(lines, ready)).values()) {
    const api = batchApiOf(target);
    const client = await clientFor(target, ready);
    for (const some of portions(requests, api)) {
      const id = await api.submit(client, some);
      const { provider, model } = target;
      yield record({ type: 'batch', id, provider: provider.name, model, requests: some.length });
    }
  }
}

async function groups(lines: readonly Conversation[], { session, preparation }: Ready): Promise<Map<string, Group>> {
  const { settings, context, options, flags } = session;
  const found = new Map<string, Group>();
  const losses = new Losses();
  const ids = idsOf(lines);
  for (const [at, before] of lines.entries()) {
    const conversation = prepared(before, preparation);
    const named = await asked(namesOf(conversation, session).first, session);
    const target = targetOf(named, conversation, { settings, context, baseUrl: options.baseUrl });
    const key = `${target.name} ${target.format.name}`;
    const group = found.get(key) ?? { target, requests: [] };
    found.set(key, group);
    const { body } = requestFor(
      conversation,
      target,
      { streamed: false, cachePrompt: options.cachePrompt, flags },
      losses,
    );
    group.requests.push({ id: ids[at] ?? '', body });
  }
  for (const loss of losses.real) session.note(describe(loss));
  return found;
}

/** As many as one batch may hold, by number and by size. */
function* portions(requests: readonly BatchRequest[], { most, sizeOf }: BatchApi): Generator<BatchRequest[]> {
  let some: BatchRequest[] = [];
  let bytes = 0;
  for (const request of requests) {
    const size = sizeOf(request);
    if (some.length > 0 && (some.length >= most.requests || bytes + size > most.bytes)) {
      yield some;
      some = [];
      bytes = 0;
    }
    some.push(request);
    bytes += size;
  }
  if (some.length > 0) yield some;
}
