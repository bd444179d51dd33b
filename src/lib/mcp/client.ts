// One conversation with a server, whichever generation of the protocol it speaks.
import { EXIT, Failure } from '../failure/failure.ts';
import { isObject, type Json, type JsonObject } from '../json/values.ts';
import {
  headersOf,
  initialize,
  parameterHeaders,
  type Request,
  RpcError,
  resultOf,
  STATELESS,
  stateless,
  type Transport,
  TransportError,
  WITH_HANDSHAKE,
} from './messages.ts';

type Generation = 'handshake' | 'stateless';

interface ClientOptions {
  /** The revision to speak; found out without one. */
  readonly revision?: string;
  /** What to try first. Either goes on to the other if the server does not know it. */
  readonly first: Generation;
  /** The server's name, for messages. */
  readonly name: string;
}

/** Pages of a list, at most. */
const MOST_PAGES = 1000;

export class Client {
  readonly #transport: Transport;
  readonly #options: ClientOptions;
  #generation: Generation | undefined;
  /** The revision that was agreed on. */
  #revision: string | undefined;
  /** What the handshake said. */
  #about: JsonObject | undefined;
  #id = 0;

  constructor(transport: Transport, options: ClientOptions) {
    this.#transport = transport;
    this.#options = options;
  }

  /** The result of a request. Throws RpcError for what the server refuses, and a Failure (69) if there is none to talk to. */
  async request(method: string, params: JsonObject = {}): Promise<JsonObject> {
    const request = { method, params };
    try {
      if (this.#generation !== undefined) return await this.#as(this.#generation, request);
      return await this.#negotiate(request);
    } catch (error) {
      if (error instanceof TransportError)
        throw new Failure(EXIT.unavailable, `cannot talk to the server "${this.#options.name}": ${error.message}`);
      throw error;
    }
  }

  /** Everything in a list that comes in pages, from the field of that name. */
  async list(method: string, field: string): Promise<JsonObject[]> {
    const all: JsonObject[] = [];
    const seen = new Set<Json>();
    let cursor: Json | undefined;
    for (let page = 0; page < MOST_PAGES; page++) {
      const result = await this.request(method, cursor === undefined ? {} : { cursor });
      const items = result[field];
      all.push(...(Array.isArray(items) ? items.filter(isObject) : []));
      cursor = result.nextCursor;
      if (cursor === undefined || cursor === null || cursor === '' || seen.has(cursor)) break;
      seen.add(cursor);
    }
    return all;
  }

  /** Calls a tool. Headers that its schema asks for are added once the server misses them. */
  async call(name: string, args: JsonObject): Promise<JsonObject> {
    const params = { name, arguments: args };
    try {
      return await this.request('tools/call', params);
    } catch (error) {
      if (!(error instanceof RpcError) || error.code !== HEADER_MISMATCH) throw error;
      const tool = (await this.list('tools/list', 'tools')).find((each) => each.name === name);
      return this.#stateless({ method: 'tools/call', params }, parameterHeaders(tool?.inputSchema, args));
    }
  }

  /** What the server says of itself: its revision, name, capabilities. */
  async about(): Promise<JsonObject> {
    const { revision, first } = this.#options;
    if (revision === STATELESS || (revision === undefined && first === 'stateless')) {
      try {
        return await this.request('server/discover');
      } catch (error) {
        if (!(error instanceof RpcError) || revision !== undefined) throw error;
      }
    }
    await this.request('ping');
    return this.#about ?? (await this.request('server/discover'));
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  async #negotiate(request: Request): Promise<JsonObject> {
    const { revision, first } = this.#options;
    if (revision !== undefined) {
      this.#generation = revision === STATELESS ? 'stateless' : 'handshake';
      if (this.#generation === 'handshake') await this.#shakeHands(revision);
      return this.#as(this.#generation, request);
    }
    const order: readonly Generation[] =
      first === 'stateless' ? ['stateless', 'handshake'] : ['handshake', 'stateless'];
    let refused: unknown;
    for (const generation of order) {
      try {
        if (generation === 'handshake') await this.#shakeHands(WITH_HANDSHAKE[0] ?? '');
        const result = await this.#as(generation, request);
        this.#generation = generation;
        return result;
      } catch (error) {
        if (this.#generation !== undefined || !isOtherGeneration(error, generation)) throw error;
        refused ??= error;
      }
    }
    throw refused;
  }

  #as(generation: Generation, request: Request): Promise<JsonObject> {
    return generation === 'stateless' ? this.#stateless(request) : this.#send(request, this.#versionHeader());
  }

  #versionHeader(): Record<string, string> {
    return this.#revision === undefined ? {} : { 'mcp-protocol-version': this.#revision };
  }

  async #stateless(request: Request, more: Readonly<Record<string, string>> = {}): Promise<JsonObject> {
    const whole = stateless(request);
    const result = await this.#send(whole, { ...headersOf(whole), ...more });
    if (result.resultType !== 'input_required') return result;
    throw new Failure(EXIT.notPermitted, 'the server asks for input from a person, which ai-mcp cannot provide');
  }

  async #shakeHands(version: string): Promise<void> {
    const about = await this.#send(initialize(version), {});
    const { protocolVersion } = about;
    this.#about = about;
    this.#generation = 'handshake';
    if (typeof protocolVersion === 'string') this.#revision = protocolVersion;
    await this.#transport.notify({ jsonrpc: '2.0', method: 'notifications/initialized' }, this.#versionHeader());
  }

  async #send({ method, params }: Request, headers: Readonly<Record<string, string>>): Promise<JsonObject> {
    const id = ++this.#id;
    return resultOf(await this.#transport.request({ jsonrpc: '2.0', id, method, params }, headers));
  }
}

const HEADER_MISMATCH = -32020;

/**
 * Whether an error says that the server is of the other generation, and has done nothing. A server of the older revisions refuses a request without a
 * handshake as invalid, by a code of its own, or by an HTTP status; a newer one does not know `initialize`.
 */
function isOtherGeneration(error: unknown, tried: Generation): boolean {
  if (error instanceof TransportError)
    return tried === 'stateless' && error.status !== undefined && OLDER_STATUSES.has(error.status);
  if (!(error instanceof RpcError)) return false;
  if (tried === 'handshake') return NEWER_CODES.has(error.code);
  return OLDER_CODES.has(error.code);
}

const OLDER_STATUSES = new Set([400, 404, 405, 406, 415, 422]);
const NEWER_CODES = new Set([-32601, -32600, -32602, -32022, -32004, -32020, -32000]);
const OLDER_CODES = new Set([-32000, -32001, -32600, -32601, -32022, -32004]);
