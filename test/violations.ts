// What the APIs refuse, as far as the format itself demands it: written anew for the tests, from the APIs' documentation and errors.
import { isObject, type JsonObject } from '../src/lib/json/values.ts';

type Check = (request: JsonObject) => string[];

const list = (value: unknown): JsonObject[] => (Array.isArray(value) ? value : []);
const messages = (request: JsonObject): JsonObject[] => list(request.messages);
const text = JSON.stringify;

/** Every string of a value, with its key. */
function* strings(value: unknown, key = ''): Generator<[string, string]> {
  if (typeof value === 'string') yield [key, value];
  else if (Array.isArray(value)) for (const item of value) yield* strings(item, key);
  else if (isObject(value)) for (const inner in value) yield* strings(value[inner], inner);
}

const undefinedIn: Check = (request) =>
  [...strings(request)].flatMap(([key, value]) =>
    /data:undefined|^undefined$|\[object/.test(value) ? [`${key}: ${value}`] : [],
  );

const DOCUMENT_NAME = /^[A-Za-z0-9()[\]-]+( [A-Za-z0-9()[\]-]+)*$/;

function bedrockBlock(block: JsonObject): string[] {
  const found: string[] = [];
  if (Object.keys(block).length !== 1) found.push(`a block has ${Object.keys(block)}`);
  if (block.text === '') found.push('empty text');
  for (const kind of ['image', 'document', 'video', 'audio']) {
    const { [kind]: file } = block;
    if (!isObject(file)) continue;
    const { bytes, text: inline, content, s3Location } = file.source as JsonObject;
    if ([bytes, inline, content, s3Location].filter((value) => value !== undefined).length !== 1)
      found.push('no source');
    if (typeof bytes === 'string' && bytes.startsWith('data:')) found.push('a data URL');
    if (typeof file.format !== 'string') found.push('no format');
    if (kind === 'document' && !DOCUMENT_NAME.test(String(file.name))) found.push(`name ${file.name}`);
  }
  return found;
}

function bedrockResult({ toolResult }: JsonObject): string[] {
  if (!isObject(toolResult)) return [];
  const content = list(toolResult.content);
  const json = content.filter((block) => 'json' in block && !isObject(block.json)).map(() => 'json is no object');
  const status =
    toolResult.status === undefined || ['success', 'error'].includes(String(toolResult.status)) ? [] : ['status'];
  return [
    ...(content.length === 0 ? ['a result without content'] : []),
    ...json,
    ...status,
    ...content.flatMap(bedrockBlock),
  ];
}

function bedrockMessage({ role, content }: JsonObject): string[] {
  const blocks = list(content);
  const found = blocks.flatMap((block) => [...bedrockBlock(block), ...bedrockResult(block)]);
  if (blocks.length === 0) found.push('no content');
  if (blocks[0]?.cachePoint) found.push('a cache point first');
  if (blocks.some((block, i) => block.cachePoint && blocks[i - 1]?.cachePoint)) found.push('two cache points');
  if (blocks.some(({ document }) => document) && !blocks.some((block) => block.text)) found.push('a document alone');
  const names = blocks.flatMap(({ document }) => (isObject(document) ? [String(document.name).toLowerCase()] : []));
  if (new Set(names).size < names.length) found.push('a name twice');
  const firstOther = blocks.findIndex((block) => !block.toolResult && !block.cachePoint);
  const lastResult = blocks.findLastIndex((block) => block.toolResult);
  if (role === 'user' && firstOther >= 0 && firstOther < lastResult) found.push('a result after other content');
  for (const { toolUse } of blocks)
    if (isObject(toolUse) && !isObject(toolUse.input)) found.push('an input that is no object');
  return found;
}

/** Results stand in the user's message right behind the calls that they answer. */
function bedrockPairs(all: readonly JsonObject[]): string[] {
  const ids = (message: JsonObject | undefined, kind: string): string[] =>
    list(message?.content).flatMap(({ [kind]: block }) => (isObject(block) ? [String(block.toolUseId)] : []));
  return all.flatMap((message, i) => {
    if (message.role !== 'user' || ids(message, 'toolResult').length === 0) return [];
    const calls: string[] = [];
    for (let k = i - 1; k >= 0 && all[k]?.role === 'assistant'; k--) calls.push(...ids(all[k], 'toolUse'));
    return ids(message, 'toolResult').flatMap((id) => (calls.includes(id) ? [] : [`result ${id} answers no call`]));
  });
}

function bedrockTools({ toolConfig }: JsonObject): string[] {
  if (toolConfig === undefined) return [];
  const tools = list((toolConfig as JsonObject).tools);
  const found = tools.length === 0 ? ['toolConfig without tools'] : [];
  for (const { toolSpec } of tools)
    if (isObject(toolSpec)) {
      if (toolSpec.description === '') found.push('an empty description');
      if (!isObject((toolSpec.inputSchema as JsonObject | undefined)?.json)) found.push('no schema');
    }
  return found;
}

/** What Mistral's, Cohere's and Ollama's APIs ask of calls and results alike. */
function chatMessage(message: JsonObject): string[] {
  const { role, content, tool_calls } = message;
  const found: string[] = [];
  if (!['system', 'user', 'assistant', 'tool'].includes(String(role))) found.push(`role ${role}`);
  const empty =
    content === undefined || content === null || content === '' || (Array.isArray(content) && content.length === 0);
  const planned = typeof message.tool_plan === 'string' || typeof message.thinking === 'string';
  if (role === 'assistant' && empty && !planned && list(tool_calls).length === 0) found.push('an empty assistant');
  return found;
}

const chatCalls = ({ tool_calls }: JsonObject, type: 'string' | 'object'): string[] =>
  list(tool_calls).flatMap(({ function: fn }) => {
    const { arguments: given } = fn as JsonObject;
    const right = type === 'string' ? typeof given === 'string' : isObject(given);
    return right ? [] : [`arguments ${text(given)}`];
  });

function parts({ content }: JsonObject, types: readonly string[]): string[] {
  return list(content).flatMap((part) => (types.includes(String(part.type)) ? [] : [`a part ${part.type}`]));
}

/** By dialect: what is wrong with a whole request. Of what was read from the dialect itself nothing is asked. */
export const VIOLATIONS: { readonly [dialect: string]: Check } = {
  bedrock: (request) => [
    ...undefinedIn(request),
    ...messages(request).flatMap(bedrockMessage),
    ...bedrockPairs(messages(request)),
    ...bedrockTools(request),
    ...list(request.system).flatMap(bedrockBlock),
  ],
  mistral: (request) => [
    ...undefinedIn(request),
    ...messages(request).flatMap((message) => [
      ...chatMessage(message),
      ...chatCalls(message, 'string'),
      ...parts(message, ['text', 'image_url', 'document_url', 'thinking', 'input_audio', 'reference', 'file']),
      ...(message.role === 'tool' && typeof message.tool_call_id !== 'string' ? ['a result without an id'] : []),
    ]),
  ],
  cohere: (request) => [
    ...undefinedIn(request),
    ...messages(request).flatMap((message) => [
      ...chatMessage(message),
      ...chatCalls(message, 'string'),
      ...parts(message, message.role === 'tool' ? ['text', 'document'] : ['text', 'thinking', 'image_url']),
      ...(message.role === 'tool' && typeof message.tool_call_id !== 'string' ? ['a result without an id'] : []),
    ]),
    ...(request.tool_choice !== undefined && list(request.tools).length === 0 ? ['a choice without tools'] : []),
  ],
  ollama: (request) => [
    ...undefinedIn(request),
    ...messages(request).flatMap((message) => [
      ...chatMessage(message).filter((what) => what !== 'an empty assistant'),
      ...chatCalls(message, 'object'),
      ...(message.content === undefined || typeof message.content === 'string' ? [] : ['content is no string']),
      ...(message.role === 'tool' && typeof message.tool_name !== 'string' ? ['a result without a name'] : []),
      ...[...strings(message.images)].flatMap(([, image]) =>
        /^(data|https?):/.test(image) ? ['an image is no base64'] : [],
      ),
    ]),
    ...(request.tool_choice === undefined ? [] : ['tool_choice']),
  ],
};
