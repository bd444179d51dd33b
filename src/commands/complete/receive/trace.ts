// --trace: one line per HTTP exchange, in the words of OpenTelemetry.
// https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/, https://opentelemetry.io/docs/specs/semconv/http/http-spans/

import type { Message } from '../../../lib/conversation/types.ts';
import type { JsonObject } from '../../../lib/json/values.ts';
import { AttemptFailed } from '../../../lib/providers/errors.ts';
import type { ApiRequest } from '../request/build.ts';
import type { Target } from '../select/target.ts';
import { appendLine } from './append-line.ts';

interface Span {
  answered(status: number, headers: Readonly<Record<string, string>>): void;
  end(reply: Message): void;
  fail(error: unknown): void;
}

/** What OpenTelemetry calls providers, where it calls them otherwise. */
const NAMES: { readonly [provider: string]: string } = {
  'amazon-bedrock': 'aws.bedrock',
  azure: 'azure.ai.openai',
  google: 'gcp.gemini',
  'google-vertex': 'gcp.vertex_ai',
  mistral: 'mistral_ai',
  xai: 'x_ai',
};

export class Trace {
  readonly #path: string;
  readonly #now: () => number;
  readonly #id: (bytes: number) => string;
  readonly #traceId: string;

  constructor(path: string, now: () => number, id: (bytes: number) => string) {
    this.#path = path;
    this.#now = now;
    this.#id = id;
    this.#traceId = id(16);
  }

  /** Begins a line; it is written when the exchange has ended. It holds neither headers nor words of the conversation. */
  begin(target: Target, { url, body }: ApiRequest, nth: number): Span {
    const begun = this.#now();
    let first: number | undefined;
    const found: JsonObject = {};
    const write = (more: JsonObject, error?: string) => {
      const line = {
        name: `chat ${target.model}`,
        kind: 'CLIENT',
        trace_id: this.#traceId,
        span_id: this.#id(8),
        start_time_unix_nano: nano(begun),
        end_time_unix_nano: nano(this.#now()),
        status: error === undefined ? { code: 'OK' } : { code: 'ERROR', message: error },
        attributes: {
          ...attributesOf(target, url, body),
          ...(nth > 0 && { 'http.request.resend_count': nth }),
          ...found,
          ...(first !== undefined && { 'ai.time_to_answer_ms': first - begun }),
          ...more,
        },
      };
      appendLine(this.#path, line, 'the trace');
    };
    return {
      answered: (status, headers) => {
        first = this.#now();
        found['http.response.status_code'] = status;
        const id = headers['x-request-id'] ?? headers['request-id'];
        if (id !== undefined) found['http.response.header.x-request-id'] = [id];
      },
      end: (reply) => write(answerOf(reply)),
      fail: (error) => {
        const kind = error instanceof AttemptFailed ? error.kind : error instanceof Error ? error.name : 'unknown';
        write({ 'error.type': kind }, error instanceof AttemptFailed ? error.message : kind);
      },
    };
  }
}

const nano = (milliseconds: number): string => `${Math.round(milliseconds)}000000`;

function attributesOf({ provider, model }: Target, url: string, body: JsonObject): JsonObject {
  const target = new URL(url);
  const said: JsonObject = {
    'gen_ai.request.max_tokens': body.max_tokens ?? body.max_completion_tokens ?? body.max_output_tokens,
    'gen_ai.request.temperature': body.temperature,
    'gen_ai.request.top_p': body.top_p,
    'gen_ai.request.seed': body.seed,
  };
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': NAMES[provider.name] ?? provider.name,
    'gen_ai.request.model': model,
    'http.request.method': 'POST',
    'url.full': `${target.origin}${target.pathname}`,
    'server.address': target.hostname,
    'server.port': Number(target.port || (target.protocol === 'https:' ? 443 : 80)),
    ...Object.fromEntries(Object.entries(said).filter(([, value]) => typeof value === 'number')),
  };
}

function answerOf({ id, by, stop, usage }: Message): JsonObject {
  const told: JsonObject = {
    'gen_ai.response.id': id,
    'gen_ai.response.model': by?.model,
    'gen_ai.response.finish_reasons': stop && [stop.raw ?? stop.reason],
    'gen_ai.usage.input_tokens': usage && (usage.input ?? 0) + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0),
    'gen_ai.usage.output_tokens': usage?.output,
  };
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined));
}
