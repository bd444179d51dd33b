// The API's own types, under their names on the wire: every field must have a reader. https://docs.mistral.ai/api
import type * as Api from '@mistralai/mistralai/models/components';
import type { Fields } from '../codec/residual.ts';
import type { OnTheWire } from '../codec/snake-case.ts';

export type Chunk = Api.ContentChunk$Outbound;
export type ChunkOf<T extends Chunk['type']> = Fields<Extract<Chunk, { type: T }>>;
export type ImageUrlFields = Fields<Api.ImageURL$Outbound>;

export type MessageFields = Fields<
  | Api.AssistantMessage$Outbound
  | Api.UserMessage$Outbound
  | Api.SystemMessage$Outbound
  | Api.ToolMessage$Outbound
  // In streams and in replies of several messages.
  | Pick<OnTheWire<Api.DeltaMessage>, 'metadata'>
> & { _meta?: unknown };

/** `stream` has its default there, and is no less a field. */
export type BodyFields = Fields<Api.ChatCompletionRequest$Outbound> & { _meta?: unknown };
export type ResponseFormatFields = Fields<Api.ResponseFormat$Outbound>;
export type JsonSchemaFields = Fields<Api.JsonSchema$Outbound>;

export type CompletionFields = Fields<OnTheWire<Api.ChatCompletionResponse>> & { _meta?: unknown };
export type ChoiceFields = Fields<OnTheWire<Api.ChatCompletionChoice>>;
/** The SDK's type of usage is open, and names few fields: the others are those of its definition for conversations. */
export type UsageFields = Fields<OnTheWire<Api.UsageInfo> | OnTheWire<Api.UsageInfoDollarDefs>>;
export type PromptDetails = Fields<OnTheWire<Api.PromptTokensDetails>>;
export type CompletionDetails = Fields<OnTheWire<Api.CompletionTokensDetails>>;
type Reasons = typeof Api.ChatCompletionChoiceFinishReason;
export type FinishReason = Reasons[keyof Reasons];
export type ChunkEventFields = Fields<OnTheWire<Api.CompletionChunk>>;
export type DeltaFields = Fields<OnTheWire<Api.DeltaMessage>>;
