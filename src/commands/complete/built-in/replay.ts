// -m replay:FILE: answers from recorded exchanges.
import type { Conversation } from '../../../lib/conversion/gather.ts';
import { Losses } from '../../../lib/conversion/losses.ts';
import { formatNamed } from '../../../lib/dialects/table.ts';
import { EXIT, Failure } from '../../../lib/failure/failure.ts';
import { priceAt } from '../../../lib/models/cost.ts';
import type { Provider } from '../../../lib/models/types.ts';
import { readRecordedReply } from '../../../lib/providers/exchange.ts';
import { Cassette, type RecordedExchange } from '../receive/cassette.ts';
import { costOfReply, emitDeltas, type OnDelta, type Reply, writeReplyMeta } from '../receive/reply.ts';
import { buildApiRequest } from '../request/build.ts';
import type { Run } from '../run.ts';
import type { Target } from '../select/target.ts';

/** Throws a Failure (69) where no exchange was recorded for this conversation. */
export function replay(conversation: Conversation, path: string, run: Run, onDelta: OnDelta | undefined): Reply {
  const cassette = run.cassettes.get(path) ?? new Cassette(path);
  run.cassettes.set(path, cassette);
  const requestOf = (recorded: RecordedExchange) => {
    const streamed = recorded.streamed ?? recorded.request.stream === true;
    return buildApiRequest(conversation, targetOf(recorded, path, run), run, streamed, new Losses());
  };
  const exchange = cassette.match((recorded) => requestOf(recorded).body);
  const { provider, response } = exchange;
  const target = targetOf(exchange, path, run);
  const recorded = readRecordedReply(response, provider, target.format, target.endpoint, onDelta);
  const reply = requestOf(exchange).restoreNames(recorded);
  if (!response.streamed) emitDeltas(reply, onDelta);
  return { message: writeReplyMeta(reply, target, costOfReply(reply, target, run.now())), format: target.format };
}

/** The target of the recorded request, as far as its body depends on it. */
function targetOf(
  { provider: name, api: apiName, model, request }: RecordedExchange,
  path: string,
  { settings: { catalogue } }: Run,
): Target {
  const format = formatNamed(apiName);
  if (format?.endpoint === undefined) throw new Failure(EXIT.badInput, `unknown API "${apiName}"`, { place: path });
  const id = model ?? String(request.model);
  const unknown: Provider = { name, kind: 'local', api: apiName, url: NOWHERE, apis: {}, keys: [] };
  const provider = catalogue.provider(name) ?? unknown;
  const facts = catalogue.model(id, name);
  return {
    provider,
    model: id,
    facts,
    price: priceAt({ provider, model: id, facts }),
    format,
    endpoint: format.endpoint,
    base: NOWHERE,
    name: `${name}/${id}`,
    credential: () => undefined,
  };
}

const NOWHERE = 'http://replay.invalid';
