// Mistral's batch jobs: a file of requests in, files of replies and errors out. https://docs.mistral.ai/capabilities/batch
import type { JsonObject } from '../../json/values.ts';
import { resultOf } from './openai.ts';
import type { BatchApi, BatchRequest, BatchStatus } from './types.ts';

const MEGABYTE = 1024 * 1024;
const ENDED = new Set(['SUCCESS', 'FAILED', 'TIMEOUT_EXCEEDED', 'CANCELLED']);

/** The model is the job's. */
const lineOf = ({ id, body: { model: _, ...body } }: BatchRequest): string =>
  `${JSON.stringify({ custom_id: id, body })}\n`;

export function mistralBatches(model: string): BatchApi {
  const job = (id: string) => `/batch/jobs/${encodeURIComponent(id)}`;
  return {
    most: { requests: 1_000_000, bytes: 500 * MEGABYTE },
    sizeOf: (request) => Buffer.byteLength(lineOf(request)),
    async submit(client, requests) {
      const text = requests.map(lineOf).join('');
      const file = await client.upload('/files', { purpose: 'batch' }, { name: 'batch.jsonl', text });
      const wanted = { input_files: [String(file.id)], endpoint: '/v1/chat/completions', model, timeout_hours: 24 };
      return String((await client.json('POST', '/batch/jobs', wanted)).id);
    },
    status: async (client, id) => statusOf(await client.json('GET', job(id))),
    async *results(client, id) {
      const { output_file, error_file } = await client.json('GET', job(id));
      for (const file of [output_file, error_file])
        if (typeof file === 'string')
          for await (const line of client.lines(`/files/${encodeURIComponent(file)}/content`)) yield resultOf(line);
    },
  };
}

function statusOf(job: JsonObject): BatchStatus {
  const state = String(job.status);
  const [done, failed, total] = [job.succeeded_requests, job.failed_requests, job.total_requests].map(Number);
  return { state, ended: ENDED.has(state), done: done || 0, failed: failed || 0, total: total || 0 };
}
