// The API's own types, and the fields that its server knows besides: every field must have a reader. https://docs.ollama.com/api/chat
import type * as Api from 'ollama';
import type { Fields } from '../codec/residual.ts';

/** https://github.com/ollama/ollama/blob/main/api/types.go */
interface ServerMessage {
  tool_call_id?: string;
}
interface ServerRequest {
  truncate?: boolean;
  shift?: boolean;
}

export type MessageFields = Fields<Api.Message | ServerMessage> & { _meta?: unknown };
export type BodyFields = Fields<Api.ChatRequest | ServerRequest> & { _meta?: unknown };
export type OptionFields = Fields<Api.Options>;
export type ReplyFields = Fields<Api.ChatResponse> & { _meta?: unknown };
