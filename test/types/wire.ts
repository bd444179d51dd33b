// The bodies that the four APIs take and send, by the types of their official clients. JSON Schemas are made of these (test/schemas.ts).
import type * as Anthropic from '@anthropic-ai/sdk/resources/beta/messages/messages';
import type * as Gemini from '@google/genai';
import type * as Chat from 'openai/resources/chat/completions/completions';
import type * as Responses from 'openai/resources/responses/responses';

/** Older models take sampling parameters, which have left the types. */
interface Sampling {
  temperature?: number;
  top_p?: number;
  top_k?: number;
}

export type AnthropicRequest = Anthropic.MessageCreateParams & Sampling;
export type AnthropicReply = Anthropic.BetaMessage;
export type OpenAIRequest = Chat.ChatCompletionCreateParams;
export type OpenAIReply = Chat.ChatCompletion;
export type ResponsesRequest = Responses.ResponseCreateParams;
export type ResponsesReply = Omit<Responses.Response, 'output_text'>;

/** The client spreads a body over its parameters; on the wire it is this (`generateContentConfigToMldev` in the client). */
export interface GeminiRequest {
  model?: string;
  contents: Gemini.Content[];
  systemInstruction?: Gemini.Content;
  tools?: Gemini.Tool[];
  toolConfig?: Gemini.ToolConfig;
  safetySettings?: Gemini.SafetySetting[];
  generationConfig?: Gemini.GenerationConfig;
  cachedContent?: string;
  labels?: Record<string, string>;
  serviceTier?: Gemini.ServiceTier;
}

export interface GeminiReply {
  candidates?: Gemini.Candidate[];
  usageMetadata?: Partial<
    Pick<
      Gemini.GenerateContentResponseUsageMetadata,
      'promptTokenCount' | 'candidatesTokenCount' | 'totalTokenCount' | 'cachedContentTokenCount' | 'thoughtsTokenCount'
    >
  >;
  modelVersion?: string;
  responseId?: string;
  createTime?: string;
}
