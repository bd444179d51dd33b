// -m gguf:FILE: a model file run in this process by node-llama-cpp, where it is installed.
// https://node-llama-cpp.withcat.ai/api/classes/LlamaChatSession
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Head, Message, Part, Tool } from '../../../lib/conversation/types.ts';
import { type Conversation, headOf, messageOf } from '../../../lib/conversion/gather.ts';
import { EXIT, Failure } from '../../../lib/failure/failure.ts';
import type { OnDelta } from '../receive/reply.ts';
import type { Run } from '../run.ts';

/** The version that the tests run with. */
const VERSION = '3.22.1';

/** The part of node-llama-cpp's interface that is used here. */
interface Llama {
  loadModel(options: { modelPath: string }): Promise<Model>;
  dispose(): Promise<void>;
}
interface Model {
  readonly trainContextSize: number;
  createContext(options: object): Promise<{ getSequence(): Sequence }>;
}
interface Sequence {
  readonly tokenMeter: { getState(): { usedInputTokens: number; usedOutputTokens: number } };
}
interface ChatSession {
  setChatHistory(history: readonly Turn[]): void;
  promptWithMeta(text: string, options: object): Promise<{ responseText: string; stopReason: string }>;
}
interface Module {
  getLlama(options: object): Promise<Llama>;
  readonly LlamaChatSession: new (options: object) => ChatSession;
}

/** The answer. Throws a Failure: 69 where node-llama-cpp is not installed, 74 for a file that cannot be read, 65 for one that is no model. */
export async function generate(
  file: string,
  conversation: Conversation,
  { context, env }: Run,
  onDelta: OnDelta | undefined,
): Promise<Message> {
  const path = resolve(context.cwd, file);
  if (!existsSync(path)) throw new Failure(EXIT.io, 'cannot read the model: no such file', { place: path });
  const library = await loadLibrary(env);
  const { head, messages } = headOf(conversation);
  const all = [...messages, ...conversation.items.flatMap((item) => messageOf(item) ?? [])];
  const llama = await library.getLlama({
    build: 'never',
    logLevel: 'error',
    gpu: env.AI_GPU === 'off' ? false : 'auto',
  });
  try {
    const { text, stop, usage } = await run(library, llama, path, { head, all }, context, onDelta);
    return {
      role: 'assistant',
      parts: [{ type: 'text', text }],
      by: { provider: 'gguf', model: file },
      stop: { reason: stop === 'maxTokens' ? 'length' : 'stop', raw: stop },
      usage: { input: usage.usedInputTokens, output: usage.usedOutputTokens },
    };
  } finally {
    await llama.dispose();
  }
}

async function run(
  { LlamaChatSession }: Module,
  llama: Llama,
  modelPath: string,
  { head, all }: { readonly head: Head; readonly all: readonly Message[] },
  context: Run['context'],
  onDelta: OnDelta | undefined,
) {
  const model = await load(llama, modelPath);
  const created = await model.createContext({ threads: freeThreads(), contextSize: { max: model.trainContextSize } });
  const sequence = created.getSequence();
  const chat = new LlamaChatSession({ contextSequence: sequence, autoDisposeSequence: false });
  const { history, last } = toTurns(head, all);
  chat.setChatHistory(history);
  const { responseText: text, stopReason: stop } = await chat.promptWithMeta(last, {
    ...parameters(head),
    signal: context.signal,
    stopOnAbortSignal: false,
    onTextChunk: (piece: string) => onDelta?.({ type: 'delta', index: 0, text: piece }),
  });
  return { text, stop, usage: sequence.tokenMeter.getState() };
}

async function load(llama: Llama, modelPath: string): Promise<Model> {
  try {
    return await llama.loadModel({ modelPath });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Failure(EXIT.badInput, `cannot load the model: ${why}`, { place: modelPath });
  }
}

/** A model that does not know where to end would go on until its window is full. */
const LONGEST = 2048;

