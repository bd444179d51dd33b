// The official clients, as witnesses: what each makes of a stream that a server on loopback sends, as a reply of its API.
import { createServer } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import Anthropic from '@anthropic-ai/sdk';
import { BedrockRuntimeClient, ConverseStreamCommand } from '@aws-sdk/client-bedrock-runtime';
import { GoogleGenAI } from '@google/genai';
import { Mistral } from '@mistralai/mistralai';
import { CohereClientV2 } from 'cohere-ai';
import { Ollama } from 'ollama';
import OpenAI from 'openai';
import { framed } from '../src/commands/transform/framing.ts';
import type { StreamEvent } from '../src/lib/dialects/codec/stream.ts';
import { formatNamed } from '../src/lib/dialects/table.ts';
import type { Format } from '../src/lib/dialects/types.ts';
import type { JsonObject } from '../src/lib/json/values.ts';

let body = Buffer.alloc(0);
const TYPES = { lines: 'application/x-ndjson', aws: 'application/vnd.amazon.eventstream', sse: 'text/event-stream' };
let type = TYPES.sse;
const server = createServer((request, response) => {
  request.resume();
  response.writeHead(200, { 'content-type': type }).end(body);
});
/** What AWS's client speaks. */
const http2 = createHttp2Server((request, response) => {
  request.resume();
  response.writeHead(200, { 'content-type': type });
  response.end(body);
});
let url = '';
let http2Url = '';

export async function listen(): Promise<void> {
  const listening = [server, http2].map((each) => new Promise<void>((done) => each.listen(0, '127.0.0.1', done)));
  await Promise.all(listening);
  [url, http2Url] = [server, http2].map((each) => `http://127.0.0.1:${(each.address() as AddressInfo).port}`) as [
    string,
    string,
  ];
}

export function close(): void {
  server.close();
  http2.close();
}

/** The reply that the API's own client folds the events to. */
export async function fold(name: string, events: readonly StreamEvent[]): Promise<JsonObject> {
  const format = formatNamed(name) as Format;
  type = TYPES[format.framing ?? 'sse'];
  body = Buffer.concat(events.map((event) => Buffer.from(framed(event, format))));
  const folded = await CLIENTS[name]?.();
  return JSON.parse(JSON.stringify(folded));
}

export const CLIENTS: { readonly [format: string]: () => Promise<unknown> } = {
  anthropic: () =>
    new Anthropic({ apiKey: 'none', baseURL: url, maxRetries: 0 }).beta.messages
      .stream({ model: 'x', max_tokens: 1, messages: [{ role: 'user', content: 'x' }] })
      .finalMessage(),
  openai: () =>
    new OpenAI({ apiKey: 'none', baseURL: url, maxRetries: 0 }).chat.completions
      .stream({ model: 'x', messages: [{ role: 'user', content: 'x' }] })
      .finalChatCompletion(),
  'openai-responses': () =>
    new OpenAI({ apiKey: 'none', baseURL: url, maxRetries: 0 }).responses
      .stream({ model: 'x', input: 'x' })
      .finalResponse(),
  gemini: foldGemini,
  bedrock: foldBedrock,
  mistral: foldMistral,
  cohere: foldCohere,
  ollama: foldOllama,
};

/** A chat of this client keeps what was said, if every chunk says something and whose it is. */
async function foldGemini(): Promise<unknown> {
  const chat = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: url } }).chats.create({ model: 'x' });
  const chunks: JsonObject[] = [];
  for await (const chunk of await chat.sendMessageStream({ message: 'x' }))
    chunks.push(JSON.parse(JSON.stringify(chunk)));
  const { sdkHttpResponse: _, ...last } = Object.assign({}, ...chunks) as JsonObject;
  const [candidate] = (last.candidates ?? []) as JsonObject[];
  const contents = chunks.flatMap(({ candidates }) => (candidates as JsonObject[] | undefined)?.[0]?.content ?? []);
  const owned = contents.every((content) => (content as JsonObject).role === 'model');
  const kept = owned ? chat.getHistory().slice(1) : (contents as { parts?: unknown[] }[]);
  if (candidate === undefined) return last;
  return {
    ...last,
    candidates: [{ ...candidate, content: { role: 'model', parts: kept.flatMap(({ parts }) => parts ?? []) } }],
  };
}

