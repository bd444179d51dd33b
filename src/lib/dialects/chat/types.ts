// What Mistral's, Cohere's and Ollama's APIs have from Chat Completions: calls and function tools, by all the names that any of them uses.
import type * as Mistral from '@mistralai/mistralai/models/components';
import type { Cohere } from 'cohere-ai';
import type * as Ollama from 'ollama';
import type { Fields } from '../codec/residual.ts';
import type { OnTheWire } from '../codec/snake-case.ts';

export type CallFields = Fields<Mistral.ToolCall$Outbound | OnTheWire<Cohere.ToolCallV2> | Ollama.ToolCall>;
export type CalledFields = Fields<
  | Mistral.FunctionCall$Outbound
  | OnTheWire<Cohere.ToolCallV2Function>
  | Ollama.ToolCall['function']
  // Ollama's server numbers parallel calls: https://docs.ollama.com/capabilities/tool-calling
  | { index?: number }
>;
export type ToolFields = Fields<Mistral.Tool$Outbound | OnTheWire<Cohere.ToolV2> | Ollama.Tool>;
export type FunctionFields = Fields<
  Mistral.FunctionT$Outbound | OnTheWire<Cohere.ToolV2Function> | Ollama.Tool['function']
>;
