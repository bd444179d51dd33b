// The API's own types: every field that they name must have a reader. https://platform.openai.com/docs/api-reference/responses
import type * as Api from 'openai/resources/responses/responses';
import type { Fields } from '../codec/residual.ts';

/** What stands in `input` or `output`: the types differ a little from one to the other. */
type Item = Api.ResponseInputItem | Api.ResponseItem | Api.ResponseOutputItem;
export type ItemType = NonNullable<Item['type']>;
export type ItemOf<T extends ItemType> = Fields<Extract<Item, { type?: T | null }>>;

type Content =
  | Api.ResponseContent
  | Api.ResponseInputTextContent
  | Api.ResponseInputImageContent
  | Api.ResponseInputFileContent
  | Api.ResponseInputAudio;
export type ContentType = Content['type'];
export type ContentOf<T extends ContentType> = Fields<Extract<Content, { type: T }>>;
export type AnnotationFields = Fields<Api.ResponseOutputText['annotations'][number]>;

export type BodyFields = Fields<Api.ResponseCreateParams> & { _meta?: unknown };
export type TextFields = Fields<Api.ResponseTextConfig>;
export type TextFormatFields = Fields<Api.ResponseFormatTextConfig>;
export type ReasoningFields = Fields<NonNullable<Api.ResponseCreateParams['reasoning']>>;
export type FunctionToolFields = Fields<Api.FunctionTool | Api.NamespaceTool.Function>;
export type CustomToolFields = Fields<Api.CustomTool>;
export type NamespaceFields = Fields<Api.NamespaceTool>;
export type ToolChoiceFields = Fields<
  Api.ToolChoiceAllowed | Api.ToolChoiceFunction | Api.ToolChoiceCustom | Api.ToolChoiceTypes
>;

export type ResponseFields = Fields<Api.Response> & { _meta?: unknown };
export type UsageFields = Fields<Api.ResponseUsage>;
export type EventType = Api.ResponseStreamEvent['type'];
