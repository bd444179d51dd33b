// Why a reply ended, in the words of the API that the client speaks: whole, as a stream, and from a conversation that ai-complete went on with.
import { describe, expect, test } from 'vitest';
import type { Message } from '../../../src/lib/conversation/types.ts';
import { formatNamed } from '../../../src/lib/dialects/table.ts';
import type { Format } from '../../../src/lib/dialects/types.ts';
import { isObject, type Json, type JsonObject } from '../../../src/lib/json/values.ts';
import { eventOf, FrameParser } from '../../../src/lib/streams/aws-event-stream.ts';
import { faultServer, json } from '../../fault-server.ts';
import { asLines, readOut } from '../../laws/generate.ts';
import { run } from '../../run.ts';

/** Each API's field for it, all its words, and those for a call, an end and a limit. */
interface Api {
  readonly field: string;
  readonly words: string;
  readonly called: string;
  readonly ended: string;
  readonly limit: string;
}

const CHAT = { field: 'finish_reason', called: 'tool_calls', ended: 'stop', limit: 'length' };
const APIS: { readonly [name: string]: Api } = {
  openai: { ...CHAT, words: 'stop length tool_calls content_filter function_call' },
  mistral: { ...CHAT, words: 'stop length model_length error tool_calls' },
  ollama: { field: 'done_reason', words: 'stop length', called: 'stop', ended: 'stop', limit: 'length' },
  anthropic: {
    field: 'stop_reason',
    words: 'end_turn max_tokens stop_sequence tool_use pause_turn refusal model_context_window_exceeded compaction',
    called: 'tool_use',
    ended: 'end_turn',
    limit: 'max_tokens',
  },
  gemini: {
    field: 'finishReason',
    words: 'STOP MAX_TOKENS SAFETY RECITATION LANGUAGE OTHER MALFORMED_FUNCTION_CALL CONTINUATION',
    called: 'STOP',
    ended: 'STOP',
    limit: 'MAX_TOKENS',
  },
  bedrock: {
    field: 'stopReason',
    words:
      'end_turn tool_use max_tokens stop_sequence guardrail_intervened content_filtered malformed_model_output model_context_window_exceeded',
    called: 'tool_use',
    ended: 'end_turn',
    limit: 'max_tokens',
  },
  cohere: {
    field: 'finish_reason',
    words: 'COMPLETE STOP_SEQUENCE MAX_TOKENS TOOL_CALL ERROR TIMEOUT',
    called: 'TOOL_CALL',
    ended: 'COMPLETE',
    limit: 'MAX_TOKENS',
  },
  'openai-responses': {
    field: 'status',
    words: 'completed incomplete failed in_progress',
    called: 'completed',
    ended: 'completed',
    limit: 'incomplete',
  },
};
const NAMES = Object.keys(APIS);
const api = (name: string): Api => APIS[name] as Api;

const CALL = { type: 'tool_call', id: 'call12345', name: 'Read', input: { path: 'a' } } as const;
const TEXT = { type: 'text', text: 'Hello.' } as const;

/** A reply as the API sends it, with a word that may be none of its own. */
function replyOf(name: string, parts: Message['parts'], word: string): JsonObject {
  const native = (formatNamed(name) as Format).writeReply(
    {
      role: 'assistant',
      id: 'r1',
      parts,
      by: { model: 'm' },
      at: 1000,
      stop: { reason: 'stop' },
      usage: { input: 1, output: 1 },
    },
    () => {},
  );
  const incomplete =
    name === 'openai-responses' && word === 'incomplete' ? { incomplete_details: { reason: 'max_output_tokens' } } : {};
  return { ...(withWord(native, api(name).field, word) as JsonObject), ...incomplete };
}

function withWord(value: Json | undefined, field: string, word: string): Json {
  if (Array.isArray(value)) return value.map((item) => withWord(item, field, word));
  if (!isObject(value)) return value ?? null;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === field && !('content' in value && field === 'status' && 'role' in value)
        ? word
        : withWord(item, field, word),
    ]),
  );
}

/** Every word in a reply or its events; items of the Responses API have a status of their own. */
function wordsIn(value: Json | undefined, field: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => wordsIn(item, field));
  if (!isObject(value)) return [];
  const { [field]: word, _meta, ...others } = value;
  const said =
    typeof word === 'string' && (field !== 'status' || value.object === 'response') && word !== '' ? [word] : [];
  return [...said, ...Object.values(others).flatMap((item) => wordsIn(item, field))];
}

/** The events of a stream, in whichever framing. */
function eventsOf(stdout: string, name: string): JsonObject[] {
  if (name === 'bedrock')
    return new FrameParser().push(Buffer.from(stdout, 'latin1')).map((frame) => eventOf(frame) as JsonObject);
  if (name === 'ollama') return readOut(stdout);
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)));
}