function parameters({ maxTokens, temperature, topP, topK, seed, stop }: Head): object {
  return {
    maxTokens: maxTokens ?? LONGEST,
    ...(typeof temperature === 'number' && { temperature }),
    ...(typeof topP === 'number' && { topP }),
    ...(typeof topK === 'number' && { topK }),
    ...(typeof seed === 'number' && { seed }),
    ...(stop && stop.length > 0 && { customStopTriggers: [...stop] }),
  };
}

/** Threads that wait for a processor wait for each other: more than are free make every token take a second. */
function freeThreads(): number {
  const { availableParallelism, loadavg } = process.getBuiltinModule('node:os');
  return Math.max(1, availableParallelism() - Math.round(loadavg()[0] ?? 0));
}

/** Beside this program, or where the line below installs it. */
async function loadLibrary(env: Run['env']): Promise<Module> {
  const home = env.XDG_DATA_HOME || (env.HOME && join(env.HOME, '.local', 'share'));
  const prefix = home && join(home, 'ai');
  for (const base of [prefix && join(prefix, 'x.js'), here()]) {
    const path = base && found(base);
    if (path) return (await import(pathToFileURL(path).href)) as Module;
  }
  throw new Failure(EXIT.unavailable, 'cannot run a model file: node-llama-cpp is not installed', {
    hint: `npm install --prefix ${prefix ?? '~/.local/share/ai'} node-llama-cpp@${VERSION}`,
  });
}

function found(base: string): string | undefined {
  try {
    return createRequire(base).resolve('node-llama-cpp');
  } catch {
    return undefined;
  }
}

const here = (): string => new URL(import.meta.url).pathname;

/** A turn in node-llama-cpp's chat history. */
type Turn =
  | { readonly type: 'system' | 'user'; readonly text: string }
  | { readonly type: 'model'; readonly response: readonly string[] };

/** The chat history before the user's last turn, and that turn's text. Tools and tool calls become text, which ai-recover-tools reads. */
function toTurns(head: Head, messages: readonly Message[]): { readonly history: Turn[]; readonly last: string } {
  const system = messages
    .filter(({ role }) => role === 'system' || role === 'developer')
    .map(({ parts }) => textOf(parts));
  if (head.tools && head.tools.length > 0) system.push(toolsText(head.tools));
  const turns: Turn[] = system.length > 0 ? [{ type: 'system', text: system.join('\n\n') }] : [];
  for (const { role, parts } of messages) {
    if (role === 'system' || role === 'developer') continue;
    const text = textOf(parts);
    const before = turns.at(-1);
    if (role === 'assistant') turns.push({ type: 'model', response: [text] });
    else if (before?.type === 'user') turns[turns.length - 1] = { type: 'user', text: `${before.text}\n\n${text}` };
    else turns.push({ type: 'user', text });
  }
  const last = turns.at(-1);
  if (last?.type === 'user') return { history: turns.slice(0, -1), last: last.text };
  return { history: turns, last: '' };
}

/** The way of Hermes and Qwen, which most small models have seen. */
const toolsText = (tools: readonly Tool[]): string =>
  `You may call tools. They are:\n<tools>\n${tools
    .map(({ name, description, schema }) => JSON.stringify({ name, description, parameters: schema ?? {} }))
    .join('\n')}\n</tools>\nTo call one, write:\n<tool_call>\n{"name": "NAME", "arguments": {}}\n</tool_call>`;

function textOf(parts: readonly Part[]): string {
  const pieces = parts.flatMap((part) => {
    if (part.type === 'text' || part.type === 'refusal') return [part.text];
    if (part.type === 'tool_call')
      return [`<tool_call>\n${JSON.stringify({ name: part.name, arguments: part.input ?? {} })}\n</tool_call>`];
    return part.type === 'tool_result' ? [`<tool_response>\n${textOf(part.parts)}\n</tool_response>`] : [];
  });
  return pieces.join('\n');
}
