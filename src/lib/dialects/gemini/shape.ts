// What the Gemini API takes: the types of @google/genai. It knows every field by name: `Invalid JSON payload received. Unknown name "type" at
// 'contents[0].parts[0]': Cannot find field.`; `Invalid value at 'generation_config.thinking_config.thinking_level'`.
import type { JsonObject } from '../../json/values.ts';
import {
  all,
  anything,
  between,
  fields,
  filled,
  flag,
  list,
  matching,
  object,
  one,
  type Shape,
  text,
  whole,
} from '../shapes.ts';

const any = (names: string): { readonly [name: string]: Shape } =>
  Object.fromEntries(names.split(/\s+/).map((name) => [name, anything]));

const blob = fields({ mimeType: matching(/^[\w.+-]+\/[\w.+*-]+/, 'a media type'), 'data!': text });

const part = fields(
  {
    text,
    thought: flag,
    inlineData: blob,
    fileData: fields({ 'fileUri!': matching(/^[a-z][a-z0-9+.-]*:/i, 'an address') }),
    functionCall: fields({ 'name!': filled, args: object }),
    functionResponse: fields({ 'name!': filled, response: object }),
    ...any(`thoughtSignature executableCode codeExecutionResult toolCall toolResponse audioTranscription videoMetadata mediaResolution partMetadata
      mediaProcessing speechMetadata`),
  },
  'closed',
);

export const geminiContent: Shape = fields(
  { role: text, 'parts!': list(part) },
  new Set(['content', 'tool_calls', 'tool_call_id', 'type', 'name']),
);

const CATEGORIES = /^HARM_CATEGORY_[A-Z_]+$/;
const upper = (words: string): Shape => {
  const known = one(words);
  return (value, path) => {
    const wrong = known(typeof value === 'string' ? value.toUpperCase() : value, path);
    return wrong && { ...wrong, is: value };
  };
};

/** `logprobs` needs `responseLogprobs`: the type's own words. */
const logprobs: Shape = (value, path) => {
  const head = value as JsonObject;
  return typeof head.logprobs === 'number' && head.responseLogprobs !== true
    ? {
        path: [...path, 'logprobs'],
        is: head.logprobs,
        must: 'absent without responseLogprobs',
        mend: { path: [...path, 'logprobs'] },
      }
    : undefined;
};

const generation = all(
  fields(
    {
      topK: between(1, Number.MAX_SAFE_INTEGER),
      candidateCount: between(1, 8),
      logprobs: between(0, 20),
      responseLogprobs: flag,
      seed: whole,
      stopSequences: list(text),
      responseMimeType: one('application/json text/plain text/x.enum'),
      responseModalities: list(upper('TEXT IMAGE AUDIO VIDEO MODALITY_UNSPECIFIED')),
      mediaResolution: one(
        'MEDIA_RESOLUTION_LOW MEDIA_RESOLUTION_MEDIUM MEDIA_RESOLUTION_HIGH MEDIA_RESOLUTION_ULTRA_HIGH MEDIA_RESOLUTION_UNSPECIFIED',
      ),
      thinkingConfig: fields(
        {
          includeThoughts: flag,
          thinkingBudget: between(-1, 65_536),
          thinkingLevel: upper('MINIMAL LOW MEDIUM HIGH THINKING_LEVEL_UNSPECIFIED'),
        },
        'closed',
      ),
      ...any(`modelSelectionConfig responseJsonSchema _responseJsonSchema audioTranscriptionConfig audioTimestamp enableAffectiveDialog frequencyPenalty
        maxOutputTokens presencePenalty responseFormat responseSchema routingConfig speechConfig temperature topP enableEnhancedCivicAnswers
        translationConfig imageConfig modelConfig`),
    },
    'closed',
  ),
  logprobs,
);

const tool = fields(
  {
    functionDeclarations: list(
      fields(
        {
          'name!': filled,
          description: text,
          ...any('parameters parametersJsonSchema response responseJsonSchema behavior'),
        },
        'closed',
      ),
      { drops: true },
    ),
    ...any(`retrieval googleMaps mcpServers codeExecution computerUse enterpriseWebSearch exaAiSearch googleSearch googleSearchRetrieval
      parallelAiSearch urlContext fileSearch`),
  },
  'closed',
);

/** The address of a request says its model and whether it streams; here they stand in the body. */
export const geminiHead: Shape = fields({
  systemInstruction: fields({ 'parts!': list(anything) }),
  generationConfig: generation,
  tools: list(tool, { drops: true }),
  toolConfig: object,
  safetySettings: list(
    fields({
      'category!': matching(CATEGORIES, 'HARM_CATEGORY_…'),
      'threshold!': one(
        'BLOCK_LOW_AND_ABOVE BLOCK_MEDIUM_AND_ABOVE BLOCK_ONLY_HIGH BLOCK_NONE OFF HARM_BLOCK_THRESHOLD_UNSPECIFIED',
      ),
    }),
    { drops: true },
  ),
  cachedContent: text,
  labels: object,
});
