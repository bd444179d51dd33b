// Anthropic's Message Batches. https://platform.claude.com/docs/en/build-with-claude/batch-processing
import { isObject, type JsonObject } from '../../json/values.ts';
import type { BatchApi, BatchRequest, BatchResult, BatchStatus } from './types.ts';

const MEGABYTE = 1024 * 1024;

const entryOf = ({ id, body }: BatchRequest) => ({ custom_id: id, params: body });

export const anthropicBatches: BatchApi = {
  // The whole body may have 256 MB.
  most: { requests: 100_000, bytes: 255 * MEGABYTE },
  sizeOf: (request) => Buffer.byteLength(JSON.stringify(entryOf(request))) + 1,
  async submit(client, requests) {
    const batch = await client.json('POST', '/messages/batches', { requests: requests.map(entryOf) });
    return String(batch.id);
  },
  status: async (client, id) => statusOf(await client.json('GET', `/messages/batches/${encodeURIComponent(id)}`)),
  /** The address that the batch names for them is not followed: a key goes to the provider's host and no other. */
  async *results(client, id) {
    for await (const line of client.lines(`/messages/batches/${encodeURIComponent(id)}/results`)) yield resultOf(line);
  },
};

function statusOf({ processing_status: state, request_counts: counts }: JsonObject): BatchStatus {
  const count = (name: string) => Number((isObject(counts) && counts[name]) || 0);
  const failed = count('errored') + count('canceled') + count('expired');
  const done = count('succeeded');
  return {
    state: String(state),
    ended: state === 'ended',
    done,
    failed,
    total: done + failed + count('processing'),
  };
}

function resultOf({ custom_id, result }: JsonObject): BatchResult {
  const id = String(custom_id);
  const { type, message, error } = isObject(result) ? result : {};
  if (type === 'succeeded' && isObject(message)) return { id, reply: message };
  const told = isObject(error) ? error : { error: { type: String(type), message: `the request was ${type}` } };
  return { id, error: told };
}
