// The API's own types, and the fields that compatible servers add to them: every one of them must have a reader.
// https://platform.openai.com/docs/api-reference/chat
import type * as Api from 'openai/resources/chat/completions/completions';
import type { CompletionUsage } from 'openai/resources/completions';
import type { Fields } from '../codec/residual.ts';

/** Names that compatible servers have agreed on, though the API does not have them. */
interface Compatible {
  reasoning_content?: string | null;
  reasoning?: string | null;
}

export type MessageFields = Fields<Api.ChatCompletionMessageParam | Api.ChatCompletionMessage | Compatible> & {
  _meta?: unknown;
};
export type UserPart = Api.ChatCompletionContentPart | Api.ChatCompletionContentPartRefusal;
export type PartOf<T extends UserPart['type']> = Fields<Extract<UserPart, { type: T }> | { cache_control?: unknown }>;
export type CallFields = Fields<Api.ChatCompletionMessageToolCall>;
export type FunctionFields = Fields<Api.ChatCompletionMessageFunctionToolCall['function']>;
export type CustomFields = Fields<Api.ChatCompletionMessageCustomToolCall['custom']>;
export type AnnotationFields = Fields<Api.ChatCompletionMessage.Annotation>;
export type UrlCitationFields = Fields<Api.ChatCompletionMessage.Annotation.URLCitation>;

export type BodyFields = Fields<Api.ChatCompletionCreateParams> & { _meta?: unknown };
export type ToolFields = Fields<Api.ChatCompletionTool>;
export type FunctionDefinitionFields = Fields<Api.ChatCompletionFunctionTool['function']>;
export type CustomDefinitionFields = Fields<Api.ChatCompletionCustomTool['custom']>;
export type ToolChoiceFields = Fields<Exclude<Api.ChatCompletionToolChoiceOption, string>>;
export type ResponseFormatFields = Fields<NonNullable<Api.ChatCompletionCreateParams['response_format']>>;

export type CompletionFields = Fields<Api.ChatCompletion> & { _meta?: unknown };
export type ChoiceFields = Fields<Api.ChatCompletion.Choice>;
export type UsageFields = Fields<CompletionUsage>;
export type FinishReason = Api.ChatCompletion.Choice['finish_reason'];
export type ChunkFields = Fields<Api.ChatCompletionChunk>;
export type DeltaFields = Fields<Api.ChatCompletionChunk.Choice.Delta | Compatible>;
