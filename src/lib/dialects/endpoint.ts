// The HTTP endpoint of an API: the path of its requests, their body and headers, and how its streams end.
import type { JsonObject } from '../json/values.ts';

interface EndpointRequest {
  readonly model: string;
  /** Whether the reply is to be streamed. */
  readonly streamed: boolean;
  /** The server reports the tokens of a streamed answer if it is asked to. */
  readonly usageInStreaming?: boolean;
}

export interface Endpoint {
  /** The path under the provider's base URL, with its query. */
  path(request: EndpointRequest): string;
  /** The body as it is sent. `body` is the conversation in the API's dialect. */
  body(body: JsonObject, request: EndpointRequest): JsonObject;
  /** Headers besides the credential's. */
  headers?(body: JsonObject, request: EndpointRequest): Record<string, string>;
  /** Whether the API says with this event that nothing follows. Without it the stream's end says so. */
  isLast?(event: JsonObject): boolean;
  /** No event marks the end of a stream: one whose connection is lost cannot be known to be whole. */
  readonly endsSilently?: true;
  /** The endpoint at providers that serve the same API under another path. */
  readonly at?: { readonly [provider: string]: Endpoint };
}

/** A body with its model, and what else is said of it; the messages come last, so that requests are read from their top. */
export function withModel(body: JsonObject, messagesKey: string, fields: JsonObject): JsonObject {
  const { [messagesKey]: messages, stream: _, stream_options: _options, ...head } = body;
  return { ...head, ...fields, [messagesKey]: messages };
}
