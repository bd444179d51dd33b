// A provider's batch API, with the credential for it.

import { FORMATS } from '../../../lib/dialects/table.ts';
import { EXIT, Failure } from '../../../lib/failure/failure.ts';
import { isAddress } from '../../../lib/models/address.ts';
import { ForeignAddress } from '../../../lib/models/routed.ts';
import { anthropicBatches } from '../../../lib/providers/batches/anthropic.ts';
import { clientOf } from '../../../lib/providers/batches/client.ts';
import { geminiBatches } from '../../../lib/providers/batches/gemini.ts';
import { mistralBatches } from '../../../lib/providers/batches/mistral.ts';
import { openaiBatches } from '../../../lib/providers/batches/openai.ts';
import type { BatchApi, Client } from '../../../lib/providers/batches/types.ts';
import { authorised } from '../request.ts';
import type { Ready } from '../run.ts';
import { masker, secretsOf } from '../secrets.ts';
import { type Target, targetOf } from '../target.ts';
import type { BatchRecord } from './batch.ts';

export interface OpenBatch {
  readonly api: BatchApi;
  readonly client: Client;
  readonly target: Target;
}

/** Throws a Failure (69) for a provider without one. */
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
  { session }: Ready,
): Promise<OpenBatch> {
  const { settings, context, options } = session;
  const nowhere = { format: FORMATS[0], decided: false, items: [] } as unknown as Parameters<typeof targetOf>[1];
  const name = `${provider}/${model}`;
  if (isAddress(name)) throw new ForeignAddress(name);
  const target = targetOf({ name }, nowhere, { settings, context, baseUrl: options.baseUrl });
  return { target, api: batchApiOf(target), client: await clientFor(target, { session }) };
}

export async function clientFor(target: Target, { session }: Pick<Ready, 'session'>): Promise<Client> {
  const { options, context, patience, random, now, env, note } = session;
  const headers = { ...target.provider.headers, ...target.api.headers?.({}, { model: target.model, streamed: false }) };
  const sent = await authorised({ url: target.base, body: {}, headers }, '', target, session);
  return clientOf({
    provider: target.provider.name,
    base: target.base,
    headers: sent,
    mask: masker(secretsOf(target, sent)),
    policy: {
      retries: options.retries,
      maxWait: options.maxWait,
      random,
      signal: context.signal,
      onWait: (failed, seconds) => note(`${failed.message}; retrying in ${seconds.toFixed(1)} s`),
    },
    patience,
    proxies: env,
    now,
  });
}
