// What the Gemini API refuses of a body. https://ai.google.dev/api/generate-content#request-body

import { type Json, type JsonObject, textIn } from '../../json/values.ts';
import { listOf, objectOf, ofHead, quoted, type RecordRule, without } from '../record-rules.ts';
import { asJsonSchema, refusedBy } from './schema-rules.ts';
import { budgetBounds, inBounds, nearestBudget } from './thinking-budgets.ts';

const eachDeclaration = (head: JsonObject, change: (tool: JsonObject) => JsonObject): JsonObject => ({
  ...head,
  tools: listOf(head.tools).map((tool) =>
    Array.isArray(tool.functionDeclarations)
      ? { ...tool, functionDeclarations: listOf(tool.functionDeclarations).map(change) }
      : tool,
  ),
});
const declarations = ({ tools }: JsonObject): JsonObject[] =>
  listOf(tools).flatMap(({ functionDeclarations }) => listOf(functionDeclarations));

const keywords = ofHead({
  name: 'tool-schema',
  find: (head) => {
    for (const { name, parameters, parametersJsonSchema } of declarations(head)) {
      if (parameters !== undefined && parametersJsonSchema !== undefined)
        return { what: `the tool ${quoted(name)} has two schemas`, mend: 'keep parametersJsonSchema' };
      const wrong = refusedBy(parameters, true);
      if (wrong !== undefined)
        return { what: `the schema of the tool ${quoted(name)}: ${wrong}`, mend: 'write it as parametersJsonSchema' };
    }
    return undefined;
  },
  mend: (head) =>
    eachDeclaration(head, (tool) => {
      const { parameters, ...rest } = tool;
      if (
        parameters === undefined ||
        (tool.parametersJsonSchema === undefined && refusedBy(parameters, true) === undefined)
      )
        return tool;
      return { ...rest, parametersJsonSchema: tool.parametersJsonSchema ?? asJsonSchema(parameters as Json) };
    }),
  did: 'wrote schemas as parametersJsonSchema',
});

const MODES = new Set<unknown>(['AUTO', 'ANY', 'NONE', 'VALIDATED', 'MODE_UNSPECIFIED']);
const callingOf = ({ toolConfig }: JsonObject): JsonObject => objectOf(objectOf(toolConfig).functionCallingConfig);
const withCalling = (head: JsonObject, calling: JsonObject): JsonObject => ({
  ...head,
  toolConfig: { ...objectOf(head.toolConfig), functionCallingConfig: calling },
});

const calling = ofHead({
  name: 'tool-choice',
  find: (head) => {
    const { mode, allowedFunctionNames } = callingOf(head);
    if (mode !== undefined && !MODES.has(mode))
      return { what: `the mode ${quoted(mode)}`, mend: 'use AUTO, ANY, NONE or VALIDATED' };
    if (listed(allowedFunctionNames) && mode !== 'ANY' && mode !== 'VALIDATED')
      return { what: 'functions are allowed by name without the mode ANY', mend: 'use ANY, or omit the names' };
    return undefined;
  },
  mend: (head) => {
    const { mode, ...rest } = callingOf(head);
    const known = mode === undefined || MODES.has(mode) ? mode : undefined;
    const kept = known === 'ANY' || known === 'VALIDATED' ? rest : without(rest, 'allowedFunctionNames');
    return withCalling(head, { ...kept, ...(known !== undefined && { mode: known }) });
  },
  did: 'removed a tool_choice that the API does not support',
});

const listed = (value: Json | undefined): boolean => Array.isArray(value) && value.length > 0;

const BUILT_IN = [
  'googleSearch',
  'googleSearchRetrieval',
  'urlContext',
  'codeExecution',
  'googleMaps',
  'fileSearch',
  'computerUse',
];
const isBuiltIn = (tool: JsonObject): boolean => BUILT_IN.some((name) => tool[name] !== undefined);
const isOlder = ({ model }: JsonObject): boolean => /gemini-[12]/.test(textIn(model));

/** `Tool use with function calling is unsupported`, before Gemini 3. */
const mixed = ofHead({
  name: 'built-in-tools',
  find: (head) =>
    isOlder(head) && declarations(head).length > 0 && listOf(head.tools).some(isBuiltIn)
      ? { what: `${head.model} does not support Google's tools together with functions`, mend: 'remove one' }
      : undefined,
  mend: (head) => ({ ...head, tools: listOf(head.tools).filter((tool) => !isBuiltIn(tool)) }),
  did: "removed Google's tools",
});

