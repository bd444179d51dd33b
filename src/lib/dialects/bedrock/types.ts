// The API's own types: every field must have a reader. Its unions have one key for each member; bytes are base64 on the wire.
// https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
import type * as Api from '@aws-sdk/client-bedrock-runtime';
import type { Fields } from '../codec/residual.ts';

/** The keys of a tagged union; `$unknown` is the SDK's own. */
type KindOf<U> = Exclude<keyof Fields<U>, '$unknown'>;

export type MessageFields = Fields<Api.Message> & { _meta?: unknown };
export type BlockKind = KindOf<Api.ContentBlock | Api.ToolResultContentBlock | Api.SystemContentBlock>;
export type ImageFields = Fields<Api.ImageBlock>;
export type AudioFields = Fields<Api.AudioBlock>;
export type VideoFields = Fields<Api.VideoBlock>;
export type DocumentFields = Fields<Api.DocumentBlock>;
export type SourceFields = Omit<
  Fields<Api.ImageSource | Api.AudioSource | Api.VideoSource | Api.DocumentSource>,
  '$unknown'
>;
export type ToolUseFields = Fields<Api.ToolUseBlock>;
export type ToolResultFields = Fields<Api.ToolResultBlock>;
export type GuardFields = Omit<Fields<Api.GuardrailConverseContentBlock>, '$unknown'>;
export type GuardTextFields = Fields<Api.GuardrailConverseTextBlock>;
export type ReasoningFields = Omit<Fields<Api.ReasoningContentBlock>, '$unknown'>;
export type ReasoningTextFields = Fields<Api.ReasoningTextBlock>;
export type CitationsFields = Fields<Api.CitationsContentBlock>;
export type CitationFields = Fields<Api.Citation | Api.CitationsDelta>;
export type LocationFields = Omit<Fields<Api.CitationLocation>, '$unknown'>;
export type WebFields = Fields<Api.WebLocation>;
export type SearchResultFields = Fields<Api.SearchResultBlock>;
export type CacheFields = Fields<Api.CachePointBlock>;

/** The model stands in the URL, and in the SDK's request as `modelId`; `model` is what a router writes. */
export type BodyFields = Fields<Api.ConverseRequest | Api.ConverseStreamRequest | { model?: string }> & {
  _meta?: unknown;
};
export type InferenceFields = Fields<Api.InferenceConfiguration>;
export type ToolConfigFields = Fields<Api.ToolConfiguration>;
export type ToolFields = Omit<Fields<Api.Tool>, '$unknown'>;
export type ToolSpecFields = Fields<Api.ToolSpecification>;
export type ToolChoiceFields = Omit<Fields<Api.ToolChoice>, '$unknown'>;
export type OutputConfigFields = Fields<Api.OutputConfig>;
export type OutputFormatFields = Fields<Api.OutputFormat>;
export type JsonSchemaFields = Fields<Api.JsonSchemaDefinition>;

export type ReplyFields = Fields<Api.ConverseResponse> & { _meta?: unknown };
/** The first names that the API gave the cache's counts; it still sends both. */
export type UsageFields = Fields<
  Api.TokenUsage | { cacheReadInputTokenCount?: number; cacheWriteInputTokenCount?: number; serverToolUsage?: object }
>;
export type ApiStopReason = Api.StopReason;
export type EventKind = KindOf<Api.ConverseStreamOutput>;
export type StartKind = KindOf<Api.ContentBlockStart>;
export type DeltaKind = KindOf<Api.ContentBlockDelta>;
