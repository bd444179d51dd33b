// OpenAI's batches: a file of requests in, a file of replies and a file of errors out. https://platform.openai.com/docs/guides/batch
import { isObject, type JsonObject } from '../../json/values.ts';
import type { BatchApi, BatchRequest, BatchResult, BatchStatus } from './types.ts';

const MEGABYTE = 1024 * 1024;
const ENDED = new Set(['completed', 'failed', 'expired', 'cancelled']);

/** `endpoint` is the path of the API's requests, with its version. */
const lineOf = ({ id, body }: BatchRequest, endpoint: string): string =>
  `${JSON.stringify({ custom_id: id, method: 'POST', url: endpoint, body })}\n`;

export function openaiBatches(endpoint: string): BatchApi {
  return {
    most: { requests: 50_000, bytes: 200 * MEGABYTE },
    sizeOf: (request) => Buffer.byteLength(lineOf(request, endpoint)),
    async submit(client, requests) {
      const text = requests.map((request) => lineOf(request, endpoint)).join('');
      const file = await client.upload('/files', { purpose: 'batch' }, { name: 'batch.jsonl', text });
      const batch = await client.json('POST', '/batches', {
        input_file_id: file.id,
        endpoint,
        completion_window: '24h',
      });
      return String(batch.id);
    },
    status: async (client, id) => statusOf(await client.json('GET', `/batches/${encodeURIComponent(id)}`)),
    async *results(client, id) {
      const batch = await client.json('GET', `/batches/${encodeURIComponent(id)}`);
      for (const file of [batch.output_file_id, batch.error_file_id])
        if (typeof file === 'string')
          for await (const line of client.lines(`/files/${encodeURIComponent(file)}/content`)) yield resultOf(line);
    },
  };
}

function statusOf({ status, request_counts: counts }: JsonObject): BatchStatus {
  const { total = 0, completed = 0, failed = 0 } = isObject(counts) ? counts : {};
  const state = String(status);
  return { state, ended: ENDED.has(state), done: Number(completed), failed: Number(failed), total: Number(total) };
}

/** One line of replies or errors; Mistral's are the same. */
export function resultOf({ custom_id, response, error }: JsonObject): BatchResult {
  const id = String(custom_id);
  const body = isObject(response) && isObject(response.body) ? response.body : undefined;
  const good = isObject(response) && Number(response.status_code) >= 200 && Number(response.status_code) < 300;
  if (good && body) return { id, reply: body };
  return { id, error: isObject(error) ? { error } : (body ?? { error: { message: 'no reply' } }) };
}
