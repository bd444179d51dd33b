// Which dialect a record is taken for: its own stream's, and never a dialect that only looks alike.
import { describe, expect, test } from 'vitest';
import { ask, identify } from '../../../src/lib/dialects/detect.ts';
import { FORMATS } from '../../../src/lib/dialects/table.ts';
import { isObject, type JsonObject } from '../../../src/lib/json/values.ts';
import { APIS, accepted, CORPORA, fixture, ollamaExamples, readLines } from '../../fixtures.ts';

const KINDS = { messages: 'message', heads: 'head', replies: 'reply' } as const;

for (const format of APIS)
  describe(format.name, () => {
    for (const [file, kind] of Object.entries(KINDS))
      fixture(format.name, file as keyof typeof KINDS).forEach((native, i) =>
        test(`${kind} ${i + 1} is its own in a stream of its own`, () => {
          const found = identify(native, format.name);
          expect([found?.format.name, found?.kind]).toEqual([format.name, kind]);
        }),
      );
  });

describe('surely theirs', () => {
  const RECORDS: { readonly [format: string]: readonly JsonObject[] } = {
    bedrock: [
      { modelId: 'm' },
      { system: [{ text: 'Be brief.' }] },
      { messages: [{ role: 'user', content: [{ text: 'Hi' }] }] },
      { role: 'user', content: [{ toolResult: { toolUseId: 't', content: [] } }] },
      { output: { message: { role: 'assistant', content: [] } }, stopReason: 'end_turn' },
    ],
    ollama: [
      { model: 'llama3.2', messages: [], options: { num_ctx: 8 } },
      { model: 'llama3.2', format: 'json' },
      { model: 'llama3.2', think: true },
      { role: 'tool', tool_name: 'Read', content: 'x' },
      { role: 'user', content: 'x', images: ['iVBORw0KGgo='] },
      { role: 'assistant', content: '', tool_calls: [{ function: { name: 'Read', arguments: {} } }] },
      { model: 'm', message: { role: 'assistant', content: '' }, done: true },
    ],
    mistral: [
      { model: 'm', random_seed: 1 },
      { model: 'm', safe_prompt: true, messages: [{ role: 'user', content: 'Hi' }] },
      { role: 'user', content: [{ type: 'document_url', document_url: 'https://example.com/a.pdf' }] },
      { role: 'assistant', content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] }] },
    ],
    cohere: [
      { model: 'm', k: 5, p: 0.5 },
      { model: 'm', tool_choice: 'REQUIRED', tools: [{ type: 'function', function: { name: 'Read' } }] },
      { model: 'm', thinking: { type: 'enabled', token_budget: 100 } },
      { role: 'assistant', tool_plan: 'I read.', tool_calls: [] },
      { id: '1', finish_reason: 'COMPLETE', message: { role: 'assistant', content: [] } },
    ],
  };
  for (const [format, records] of Object.entries(RECORDS))
    test.each(records.map((record) => [JSON.stringify(record), record] as const))(`${format}: %s`, (_, record) => {
      for (const current of [undefined, 'openai', 'anthropic']) {
        const found = identify(record, current);
        expect([found?.format.name, found?.sure]).toEqual([format, true]);
      }
    });
});

describe('lines of streams are no records', () => {
  const LINES: readonly JsonObject[] = [
    { model: 'm', created_at: '', message: { role: 'assistant', content: 'The' }, done: false },
    { id: 'c', object: 'chat.completion.chunk', model: 'm', choices: [{ index: 0, delta: { content: 'a' } }] },
    { contentBlockDelta: { contentBlockIndex: 0, delta: { text: 'a' } } },
    { type: 'content-delta', index: 0, delta: {} },
  ];
  test.each(LINES.map((line) => [JSON.stringify(line), line] as const))('%s', (_, line) => {
    expect(identify(line)).toBeUndefined();
  });
});

describe('a stream in a dialect of Chat', () => {
  const shared: JsonObject = {
    role: 'assistant',
    content: '',
    tool_calls: [{ id: 'aaaaaaaa1', type: 'function', function: { name: 'Read', arguments: '{}' } }],
  };
  test.each(['mistral', 'cohere', 'ollama', 'openai'])('%s takes what it shares with Chat', (current) => {
    expect(identify(shared, current)?.format.name).toBe(current);
  });
  test('any other stream does not', () => {
    expect(identify(shared)?.format.name).toBe('openai');
    expect(identify(shared, 'bedrock')?.format.name).toBe('openai');
  });
});

