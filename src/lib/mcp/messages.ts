// The messages of the protocol: JSON-RPC 2.0, and what two generations of it put around a request.
// https://modelcontextprotocol.io/specification/2025-11-25 and https://modelcontextprotocol.io/specification/2026-07-28
import { isObject, type Json, type JsonObject } from '../json/values.ts';

/** Revisions with a handshake, the newest first; and the one without. */
export const WITH_HANDSHAKE: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
export const STATELESS = '2026-07-28';

export interface Request {
  readonly method: string;
  readonly params: JsonObject;
}

/** An error that the server answered with. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: Json | undefined;

  constructor(error: JsonObject) {
    super(typeof error.message === 'string' ? error.message : 'the server gave no reason');
    this.code = typeof error.code === 'number' ? error.code : 0;
    this.data = error.data;
  }
}

/** The server did not answer, or not in this protocol. */
export class TransportError extends Error {
  /** The status of an HTTP answer that holds no message. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

/** A way to a server. */
export interface Transport {
  /** Sends a request and waits for the answer with its id. `headers` go along where the transport has some. */
  request(message: JsonObject, headers: Readonly<Record<string, string>>): Promise<JsonObject>;
  notify(message: JsonObject, headers: Readonly<Record<string, string>>): Promise<void>;
  /** Nothing is left of it afterwards. */
  close(): Promise<void>;
}

export const isAnswer = (message: Json, id: number): message is JsonObject =>
  isObject(message) && message.id === id && message.method === undefined;

/** The result of an answer. Throws RpcError. */
export function resultOf(answer: JsonObject): JsonObject {
  if (isObject(answer.error)) throw new RpcError(answer.error);
  return isObject(answer.result) ? answer.result : {};
}

/** What is answered to a request of the server's: we can do nothing but be there. */
export function answerTo({ id, method }: JsonObject): JsonObject {
  if (method === 'ping') return { jsonrpc: '2.0', id, result: {} };
  return { jsonrpc: '2.0', id, error: { code: -32601, message: 'this client supports no requests from servers' } };
}

const CLIENT = { name: 'ai-mcp', version: '1' };

export const initialize = (version: string): Request => ({
  method: 'initialize',
  params: { protocolVersion: version, capabilities: {}, clientInfo: CLIENT },
});

/** A request as the revision without a handshake wants it. */
export function stateless({ method, params }: Request): Request {
  const _meta = {
    ...(isObject(params._meta) ? params._meta : {}),
    'io.modelcontextprotocol/protocolVersion': STATELESS,
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': CLIENT,
  };
  return { method, params: { ...params, _meta } };
}

/** The headers of such a request over HTTP: what a proxy needs to know of it. */
export function headersOf({ method, params }: Request): Record<string, string> {
  const named = { 'tools/call': params.name, 'prompts/get': params.name, 'resources/read': params.uri }[method];
  return {
    'mcp-protocol-version': STATELESS,
    'mcp-method': method,
    ...(typeof named === 'string' && { 'mcp-name': headerValue(named) }),
  };
}

/** A value that may stand in a header; others are written in base64. */
export function headerValue(text: string): string {
  const plain = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text);
  return plain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

/** The arguments that a tool wants repeated in headers (`x-mcp-header` in its schema), as such headers. */
export function parameterHeaders(schema: Json | undefined, args: Json | undefined): Record<string, string> {
  if (!isObject(schema) || !isObject(schema.properties) || !isObject(args)) return {};
  const found = Object.entries(schema.properties).flatMap(([key, property]): [string, string][] => {
    const value = Object.hasOwn(args, key) ? args[key] : undefined;
    if (!isObject(property) || value === undefined || value === null) return [];
    if (isObject(value)) return Object.entries(parameterHeaders(property, value));
    const name = property['x-mcp-header'];
    const usable = typeof name === 'string' && /^[\w-]+$/.test(name) && !Array.isArray(value);
    return usable ? [[`mcp-param-${name.toLowerCase()}`, headerValue(String(value))]] : [];
  });
  return Object.fromEntries(found);
}
