// What a wire API is: where its requests go, what goes into them beside the conversation, and how its streams are framed.
import type { JsonObject } from '../json/values.ts';
import type { Framing } from './framing.ts';

interface WireRequest {
  readonly model: string;
  /** Whether the answer is to come in pieces. */
  readonly streamed: boolean;
  /** The server reports the tokens of a streamed answer if it is asked to. */
  readonly usageInStreaming?: boolean;
}

export interface WireApi {
  /** The path under the provider's base URL, with its query. */
  path(request: WireRequest): string;
  /** The body as it is sent. `body` is the conversation in the API's dialect. */
  body(body: JsonObject, request: WireRequest): JsonObject;
  /** Headers besides the credential's. */
  headers?(body: JsonObject, request: WireRequest): Record<string, string>;
  readonly framing: Framing;
  /** Whether the API says with this event that nothing follows. Without it the stream's end says so. */
  isLast?(event: JsonObject): boolean;
  /** Nothing but the end of a stream says that it is whole: one that is cut is none. */
  readonly endsSilently?: true;
}

/** A body with its model, and what else is said of it; the messages come last, so that requests are read from their top. */
export function withModel(body: JsonObject, messagesKey: string, fields: JsonObject): JsonObject {
  const { [messagesKey]: messages, stream: _, stream_options: _options, ...head } = body;
  return { ...head, ...fields, [messagesKey]: messages };
}
