// A provider's batch API with its credential, the record of a batch, and the ids of its requests.

import type { Conversation } from '../../../lib/conversion/gather.ts';
import { FORMATS } from '../../../lib/dialects/table.ts';
import type { Format } from '../../../lib/dialects/types.ts';
import { EXIT, Failure } from '../../../lib/failure/failure.ts';
import { isObject, type JsonObject } from '../../../lib/json/values.ts';
import { isAddress } from '../../../lib/models/address.ts';
import { ForeignAddress } from '../../../lib/models/routed.ts';
import { anthropicBatches } from '../../../lib/providers/batches/anthropic.ts';
import { clientOf } from '../../../lib/providers/batches/client.ts';
import { geminiBatches } from '../../../lib/providers/batches/gemini.ts';
import { mistralBatches } from '../../../lib/providers/batches/mistral.ts';
import { openaiBatches } from '../../../lib/providers/batches/openai.ts';
import type { BatchApi, Client } from '../../../lib/providers/batches/types.ts';
import { authorizeRequest, tokenClient } from '../request/authorize.ts';
import { createMask, secretsOf } from '../request/secrets.ts';
import type { Run } from '../run.ts';
import { resolveTarget, type Target } from '../select/target.ts';

/** A submitted batch: `--batch submit` writes it, `status` and `fetch` read it. */
export interface BatchRecord extends JsonObject {
  readonly type: 'batch';
  readonly id: string;
  readonly provider: string;
  readonly model: string;
  readonly requests: number;
}

export interface OpenBatch {
  readonly api: BatchApi;
  readonly client: Client;
  readonly target: Target;
}

/** Throws a Failure (69) for a provider without a batch API that is supported. */
export function batchApiOf({ format, provider, model }: Target): BatchApi {
  if (format.name === 'anthropic') return anthropicBatches;
  if (format.name === 'openai') return openaiBatches('/v1/chat/completions');
  if (format.name === 'gemini' && provider.name === 'google') return geminiBatches(model);
  if (format.name === 'mistral') return mistralBatches(model);
  if (format.name === 'openai-responses') return openaiBatches('/v1/responses');
  throw new Failure(
    EXIT.unavailable,
    `cannot use the batch API of ${provider.name}: batches are supported for OpenAI, Anthropic, Gemini and Mistral`,
  );
}

export async function openBatch(
  { provider, model }: Pick<BatchRecord, 'provider' | 'model'>,
  run: Run,
): Promise<OpenBatch> {
  const name = `${provider}/${model}`;
  if (isAddress(name)) throw new ForeignAddress(name);
  const target = resolveTarget({ name }, { format: FORMATS[0] as Format, decided: false }, run);
  return { target, api: batchApiOf(target), client: await openClient(target, run) };
}

export async function openClient(target: Target, run: Run): Promise<Client> {
  const { options, context, patience, random, now, env, note } = run;
  const headers = {
    ...target.provider.headers,
    ...target.endpoint.headers?.({}, { model: target.model, streamed: false }),
  };
  const sent = await authorizeRequest({ url: target.base, headers }, '', target, now, tokenClient(context));
  return clientOf({
    provider: target.provider.name,
    base: target.base,
    headers: sent,
    mask: createMask(secretsOf(target, sent)),
    policy: {
      retries: options.retries,
      maxWait: options['max-wait'],
      random,
      signal: context.signal,
      onWait: (failed, seconds) => note(`${failed.message}; retrying in ${seconds.toFixed(1)} s`),
    },
    patience,
    proxies: env,
    now,
  });
}

/** The ids that all vendors accept. */
const VALID_ID = /^[a-zA-Z0-9_-]{1,64}$/;

/** A line's own id if it is valid and unique, else `line-N` by its position. The same lines get the same ids. */
export function requestIds(lines: readonly Conversation[]): string[] {
  const own = lines.map(({ rolled }) => {
    const value = isObject(rolled?.value) ? rolled.value : {};
    const id = value.custom_id ?? value.id;
    return typeof id === 'string' || typeof id === 'number' ? String(id) : '';
  });
  const counts = new Map<string, number>();
  for (const id of own) counts.set(id, (counts.get(id) ?? 0) + 1);
  return own.map((id, at) =>
    VALID_ID.test(id) && counts.get(id) === 1 && !/^line-\d+$/.test(id) ? id : `line-${at + 1}`,
  );
}
