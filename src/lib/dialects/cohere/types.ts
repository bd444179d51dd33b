// The API's own types, under their names on the wire: every field must have a reader. https://docs.cohere.com/v2/reference/chat
import type { Cohere as Api } from 'cohere-ai';
import type { Fields } from '../codec/residual.ts';
import type { OnTheWire } from '../codec/snake-case.ts';

export type MessageFields = Fields<OnTheWire<Api.ChatMessageV2>> & { _meta?: unknown };
export type Block =
  | Api.Content
  | Api.AssistantMessageV2ContentOneItem
  | Api.AssistantMessageResponseContentItem
  | Api.SystemMessageV2ContentOneItem
  | Api.ToolContent;
export type BlockOf<T extends Block['type']> = Fields<OnTheWire<Extract<Block, { type: T }>>>;
export type ImageUrlFields = Fields<OnTheWire<Api.ImageUrl>>;
export type DocumentFields = Fields<OnTheWire<Api.Document>>;
export type CitationFields = Fields<OnTheWire<Api.Citation>>;

/** `stream` tells the two operations of the SDK apart. */
export type BodyFields = Fields<OnTheWire<Api.V2ChatRequest> | { stream?: boolean | null }> & { _meta?: unknown };
export type ResponseFormatFields = Fields<OnTheWire<Api.ResponseFormatV2>>;
export type ThinkingFields = Fields<OnTheWire<Api.Thinking>>;

export type ReplyFields = Fields<OnTheWire<Api.V2ChatResponse>> & { _meta?: unknown };
export type UsageFields = Fields<OnTheWire<Api.Usage>>;
export type TokenFields = Fields<OnTheWire<Api.UsageTokens> | OnTheWire<Api.UsageBilledUnits>>;
export type FinishReason = Api.ChatFinishReason;
export type EventType = Api.V2ChatStreamResponse['type'];