/** The same run, with what it wrote byte by byte. */
async function bytes(argv: readonly string[], stdin: string | Uint8Array): Promise<string> {
  const out: Uint8Array[] = [];
  const { status, stderr } = await run('ai-transform', argv, {
    stdin,
    onStdout: (some) => out.push(Buffer.from(some)),
  });
  expect(status, stderr).toBe(0);
  return Buffer.concat(out).toString('latin1');
}

const wanted = (name: string, kind: 'called' | 'ended' | 'limit'): string => api(name)[kind];
const END = (words: readonly string[]): string | undefined => words.filter((word) => word !== 'in_progress').at(-1);

const KINDS = [
  ['called', [TEXT, CALL]],
  ['ended', [TEXT]],
  ['limit', [TEXT]],
] as const;

const pairs = NAMES.flatMap((from) => NAMES.filter((to) => to !== from).map((to) => [from, to] as const));

describe.each(pairs)('%s → %s', (from, to) => {
  test.each(KINDS)('%s', async (kind, parts) => {
    const { field } = api(to);
    const stdin = asLines([replyOf(from, parts, api(from)[kind])]);
    const whole = readOut(await bytes(['-q', '--from', from, '--to', to], stdin));
    expect(wordsIn(whole, field)).toEqual([wanted(to, kind)]);
    const told = eventsOf(await bytes(['-q', '--from', from, '--to', to, '--sse'], stdin), to);
    expect(END(wordsIn(told, field))).toBe(wanted(to, kind));
    const stream = Buffer.from(await bytes(['-q', '--from', from, '--sse'], stdin), 'latin1');
    const live = eventsOf(await bytes(['-q', '--from', from, '--to', to, '--sse'], stream), to);
    expect(END(wordsIn(live, field))).toBe(wanted(to, kind));
  });

  test('any word of the one is one of the other', async () => {
    const { field, words } = api(to);
    for (const word of [...api(from).words.split(' '), 'a_word_of_2027'])
      for (const [, parts] of KINDS) {
        const stdin = asLines([replyOf(from, parts, word)]);
        for (const argv of [[], ['--sse']]) {
          const out = await bytes(['-q', '--from', from, '--to', to, ...argv], stdin);
          const found = wordsIn(argv.length > 0 ? eventsOf(out, to) : readOut(out), field);
          for (const one of found) expect(words.split(' '), `${word}: ${out}`).toContain(one);
        }
      }
  });
});

describe.each(NAMES)('%s', (name) => {
  test('its own replies keep their words, known or not', async () => {
    const { field, words } = api(name);
    // A reply that failed is none.
    for (const word of name === 'openai-responses'
      ? ['completed', 'incomplete']
      : [...words.split(' '), 'a_word_of_2027'])
      for (const [, parts] of KINDS) {
        const stdin = asLines([replyOf(name, parts, word)]);
        const there = await bytes(['-q', '--from', name, '--sse'], stdin);
        expect(END(wordsIn(eventsOf(there, name), field)), word).toBe(END([word]));
        const back = await bytes(['-q', '--from', name, '--to', name], Buffer.from(there, 'latin1'));
        expect(END(wordsIn(readOut(back), field)), word).toBe(END([word]));
      }
  });
});

/** What ai-complete writes keeps the provider's word in `_meta`; a client of the conversation's API gets one of its own. */
describe('an answer that ai-complete wrote', () => {
  const PROVIDERS: { readonly [from: string]: string } = {
    anthropic: 'anthropic/claude-sonnet-4-5',
    gemini: 'google/gemini-2.5-pro',
    openai: 'deepseek/deepseek-chat',
    'openai-responses': 'openai/gpt-5.3-codex',
    cohere: 'cohere/command-a-03-2025',
    mistral: 'mistral/mistral-large-latest',
  };
  test.each(Object.entries(PROVIDERS))('of %s', async (from, model) => {
    for (const [kind, parts] of KINDS) {
      const server = await faultServer(json(200, replyOf(from, parts, api(from)[kind])));
      await using _ = server;
      for (const to of NAMES) {
        const [asked] = (formatNamed(to) as Format).writeMessages([{ role: 'user', parts: [TEXT] }], () => {});
        const argv = ['-q', '-n', '-m', model, '--base-url', server.url, '--retries', '0'];
        const head = {
          ...(formatNamed(to) as Format).writeHead({ model: 'x', maxTokens: 100 }, [], () => {}).native,
          _meta: { dialect: to },
        };
        const stdin = asLines([head, asked as JsonObject]);
        const { stdout, stderr, status } = await run('ai-complete', argv, { stdin, env: { AI_API_KEY: 'k' } });
        expect(status, `${to}: ${stderr}`).toBe(0);
        const told = eventsOf(await bytes(['-q', '--from', to, '--to', to, '--sse'], stdout), to);
        expect(END(wordsIn(told, api(to).field)), `${kind} ${to}: ${stdout}`).toBe(wanted(to, kind));
      }
    }
  });
});