const generationOf = ({ generationConfig }: JsonObject): JsonObject => objectOf(generationConfig);
const schemaFields = ['responseSchema', 'responseJsonSchema'];
const hasSchema = (head: JsonObject): boolean => schemaFields.some((field) => generationOf(head)[field] !== undefined);

/** `Function calling with a response mime type: 'application/json' is unsupported`, before Gemini 3. */
const schemaAndTools = ofHead({
  name: 'schema-and-tools',
  find: (head) =>
    isOlder(head) && hasSchema(head) && declarations(head).length > 0
      ? { what: `${head.model} does not support a response schema together with functions`, mend: 'remove one' }
      : undefined,
  mend: (head) => ({ ...head, generationConfig: without(generationOf(head), ...schemaFields, 'responseMimeType') }),
  did: 'removed the response schema',
});

const schemaMime = ofHead({
  name: 'response-mime',
  find: (head) =>
    hasSchema(head) && generationOf(head).responseMimeType === undefined
      ? { what: 'there is a response schema, but no responseMimeType', mend: 'set it to application/json' }
      : undefined,
  mend: (head) => ({ ...head, generationConfig: { ...generationOf(head), responseMimeType: 'application/json' } }),
  did: 'said that the response is JSON',
});

const answers = ofHead({
  name: 'schema',
  find: (head) => {
    const wrong = refusedBy(generationOf(head).responseSchema);
    return wrong === undefined
      ? undefined
      : { what: `the schema of the response: ${wrong}`, mend: 'write it as responseJsonSchema' };
  },
  mend: (head) => {
    const { responseSchema = null, ...rest } = generationOf(head);
    return { ...head, generationConfig: { responseJsonSchema: asJsonSchema(responseSchema), ...rest } };
  },
  did: 'wrote the schema of the response as responseJsonSchema',
});

/** `You can only set only one of thinking budget and thinking level.` */
const thinking = ofHead({
  name: 'thinking-level',
  find: (head) => {
    const { thinkingLevel, thinkingBudget } = objectOf(generationOf(head).thinkingConfig);
    return thinkingLevel === undefined || thinkingBudget === undefined
      ? undefined
      : { what: 'a thinking level and a thinking budget are both set', mend: 'keep one' };
  },
  mend: (head) => {
    const generation = generationOf(head);
    return {
      ...head,
      generationConfig: {
        ...generation,
        thinkingConfig: without(objectOf(generation.thinkingConfig), 'thinkingBudget'),
      },
    };
  },
  did: 'kept the thinking level and removed the thinking budget',
});

/** `The thinking budget 50000 is invalid. Please choose a value between 128 and 32768.` */
const budgets = ofHead({
  name: 'model-parameters',
  find: (head) => {
    const bounds = budgetBounds(textIn(head.model));
    const { thinkingBudget: budget } = objectOf(generationOf(head).thinkingConfig);
    return bounds === undefined || typeof budget !== 'number' || inBounds(budget, bounds)
      ? undefined
      : {
          what: `the thinking budget of ${head.model} is ${budget}`,
          mend: `it must be between ${bounds.least} and ${bounds.most}`,
        };
  },
  mend: (head) => {
    const generation = generationOf(head);
    const thinking = objectOf(generation.thinkingConfig);
    const bounds = budgetBounds(textIn(head.model));
    const thinkingBudget = bounds ? nearestBudget(Number(thinking.thinkingBudget), bounds) : null;
    return { ...head, generationConfig: { ...generation, thinkingConfig: { ...thinking, thinkingBudget } } };
  },
  did: 'brought the thinking budget within its limits',
});

/** `Thinking level is not supported for this model.`, before Gemini 3. */
const levels = ofHead({
  name: 'thinking-level',
  find: (head) =>
    isOlder(head) && objectOf(generationOf(head).thinkingConfig).thinkingLevel !== undefined
      ? { what: `${head.model} does not support thinking levels`, mend: 'give a budget' }
      : undefined,
  mend: (head) => {
    const generation = generationOf(head);
    const thinkingConfig = without(objectOf(generation.thinkingConfig), 'thinkingLevel');
    return { ...head, generationConfig: { ...generation, thinkingConfig } };
  },
  did: 'removed the thinking level',
});

export const geminiBody: readonly RecordRule[] = [
  keywords,
  calling,
  mixed,
  schemaAndTools,
  schemaMime,
  answers,
  thinking,
  levels,
  budgets,
];
