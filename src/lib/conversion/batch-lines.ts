// Lines of batches: a request, or its result, in the envelope of its vendor.
// https://platform.openai.com/docs/guides/batch, https://platform.claude.com/docs/en/build-with-claude/batch-processing, https://ai.google.dev/gemini-api/docs/batch-api

import type { FormatName } from '../conversation/types.ts';
import { type Identity, identify, identifyAs } from '../dialects/detect.ts';
import { type Rec, record } from '../json/record.ts';
import { isObject, type JsonObject } from '../json/values.ts';

type Vendor = 'openai' | 'anthropic' | 'google';

export interface Envelope {
  readonly vendor: Vendor;
  readonly id: unknown;
  readonly kind: 'request' | 'result';
  /** The dialects that the body can be in; undefined: the envelope does not say. None: it is nothing of a conversation. */
  readonly dialects?: readonly FormatName[];
  /** The body of the request, or the reply; undefined for a result that is an error. */
  readonly body?: JsonObject;
  readonly error?: { readonly code: string; readonly message: string };
  /** The same envelope around another body. */
  readonly around: (body: JsonObject) => JsonObject;
}

/** The envelope of a line; undefined for a line that is none. Looks at two fields of lines that are not. */
export function openEnvelope(value: JsonObject): Envelope | undefined {
  if (value.custom_id !== undefined) return openCustom(value);
  return value.key === undefined ? undefined : openKeyed(value);
}

/** What the body is: in the dialect that the envelope says, or in `from`, or by what came before; undefined for nothing to convert. */
export function identityIn(
  { body, dialects }: Envelope,
  from?: FormatName,
  current?: FormatName,
): Identity | undefined {
  if (dialects?.length === 0) return undefined;
  const said = dialects ? dialects[0] : from;
  const identity = said === undefined ? identify(body, current) : identifyAs(body, said);
  return identity?.kind === 'message' ? undefined : identity;
}

function openCustom(line: JsonObject): Envelope | undefined {
  const { custom_id: id, body, params, response, result, error } = line;
  if (isObject(params)) {
    const around = (inner: JsonObject) => ({ ...line, params: inner });
    return { vendor: 'anthropic', id, kind: 'request', dialects: ['anthropic'], body: params, around };
  }
  if (isObject(body)) {
    const around = (inner: JsonObject) => ({ ...line, body: inner });
    return { vendor: 'openai', id, kind: 'request', dialects: dialectsAt(line.url), body, around };
  }
  if (isObject(result)) return openAnthropic(line, id, result);
  return isObject(response) || isObject(error) ? openOpenAI(line, id, response, error) : undefined;
}

function openAnthropic(line: JsonObject, id: unknown, result: JsonObject): Envelope {
  const { message, error, type } = result;
  const around = (inner: JsonObject) => ({ ...line, result: { ...result, message: inner } });
  if (isObject(message)) return { vendor: 'anthropic', id, kind: 'result', body: message, around };
  return { vendor: 'anthropic', id, kind: 'result', error: errorIn(error, String(type ?? 'errored')), around };
}

/** An answer with a bad status is an error, whatever it holds. */
function openOpenAI(line: JsonObject, id: unknown, response: unknown, error: unknown): Envelope {
  const { body, status_code } = isObject(response) ? response : ({} as JsonObject);
  const around = (inner: JsonObject) => ({ ...line, response: { ...(response as JsonObject), body: inner } });
  const good = isObject(body) && (typeof status_code !== 'number' || status_code < 400) && !isObject(error);
  if (good) return { vendor: 'openai', id, kind: 'result', body, around };
  return {
    vendor: 'openai',
    id,
    kind: 'result',
    error: errorIn(error ?? body, String(status_code ?? 'error')),
    around,
  };
}

function openKeyed(line: JsonObject): Envelope | undefined {
  const { key: id, request, response, error } = line;
  if (isObject(request)) {
    const around = (inner: JsonObject) => ({ ...line, request: inner });
    return { vendor: 'google', id, kind: 'request', dialects: ['gemini'], body: request, around };
  }
  const around = (inner: JsonObject) => ({ ...line, response: inner });
  if (isObject(response)) return { vendor: 'google', id, kind: 'result', body: response, around };
  return isObject(error) ? { vendor: 'google', id, kind: 'result', error: errorIn(error, 'error'), around } : undefined;
}

/** Embeddings and others travel so too. */
function dialectsAt(url: unknown): readonly FormatName[] | undefined {
  if (typeof url !== 'string') return undefined;
  return Object.keys(SENT).filter((name) => SENT[name]?.url === url);
}

/** Each API puts its code and its words one level deeper than the other, or not. */
function errorIn(value: unknown, code: string): { code: string; message: string } {
  if (!isObject(value)) return { code, message: code };
  if (isObject(value.error)) return errorIn(value.error, code);
  const name = value.code ?? value.status ?? value.type;
  return { code: String(name ?? code), message: String(value.message ?? code) };
}

/** Whose envelopes the requests of a dialect travel in, and where to; undefined: it has none of its own. */
const SENT: { readonly [format: FormatName]: { readonly vendor: Vendor; readonly url?: string } | undefined } = {
  openai: { vendor: 'openai', url: '/v1/chat/completions' },
  'openai-responses': { vendor: 'openai', url: '/v1/responses' },
  anthropic: { vendor: 'anthropic' },
  gemini: { vendor: 'google' },
};

/** The line with `body` in the place of its own, in the envelope that `to` takes; in its own one where `to` has none. */
function seal(envelope: Envelope, body: JsonObject, to: FormatName): JsonObject {
  const target = SENT[to];
  const { id, kind } = envelope;
  if (target === undefined) return envelope.around(body);
  if (target.vendor === 'google') return { key: id as string, [kind === 'request' ? 'request' : 'response']: body };
  if (target.vendor === 'anthropic')
    return kind === 'request'
      ? { custom_id: id as string, params: body }
      : { custom_id: id as string, result: { type: 'succeeded', message: body } };
  if (kind === 'request') return { custom_id: id as string, method: 'POST', url: target.url, body };
  const response = { status_code: 200, request_id: '', body };
  return { id: `batch_req_${id}`, custom_id: id as string, response, error: null };
}

/** An error in the envelope of `to`; undefined: it stays as it is. */
function sealError({ id, vendor, error }: Envelope, to: FormatName): JsonObject | undefined {
  const target = SENT[to]?.vendor;
  if (target === undefined || target === vendor || error === undefined) return undefined;
  const { code, message } = error;
  if (target === 'google') return { key: id as string, error: { code: 500, message, status: code } };
  if (target === 'openai')
    return { id: `batch_req_${id}`, custom_id: id as string, response: null, error: { code, message } };
  const inner = { type: 'error', error: { type: code, message } };
  return { custom_id: id as string, result: { type: 'errored', error: inner } };
}

/** Whether a line is already what `to` takes, if its body is. */
const fits = ({ vendor }: Envelope, to: FormatName): boolean => {
  const target = SENT[to]?.vendor;
  return target === undefined || target === vendor;
};

/** The line with another body, in the envelope that its dialect `to` is sent in; the line itself where that changes nothing. */
export function resealed(rec: Rec, envelope: Envelope, body: JsonObject, to: FormatName): Rec {
  return body === envelope.body && fits(envelope, to) ? rec : record(seal(envelope, body, to), rec);
}

/** The line of a request that failed, as the vendor of `to` would have written it. */
export function resealedError(rec: Rec, envelope: Envelope, to: FormatName | undefined): Rec {
  const sealed = to === undefined ? undefined : sealError(envelope, to);
  return sealed ? record(sealed, rec) : rec;
}
