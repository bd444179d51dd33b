// A server that is an address: each message is a POST, and the answer JSON or a stream of events.
import { isObject, type Json, type JsonObject } from '../json/values.ts';
import { type Answer, ConnectionError, readAll, send } from '../providers/http.ts';
import { events } from '../streams/sse-parser.ts';
import { answerTo, isAnswer, type Transport, TransportError } from './messages.ts';
import type { HttpServer } from './servers.ts';

export class HttpTransport implements Transport {
  readonly #server: HttpServer;
  readonly #signal: AbortSignal;
  /** Given by servers of the revisions with a handshake. */
  #session: string | undefined;

  constructor(server: HttpServer, signal: AbortSignal) {
    this.#server = server;
    this.#signal = signal;
  }

  async request(message: JsonObject, headers: Readonly<Record<string, string>>): Promise<JsonObject> {
    const answer = await this.#post(message, headers);
    const session = answer.headers['mcp-session-id'];
    if (message.method === 'initialize' && session !== undefined) this.#session = session;
    const type = answer.headers['content-type'] ?? '';
    if (type.startsWith('text/event-stream') && answer.status < 300)
      return this.#fromEvents(answer, Number(message.id), headers);
    const text = await readAll(answer.body);
    const found = answersIn(text).find((each) => isAnswer(each, Number(message.id)) || isRefusal(each));
    if (isObject(found)) return found;
    throw new TransportError(reasonOf(answer.status, text), answer.status);
  }

  async notify(message: JsonObject, headers: Readonly<Record<string, string>>): Promise<void> {
    const answer = await this.#post(message, headers);
    await readAll(answer.body);
  }

  /** Ends the session, if there is one. Whether the server minds does not matter. */
  async close(): Promise<void> {
    if (this.#session === undefined || this.#signal.aborted) return;
    try {
      const answer = await send({ ...this.#call('', {}), method: 'DELETE' });
      await readAll(answer.body);
    } catch {
      // It has gone already.
    }
  }

  async #post(message: JsonObject, headers: Readonly<Record<string, string>>): Promise<Answer> {
    try {
      return await send(this.#call(JSON.stringify(message), headers));
    } catch (error) {
      if (error instanceof ConnectionError) throw new TransportError(error.message);
      throw error;
    }
  }

  #call(body: string, headers: Readonly<Record<string, string>>) {
    return {
      url: this.#server.url,
      headers: {
        accept: 'application/json, text/event-stream',
        ...headers,
        ...(this.#session !== undefined && { 'mcp-session-id': this.#session }),
        ...this.#server.headers,
      },
      body,
      signal: this.#signal,
    };
  }

  async #fromEvents({ body }: Answer, id: number, headers: Readonly<Record<string, string>>): Promise<JsonObject> {
    try {
      for await (const { data } of events(body)) {
        const message = parsed(data);
        if (message === undefined) continue;
        if (isAnswer(message, id)) return message;
        if (isObject(message) && message.method !== undefined && message.id !== undefined)
          await this.notify(answerTo(message), headers);
      }
    } catch (error) {
      if (error instanceof ConnectionError) throw new TransportError(error.message);
      throw error;
    }
    throw new TransportError('its answer ended before the result');
  }
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function answersIn(text: string): readonly Json[] {
  const value = parsed(text);
  return value === undefined ? [] : Array.isArray(value) ? value : [value];
}

/** An error without the id of the request: the server did not get so far as to read it. */
const isRefusal = (message: Json): boolean =>
  isObject(message) && isObject(message.error) && (message.id ?? null) === null;

function reasonOf(status: number, text: string): string {
  if (status === 401 || status === 403)
    return `it requires authentication (status ${status}): set "headers" in the server's entry`;
  if (status >= 200 && status < 300) return 'its answer is not in this protocol';
  const said = text.trim().split('\n')[0]?.slice(0, 200) ?? '';
  return `it answered with status ${status}${said && !said.startsWith('<') ? `: ${said}` : ''}`;
}