async function foldBedrock(): Promise<unknown> {
  const client = new BedrockRuntimeClient({
    region: 'us-east-1',
    endpoint: http2Url,
    credentials: { accessKeyId: 'a', secretAccessKey: 's' },
    maxAttempts: 1,
  });
  const reader = (formatNamed('bedrock') as Format).openStream();
  const answer = await client.send(new ConverseStreamCommand({ modelId: 'm', messages: [] }));
  for await (const event of answer.stream ?? []) reader.push(inBase64(event) as JsonObject);
  client.destroy();
  return (formatNamed('bedrock') as Format).writeReply(reader.end(), () => {});
}

/** Bytes, as they are in JSON. */
function inBase64(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(inBase64);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inBase64(inner)]));
}

/** The client's names of fields as the API's. */
function onTheWire(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(onTheWire);
  if (typeof value !== 'object' || value === null) return value;
  const snake = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [snake(key), onTheWire(inner)]));
}

async function foldMistral(): Promise<unknown> {
  const stream = await new Mistral({ apiKey: 'k', serverURL: url }).chat.stream({
    model: 'm',
    messages: [{ role: 'user', content: 'x' }],
  });
  const content: unknown[] = [];
  const tool_calls: unknown[] = [];
  let finish_reason: unknown;
  let usage: unknown;
  for await (const { data } of stream) {
    const [choice] = data.choices;
    const piece = choice?.delta.content;
    content.push(
      ...(typeof piece === 'string' ? [{ type: 'text', text: piece }] : (piece ?? [])).filter(
        (chunk) => !('text' in chunk) || chunk.text !== '',
      ),
    );
    for (const { id, function: fn } of choice?.delta.toolCalls ?? []) tool_calls.push({ id, function: fn });
    finish_reason = choice?.finishReason ?? finish_reason;
    if (data.usage) usage = { prompt_tokens: data.usage.promptTokens, completion_tokens: data.usage.completionTokens };
  }
  return {
    choices: [{ message: { role: 'assistant', content: content.map(onTheWire), tool_calls }, finish_reason }],
    usage,
  };
}

interface Counts {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
}

async function foldCohere(): Promise<unknown> {
  const client = new CohereClientV2({ token: 'k', environment: url });
  const content: { [field: string]: string }[] = [];
  const calls: { id?: string; name?: string; arguments: string }[] = [];
  let tool_plan = '';
  let end: { finishReason?: string; usage?: { tokens?: Counts; billedUnits?: Counts } } = {};
  for await (const event of await client.chatStream({ model: 'm', messages: [{ role: 'user', content: 'x' }] })) {
    if (event.type === 'content-start') content.push({ ...event.delta?.message?.content } as { type: string });
    if (event.type === 'content-delta')
      for (const [field, piece] of Object.entries(event.delta?.message?.content ?? {})) {
        const at = content[event.index ?? 0];
        if (at) at[field] = (at[field] ?? '') + piece;
      }
    if (event.type === 'tool-plan-delta') tool_plan += event.delta?.message?.toolPlan ?? '';
    const call = event.type.startsWith('tool-call') && 'delta' in event ? event.delta : undefined;
    const { id, function: fn } =
      (call as { message?: { toolCalls?: { id?: string; function?: { name?: string; arguments?: string } } } })?.message
        ?.toolCalls ?? {};
    if (event.type === 'tool-call-start') calls.push({ id, name: fn?.name, arguments: fn?.arguments ?? '' });
    const last = calls.at(-1);
    if (event.type === 'tool-call-delta' && last) last.arguments += fn?.arguments ?? '';
    if (event.type === 'message-end') end = (event.delta ?? {}) as typeof end;
  }
  const tool_calls = calls.map(({ id, ...fn }) => ({ id, type: 'function', function: fn }));
  const { inputTokens: input_tokens, outputTokens: output_tokens } = end.usage?.tokens ?? end.usage?.billedUnits ?? {};
  const message = { role: 'assistant', content, ...(tool_plan && { tool_plan }), tool_calls };
  const usage = end.usage && { tokens: { input_tokens, output_tokens } };
  return { message, finish_reason: end.finishReason, usage };
}

async function foldOllama(): Promise<unknown> {
  let content = '';
  let thinking = '';
  const tool_calls: unknown[] = [];
  let last: object = {};
  for await (const part of await new Ollama({ host: url }).chat({ model: 'm', messages: [], stream: true })) {
    content += part.message.content;
    thinking += part.message.thinking ?? '';
    tool_calls.push(...(part.message.tool_calls ?? []));
    last = part;
  }
  const message = {
    role: 'assistant',
    content,
    ...(thinking && { thinking }),
    ...(tool_calls.length > 0 && { tool_calls }),
  };
  return { ...last, message };
}
