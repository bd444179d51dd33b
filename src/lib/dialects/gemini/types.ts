// The API's own types, as the wire has them: every field that they name must have a reader. The SDK spreads a body over its parameters; here they
// stand where generateContent takes them. https://ai.google.dev/api/generate-content
import type * as Api from '@google/genai';
import type { Fields } from '../codec/residual.ts';

export type PartFields = Fields<Api.Part>;
export type CallFields = Fields<Api.FunctionCall>;
export type ResponseFields = Fields<Api.FunctionResponse>;
export type BlobFields = Fields<Api.Blob>;
export type FileFields = Fields<Api.FileData>;
export type ContentFields = Fields<Api.Content> & { _meta?: unknown };

/** Fields of a body; `model` is one where a request stands in a batch, else it stands in the URL. */
interface Body {
  model?: string;
  contents?: Api.Content[];
  systemInstruction?: Api.Content | string;
  tools?: Api.Tool[];
  toolConfig?: Api.ToolConfig;
  safetySettings?: Api.SafetySetting[];
  generationConfig?: GenerationConfig;
  cachedContent?: string;
  labels?: Record<string, string>;
  serviceTier?: Api.ServiceTier;
  continuationToken?: string;
  store?: boolean;
  modelArmorConfig?: Api.ModelArmorConfig;
  outputConfig?: Api.GenerationOutputConfig;
}
export type BodyFields = Fields<Body> & { _meta?: unknown };
/** The SDK renames `modelConfig`, and keeps the pictures' among its parameters. */
type GenerationConfig = Api.GenerationConfig & { imageConfig?: Api.ImageConfig; modelConfig?: unknown };
export type ConfigFields = Fields<GenerationConfig>;
export type ThinkingFields = Fields<Api.ThinkingConfig>;
export type ToolFields = Fields<Api.Tool>;
export type DeclarationFields = Fields<Api.FunctionDeclaration>;
export type ToolConfigFields = Fields<Api.ToolConfig>;
export type CallingFields = Fields<Api.FunctionCallingConfig>;

/** The SDK's response has getters; the wire has not. */
export type ReplyFields = Fields<
  Omit<
    Api.GenerateContentResponse,
    | ('text' | 'data' | 'functionCalls' | 'executableCode' | 'codeExecutionResult' | 'initialPromptTokenCount')
    | ('sdkHttpResponse' | 'automaticFunctionCallingHistory')
  >
> & { _meta?: unknown };
export type CandidateFields = Fields<Api.Candidate>;
export type UsageFields = Fields<Api.GenerateContentResponseUsageMetadata>;
export type FinishReason = `${Api.FinishReason}`;