describe.skipIf(CORPORA === undefined)('what was recorded', () => {
  const CHAT = [
    'openai-chat',
    'openai-chat-compat',
    'openai-chat-deepseek',
    'openai-chat-groq',
    'openai-chat-openrouter',
  ];
  test.each(CHAT)('%s is never taken for a dialect of Chat', (folder) => {
    const taken = accepted(folder).flatMap(({ id, request, response }) => {
      const { messages, ...head } = request as { messages: JsonObject[] } & JsonObject;
      const records = [request as JsonObject, head, ...messages, response as JsonObject];
      const names = records.map((record) => identify(record)?.format.name ?? 'openai');
      return names.filter((name) => name !== 'openai' && name !== 'anthropic').map((name) => [id, name]);
    });
    expect(taken).toEqual([]);
  });

  const OWN: { readonly [folder: string]: string } = {
    'bedrock-converse': 'bedrock',
    'mistral-chat': 'mistral',
    'cohere-v2-chat': 'cohere',
    'anthropic-messages': 'anthropic',
  };
  test.each(Object.entries(OWN))('%s stays %s once the stream is', (folder, name) => {
    const strange = accepted(folder).flatMap(({ id, request }) => {
      const { messages, ...head } = request as { messages: JsonObject[] } & JsonObject;
      return [head, ...messages].filter((record) => identify(record, name)?.format.name !== name).map(() => id);
    });
    expect(strange).toEqual([]);
  });

  test("Ollama's examples stay Ollama's once the stream is", () => {
    const strange = ollamaExamples('request').filter((body) => identify(body, 'ollama')?.format.name !== 'ollama');
    expect(strange).toEqual([]);
  });
});

describe('the quick answer is the formats’ own', () => {
  const currents = [undefined, ...FORMATS.map(({ name }) => name)];
  /** Records for which the quick answer differs from what each format says of them. */
  const drifted = (records: readonly JsonObject[]): unknown[] =>
    records.flatMap((record) => {
      // A head that its `_meta` marks is known by that.
      if (record.role === undefined && record._meta !== undefined) return [];
      return currents.flatMap((current) => {
        const [quick, slow] = [identify(record, current), ask(record, current)];
        return quick === slow ? [] : [{ record, current, quick: quick?.format.name, slow: slow?.format.name }];
      });
    });
  /** The messages of bodies, whatever their dialect keeps them under. */
  const messagesIn = (bodies: readonly JsonObject[]): JsonObject[] =>
    bodies.flatMap((body) =>
      ['messages', 'input', 'contents'].flatMap((field) =>
        Array.isArray(body[field]) ? body[field].filter(isObject) : [],
      ),
    );

  test('for every fixture', () => {
    const records = FORMATS.flatMap(({ name }) => [
      ...fixture(name, 'messages'),
      ...fixture(name, 'heads'),
      ...fixture(name, 'replies'),
    ]);
    expect(drifted(records)).toEqual([]);
  });

  test('for the commonest shapes, with something odd in each', () => {
    const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };
    const odd = [undefined, null, '', 1, [], {}, [null], [call], [{ ...call, id: 1 }], [{ ...call, index: 0 }]];
    const oddCalls = [
      { function: { name: 'f', arguments: {} } },
      { ...call, type: 'custom' },
      { ...call, function: null },
    ];
    const records = ['user', 'assistant', 'system', 'developer', 'tool', 'model', 'function', ''].flatMap((role) =>
      ['text', null, undefined, []].flatMap((content) =>
        [...odd, oddCalls, ...oddCalls.map((each) => [each])].flatMap((value) => [
          { role, content, tool_calls: value },
          { role, content, tool_call_id: value },
          { role, content, tool_call_id: 'c', tool_calls: value },
          { role, content, name: value },
        ]),
      ),
    );
    const present = records.map((record) => JSON.parse(JSON.stringify(record)) as JsonObject);
    expect(drifted(present)).toEqual([]);
  });

  test.skipIf(CORPORA === undefined)('for every recorded message', () => {
    const folders = [
      ...['anthropic-messages', 'openai-chat', 'openai-responses', 'gemini-generate-content', 'bedrock-converse'],
      ...['mistral-chat', 'cohere-v2-chat', 'openai-chat-groq', 'openai-chat-openrouter', 'openai-chat-compat'],
    ];
    const bodies = folders.flatMap((folder) => accepted(folder).map(({ request }) => request as JsonObject));
    const files = ['taubench-airline.openai', 'sweagent.openai', 'pi.anthropic', 'openhands'];
    const rows = files.flatMap((file) => readLines(`${CORPORA}/conversations/${file}.jsonl`));
    const messages = messagesIn([...bodies, ...rows, ...ollamaExamples('request')]);
    expect(messages.length).toBeGreaterThan(3000);
    expect(drifted(messages)).toEqual([]);
  });
});
