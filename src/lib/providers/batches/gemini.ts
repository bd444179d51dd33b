// Gemini's batches, with their requests inside. https://ai.google.dev/api/batch-api
import { isObject, type Json, type JsonObject } from '../../json/values.ts';
import type { BatchApi, BatchRequest, BatchResult, BatchStatus } from './types.ts';

const MEGABYTE = 1024 * 1024;
const ENDED = /_(SUCCEEDED|FAILED|CANCELLED|EXPIRED)$/;

const entryOf = ({ id, body }: BatchRequest) => ({ request: body, metadata: { key: id } });

export function geminiBatches(model: string): BatchApi {
  const name = encodeURIComponent(model.replace(/^models\//, ''));
  return {
    // The whole body may have 20 MB; nothing bounds the number.
    most: { requests: 100_000, bytes: 19 * MEGABYTE },
    sizeOf: (request) => Buffer.byteLength(JSON.stringify(entryOf(request))) + 1,
    async submit(client, requests) {
      const input = { requests: { requests: requests.map(entryOf) } };
      const batch = { display_name: 'ai-complete', input_config: input };
      const operation = await client.json('POST', `/models/${name}:batchGenerateContent`, { batch });
      return String(operation.name).replace(/^batches\//, '');
    },
    status: async (client, id) => statusOf(await client.json('GET', `/batches/${encodeURIComponent(id)}`)),
    async *results(client, id) {
      const { response, metadata } = await client.json('GET', `/batches/${encodeURIComponent(id)}`);
      const output = isObject(response) ? response : isObject(metadata) ? metadata.output : undefined;
      for (const one of repliesIn(output)) if (isObject(one)) yield resultOf(one);
    },
  };
}

/** They stand in a list in an object of the same name. */
function repliesIn(output: Json | undefined): readonly Json[] {
  const outer = isObject(output) ? output.inlinedResponses : undefined;
  const inner = isObject(outer) ? outer.inlinedResponses : outer;
  return Array.isArray(inner) ? inner : [];
}

/** Counts are texts, as 64-bit numbers are in Google's JSON. */
function statusOf({ metadata, done }: JsonObject): BatchStatus {
  const { state, batchStats } = isObject(metadata) ? metadata : {};
  const count = (name: string) => Number((isObject(batchStats) && batchStats[name]) || 0);
  return {
    state: String(state ?? (done ? 'done' : 'pending')),
    ended: done === true || ENDED.test(String(state)),
    done: count('successfulRequestCount'),
    failed: count('failedRequestCount'),
    total: count('requestCount'),
  };
}

function resultOf({ metadata, response, error }: JsonObject): BatchResult {
  const id = String(isObject(metadata) ? metadata.key : undefined);
  if (isObject(response)) return { id, reply: response };
  return { id, error: { error: isObject(error) ? error : { message: 'no reply' } } };
}
