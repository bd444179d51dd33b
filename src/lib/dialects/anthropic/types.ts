// The API's own types, current and beta together: every field that either names must have a reader.
// https://platform.claude.com/docs/en/api/messages
import type * as Beta from '@anthropic-ai/sdk/resources/beta/messages/messages';
import type * as Api from '@anthropic-ai/sdk/resources/messages/messages';
import type { Fields } from '../codec/residual.ts';

export type Block = Api.ContentBlockParam | Api.ContentBlock | Beta.BetaContentBlockParam | Beta.BetaContentBlock;
export type BlockOf<T extends Block['type']> = Fields<Extract<Block, { type: T }>>;

export type MessageFields = Fields<Api.MessageParam | Beta.BetaMessageParam>;
export type ReplyFields = Fields<Api.Message | Beta.BetaMessage>;
export type UsageFields = Fields<Api.Usage | Beta.BetaUsage | Api.MessageDeltaUsage | Beta.BetaMessageDeltaUsage>;
export type ApiStopReason = Api.StopReason | Beta.BetaStopReason;

/** Sampling parameters have left the types; older models still take them on the wire. `anthropic_*` are Bedrock's and Vertex's. */
interface WireOnly {
  temperature?: number | null;
  top_p?: number | null;
  top_k?: number | null;
  anthropic_version?: string;
  anthropic_beta?: string[];
}
export type BodyFields = Fields<Api.MessageCreateParamsBase | Beta.MessageCreateParams | WireOnly>;

export type ToolFields = Fields<Api.Tool | Beta.BetaTool>;
export type ToolChoiceFields = Fields<Api.ToolChoice | Beta.BetaToolChoice>;
export type OutputConfigFields = Fields<Api.OutputConfig | Beta.BetaOutputConfig>;
export type OutputFormatFields = Fields<Api.JSONOutputFormat | Beta.BetaJSONOutputFormat>;
export type ThinkingFields = Fields<Api.ThinkingConfigParam | Beta.BetaThinkingConfigParam>;

export type SourceFields = Fields<
  Extract<Block, { type: 'image' }>['source'] | Extract<Block, { type: 'document' }>['source']
>;
export type CitationFields = Fields<
  Api.TextCitationParam | Api.TextCitation | Beta.BetaTextCitationParam | Beta.BetaTextCitation
>;
export type CacheFields = Fields<Api.CacheControlEphemeral | Beta.BetaCacheControlEphemeral>;
