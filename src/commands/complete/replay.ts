// -m replay:FILE: answers from recorded exchanges.
import type { Conversation } from '../../lib/conversion/gather.ts';
import { Losses } from '../../lib/conversion/losses.ts';
import { formatNamed } from '../../lib/dialects/table.ts';
import { EXIT, Failure } from '../../lib/failure/failure.ts';
import { priceAt } from '../../lib/models/cost.ts';
import type { Provider } from '../../lib/models/types.ts';
import { apiNamed } from '../../lib/providers/table.ts';
import type { Reply } from './answer.ts';
import type { Ask } from './ask.ts';
import { Cassette, type TapedExchange } from './cassette.ts';
import { deltasOf } from './deltas.ts';
import { made, priceOf } from './made.ts';
import { readRecorded } from './recorded.ts';
import { requestFor } from './request.ts';
import type { Session } from './session.ts';
import type { Target } from './target.ts';

/** Throws a Failure (69) where no exchange was recorded for this conversation. */
export function replay(conversation: Conversation, path: string, session: Session, onDelta: Ask['onDelta']): Reply {
  const cassette = session.tapes.get(path) ?? new Cassette(path);
  session.tapes.set(path, cassette);
  const { flags, options } = session;
  const requestOf = (taped: TapedExchange) => {
    const streamed = taped.streamed ?? taped.request.stream === true;
    return requestFor(
      conversation,
      targetAt(taped, path, session),
      { streamed, cachePrompt: options.cachePrompt, flags },
      new Losses(),
    );
  };
  const exchange = cassette.match((taped) => requestOf(taped).body);
  const { provider, response } = exchange;
  const target = targetAt(exchange, path, session);
  const reply = requestOf(exchange).homeward(readRecorded(response, provider, target.format, target.api, onDelta));
  if (!response.streamed && onDelta) for (const delta of deltasOf(reply)) onDelta(delta);
  return { message: made(reply, target, priceOf(reply, target, session.now())), format: target.format };
}

/** Where the recorded request went, as far as its body depends on it. */
function targetAt(
  { provider: name, api: apiName, model, request }: TapedExchange,
  path: string,
  session: Session,
): Target {
  const [format, api] = [formatNamed(apiName), apiNamed(apiName)];
  if (format === undefined || api === undefined)
    throw new Failure(EXIT.badInput, `unknown API "${apiName}"`, { place: path });
  const { catalogue } = session.settings;
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
    api,
    base: NOWHERE,
    name: `${name}/${id}`,
    credential: () => undefined,
  };
}

const NOWHERE = 'http://replay.invalid';
