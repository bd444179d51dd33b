// The API takes camelCase and snake_case alike. Codecs read camelCase; what came otherwise leaves otherwise.
import { isObject, type Json, type JsonObject } from '../../json/values.ts';

/** Names of more than one word, in parts, bodies and replies. A name that is missing here is only unknown, not lost. */
const NAMES =
  `inlineData fileData mimeType fileUri displayName functionCall functionResponse partialArgs willContinue jsonPath stringValue
  numberValue boolValue nullValue executableCode codeExecutionResult toolCall toolResponse toolType audioTranscription thoughtSignature
  videoMetadata startOffset endOffset mediaResolution partMetadata mediaProcessing speechMetadata
  systemInstruction toolConfig safetySettings generationConfig cachedContent serviceTier continuationToken modelArmorConfig outputConfig
  functionDeclarations parametersJsonSchema responseJsonSchema googleSearch googleSearchRetrieval urlContext codeExecution computerUse fileSearch
  googleMaps mcpServers enterpriseWebSearch exaAiSearch parallelAiSearch fileSearchStoreNames dynamicRetrievalConfig dynamicThreshold
  timeRangeFilter excludeDomains excludedPredefinedFunctions metadataFilter topK functionCallingConfig allowedFunctionNames
  streamFunctionCallArguments retrievalConfig latLng languageCode includeServerSideToolInvocations topP candidateCount maxOutputTokens
  stopSequences responseLogprobs presencePenalty frequencyPenalty responseMimeType responseSchema responseModalities speechConfig
  audioTimestamp thinkingConfig includeThoughts thinkingBudget thinkingLevel audioTranscriptionConfig imageConfig enableEnhancedCivicAnswers
  routingConfig modelConfig modelSelectionConfig aspectRatio imageSize voiceConfig prebuiltVoiceConfig voiceName multiSpeakerVoiceConfig
  speakerVoiceConfigs
  usageMetadata modelVersion responseId createTime promptFeedback modelStatus blockReason blockReasonMessage safetyRatings finishReason
  finishMessage tokenCount groundingMetadata citationMetadata avgLogprobs logprobsResult urlContextMetadata promptTokenCount
  candidatesTokenCount totalTokenCount cachedContentTokenCount thoughtsTokenCount toolUsePromptTokenCount promptTokensDetails
  candidatesTokensDetails cacheTokensDetails toolUsePromptTokensDetails trafficType`.split(/\s+/);

/** Below these names is what users and their tools say, in their own words. */
const OPAQUE = new Set(
  'args response parameters parametersJsonSchema responseSchema responseJsonSchema partMetadata labels _meta'.split(
    ' ',
  ),
);

const snakeOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const CAMEL = new Map(NAMES.map((name) => [snakeOf(name), name]));
const SNAKE = new Map(NAMES.map((name) => [name, snakeOf(name)]));

/** The same value in camelCase, and the names (as they stood) that had to be changed for it. */
export function toCamel<T extends Json>(value: T): { value: T; names: readonly string[] } {
  const names = new Set<string>();
  const camel = rename(value, (key) => {
    const name = key.includes('_') ? CAMEL.get(key) : undefined;
    if (name !== undefined) names.add(key);
    return name;
  });
  return { value: camel as T, names: names.size > 0 ? [...names] : NONE };
}

const NONE: readonly string[] = [];

/** The value with `names` spelled as they stood. */
export function fromCamel<T extends Json>(value: T, names: readonly string[]): T {
  if (names.length === 0) return value;
  const wanted = new Set(names);
  return rename(value, (key) => {
    const snake = SNAKE.get(key);
    return snake !== undefined && wanted.has(snake) ? snake : undefined;
  }) as T;
}

/** Renames keys at every depth but below opaque names. What does not change is not copied. */
function rename(value: Json, nameOf: (key: string) => string | undefined): Json {
  if (Array.isArray(value)) {
    const items = value.map((item) => rename(item, nameOf));
    return items.every((item, i) => item === value[i]) ? value : items;
  }
  return isObject(value) ? renameKeys(value, nameOf) : value;
}

function renameKeys(object: JsonObject, nameOf: (key: string) => string | undefined): JsonObject {
  let changed = false;
  const entries = Object.entries(object).map(([key, inner]): [string, Json | undefined] => {
    const name = nameOf(key) ?? key;
    // Both spellings at once: the second one is unknown.
    const kept = name !== key && Object.hasOwn(object, name) ? key : name;
    const opaque = OPAQUE.has(key) || OPAQUE.has(kept) || OPAQUE.has(CAMEL.get(key) ?? '');
    const below = opaque || typeof inner !== 'object' || inner === null ? inner : rename(inner, nameOf);
    changed ||= kept !== key || below !== inner;
    return [kept, below];
  });
  return changed ? Object.fromEntries(entries) : object;
}
