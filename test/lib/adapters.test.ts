// Adapters: what each family of models wants, and ids and names that come back.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { adapted } from '../../src/lib/constraints/adapt/adapt.ts';
import { ADAPTERS } from '../../src/lib/constraints/families/table.ts';
import { modelName } from '../../src/lib/conversation/model-name.ts';
import type { Head, Message } from '../../src/lib/conversation/types.ts';
import { constraintsOf, demanding } from '../../src/lib/dialects/table.ts';

const user = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] });
const system = (text: string): Message => ({ role: 'system', parts: [{ type: 'text', text }] });
const said = (text: string): Message => ({ role: 'assistant', parts: [{ type: 'text', text }] });
const calls = (...ids: string[]): Message => ({
  role: 'assistant',
  parts: ids.map((id) => ({ type: 'tool_call', id, name: 'Read', input: {} })),
});
const results = (...ids: string[]): Message => ({
  role: 'tool',
  parts: ids.map((callId) => ({ type: 'tool_result', callId, parts: [{ type: 'text', text: `R ${callId}` }] })),
});

function adapt(to: string, model: string, head: Head, messages: Message[] = [], from = 'other') {
  const losses: string[] = [];
  const written = adapted({ head: { model, ...head }, messages }, from, to, (field, _why, fate = 'lost') =>
    losses.push(`${fate} ${field}`),
  );
  return { ...written, losses };
}

describe('model names', () => {
  test.each([
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude', 4.5],
    ['anthropic/claude-opus-4.8', 'claude', 4.8],
    ['claude-sonnet-4-20250514', 'claude', 4],
    ['claude-3-5-sonnet-20241022', 'claude', 3.5],
    ['claude-opus-4-1@20250805', 'claude', 4.1],
    ['gpt-4.1-mini', 'gpt', 4.1],
    ['o3-mini', 'gpt', 3],
    ['openai/gpt-oss-120b', 'gpt-oss', 0],
    ['models/gemini-2.5-pro', 'gemini', 2.5],
    ['deepseek-ai/DeepSeek-V3.2', 'deepseek', 3.2],
    ['moonshotai/kimi-k2-thinking', 'kimi', 2],
    ['us.meta.llama3-1-8b-instruct-v1:0', 'llama', 3.1],
    ['mistralai/Mistral-Small-3.2-24B', 'mistral', 3.2],
    ['x-ai/grok-4-fast', 'grok', 4],
  ])('%s is of the family %s, %d', (name, family, version) => {
    expect(modelName(name)).toMatchObject({ family, version });
  });
  test('of nobody', () => {
    for (const name of ['', 'muse-spark-1.1', '/', '.', 'x'.repeat(1e6)]) expect(modelName(name)).toBeUndefined();
    expect(modelName(null as never)).toBeUndefined();
  });
});

describe('Claude', () => {
  test.each([
    ['claude-haiku-4-5', 'low', { mode: 'on', budget: 1024 }],
    ['claude-sonnet-4-5', 'medium', { mode: 'on', budget: 2048 }],
    ['claude-sonnet-4-5', 'max', { mode: 'on', budget: 16384 }],
    ['claude-sonnet-4-6', 'minimal', { mode: 'adaptive', effort: 'low' }],
    ['claude-opus-4-6', 'xhigh', { mode: 'adaptive', effort: 'high' }],
    ['claude-opus-4-7', 'xhigh', { mode: 'adaptive', effort: 'xhigh' }],
    ['claude-opus-4-6', 'max', { mode: 'adaptive', effort: 'max' }],
    ['claude-haiku-4-5', 'none', undefined],
    ['claude-opus-5', 'none', { mode: 'off' }],
  ])('%s takes the effort %s as %j', (model, effort, reasoning) => {
    expect(adapt('anthropic', model, { reasoning: { effort }, maxTokens: 32000 }).head.reasoning).toEqual(reasoning);
  });

  test('a budget leaves room for the answer', () => {
    expect(adapt('anthropic', 'claude-sonnet-4-5', { reasoning: { effort: 'high' } }).head).toMatchObject({
      maxTokens: 8192,
      reasoning: { budget: 4096 },
    });
    expect(
      adapt('anthropic', 'claude-sonnet-4-5', { reasoning: { effort: 'high' }, maxTokens: 2000 }).head.reasoning,
    ).toMatchObject({ budget: 1999 });
    expect(
      adapt('anthropic', 'claude-sonnet-4-5', { reasoning: { effort: 'high' }, maxTokens: 500 }).head.reasoning,
    ).toBeUndefined();
  });

  test('sampling parameters go where they are refused', () => {
    const { head, losses } = adapt('anthropic', 'claude-opus-4-7', { temperature: 0.2, topP: 0.9, topK: 5 });
    expect(head).toMatchObject({ temperature: undefined, topP: undefined, topK: undefined });
    expect(losses).toEqual(['lost temperature', 'lost top_p', 'lost top_k']);
    expect(adapt('anthropic', 'claude-sonnet-4-5', { temperature: 0.2, topP: 0.9 }).head).toMatchObject({
      temperature: 0.2,
      topP: undefined,
    });
    expect(adapt('anthropic', 'claude-3-5-sonnet', { temperature: 0.2, topP: 0.9 }).losses).toEqual([]);
  });

  test('a forced call becomes a free one beside a budget', () => {
    const head = {
      reasoning: { effort: 'low' },
      maxTokens: 9000,
      toolChoice: { mode: 'required' as const },
      tools: [{ type: 'function' as const, name: 'Read' }],
    };
    expect(adapt('anthropic', 'claude-sonnet-4-5', head).head.toolChoice?.mode).toBe('auto');
    expect(adapt('anthropic', 'claude-opus-4-6', head).head.toolChoice?.mode).toBe('required');
  });

  test('system messages in the middle stand behind the user’s turn, or are the user’s for an older model', () => {
    const messages = [system('A'), user('1'), said('2'), system('S'), user('3'), user('4'), said('5')];
    const newer = adapt('anthropic', 'claude-opus-4-8', {}, messages);
    expect(newer.messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'user',
      'user',
      'system',
      'assistant',
    ]);
    const older = adapt('anthropic', 'claude-sonnet-4-5', {}, messages);
    expect(older.messages[5]).toMatchObject({
      role: 'user',
      parts: [{ text: '<system>\nS\n</system>' }],
      meta: { role: 'system' },
    });
    const back = adapted({ head: {}, messages: older.messages }, 'anthropic', 'openai', () => {});
    expect(back.messages[5]).toEqual(system('S'));
  });

  test('a system message never stands between a call and its result', () => {
    const messages = [user('1'), calls('a'), system('S'), results('a'), said('2')];
    const { messages: placed } = adapt('anthropic', 'claude-opus-4-8', {}, messages);
    expect(placed.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'system', 'assistant']);
  });
});

describe('OpenAI’s models', () => {
  test('reasoning models take no sampling, and developer messages', () => {
    const { head, messages, losses } = adapt(
      'openai',
      'o3',
      { temperature: 0.5, topP: 0.5, stop: ['x'], presencePenalty: 1 },
      [system('A'), user('1')],
    );
    expect(head).toMatchObject({
      temperature: undefined,
      topP: undefined,
      stop: undefined,
      presencePenalty: undefined,
    });
    expect(messages[0]?.role).toBe('developer');
    expect(losses).toEqual(['lost temperature', 'lost top_p', 'lost presence_penalty', 'lost stop']);
  });
  test('gpt-5.1 takes them while it does not reason', () => {
    expect(adapt('openai', 'gpt-5.1', { temperature: 0.5 }).head.temperature).toBe(0.5);
    expect(
      adapt('openai', 'gpt-5.1', { temperature: 0.5, reasoning: { effort: 'low' } }).head.temperature,
    ).toBeUndefined();
  });
  test('o1-mini takes no instructions at all', () => {
    expect(adapt('openai', 'o1-mini', {}, [system('A')]).messages[0]?.role).toBe('user');
  });
  test.each([
    ['gpt-5', { mode: 'off' }, 'minimal'],
    ['gpt-5.1', { mode: 'off' }, 'none'],
    ['gpt-5', { mode: 'on', budget: 16000 }, 'high'],
    ['o3', { effort: 'minimal' }, 'low'],
    ['gpt-5.2', { effort: 'max' }, 'xhigh'],
    ['gpt-4o', { effort: 'high' }, undefined],
  ])('%s takes %j as %s', (model, reasoning, effort) => {
    expect(adapt('openai', model, { reasoning: reasoning as Head['reasoning'] }).head.reasoning?.effort).toBe(effort);
  });
});

describe('models that reason between calls', () => {
  const turn: Message = { role: 'user', parts: [...results('a', 'b').parts, { type: 'text', text: 'Environment.' }] };

  test.each(['deepseek-reasoner', 'glm-4.7', 'minimax-m2'])(
    '%s: text after results goes into the last of them',
    (model) => {
      const { messages, losses } = adapt('openai', model, {}, [turn]);
      expect(messages[0]?.parts).toMatchObject([
        { callId: 'a', parts: [{ text: 'R a' }] },
        { callId: 'b', parts: [{ text: 'R b\n\nEnvironment.' }] },
      ]);
      expect(losses).toContain('moved text after tool results');
    },
  );
  test('with an image among it, it stays where it is', () => {
    const mixed: Message = {
      ...turn,
      parts: [
        ...turn.parts,
        { type: 'media', kind: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
      ],
    };
    expect(adapt('openai', 'deepseek-reasoner', {}, [mixed]).messages).toEqual([mixed]);
  });
  test.each([
    ['deepseek-v4-pro', ''],
    ['kimi-k2-thinking', ''],
  ])('%s: a turn with calls never lacks its reasoning', (model, text) => {
    expect(adapt('openai', model, {}, [calls('a')]).messages[0]?.parts[0]).toMatchObject({ type: 'reasoning', text });
    expect(adapt('openai', model, {}, [said('x')]).messages).toEqual([said('x')]);
  });
  test.each([
    ['deepseek-reasoner', 'reasoning_content'],
    ['qwen3-32b', 'reasoning_content'],
    ['gpt-oss-120b', 'reasoning'],
  ])('%s: reasoning stands in %s', (model, field) => {
    const thought: Message = {
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'Hm.' },
        { type: 'text', text: 'a' },
      ],
    };
    expect(adapt('openai', model, {}, [thought]).messages[0]?.parts[0]).toMatchObject({ form: { openai: field } });
  });
  test('MiniMax: reasoning is text between tags', () => {
    const thought: Message = {
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'Hm.' },
        { type: 'text', text: 'a' },
      ],
    };
    expect(adapt('openai', 'MiniMax-M2', {}, [thought]).messages[0]?.parts).toEqual([
      { type: 'text', text: '<think>Hm.</think>\n\na' },
    ]);
  });
});

describe('templates', () => {
  test('Mistral: the assistant speaks between a result and the user, and not any more on the way back', () => {
    const messages = [
      user('1'),
      calls('call_abcdef'),
      { role: 'user' as const, parts: [...results('call_abcdef').parts, { type: 'text' as const, text: 'And?' }] },
    ];
    const there = adapt('mistral', 'mistral-large-latest', {}, messages);
    expect(there.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
    const back = adapted({ head: {}, messages: there.messages }, 'mistral', 'openai', () => {});
    expect(back.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
  });
  test('Llama: one call at a time', () => {
    const { messages } = adapt('openai', 'llama-3.1-8b', {}, [
      user('1'),
      calls('a', 'b'),
      results('b'),
      results('a'),
      user('2'),
    ]);
    expect(
      messages.map(({ parts: [part] }) =>
        part?.type === 'tool_call' ? part.id : part?.type === 'tool_result' ? `R ${part.callId}` : 'text',
      ),
    ).toEqual(['text', 'a', 'R a', 'b', 'R b', 'text']);
  });
  test('Gemma: roles alternate, and instructions are the user’s', () => {
    const { messages } = adapt('openai', 'gemma-2-9b-it', {}, [
      system('A'),
      user('1'),
      user('2'),
      said('3'),
      said('4'),
    ]);
    expect(messages.map(({ role, parts }) => [role, parts.length])).toEqual([
      ['user', 3],
      ['assistant', 2],
    ]);
  });
  test('Grok: no penalties and no stop while it reasons', () => {
    expect(adapt('openai', 'grok-4', { stop: ['x'], presencePenalty: 1 }).head).toMatchObject({
      stop: undefined,
      presencePenalty: undefined,
    });
    expect(adapt('openai', 'grok-2', { stop: ['x'] }).head.stop).toEqual(['x']);
  });
});

describe('ids', () => {
  const id = fc.oneof(fc.stringMatching(/^[a-zA-Z0-9_.:-]{1,50}$/), fc.string({ minLength: 1, maxLength: 600 }));
  const apis = demanding(({ ids }) => ids);

  test.each(apis)('%s: any ids are good, told apart, the same in calls and results, and come back', (api) => {
    fc.assert(
      fc.property(fc.uniqueArray(id, { minLength: 1, maxLength: 30 }), (ids) => {
        const messages = ids.flatMap((one) => [calls(one), results(one)]);
        const there = adapted({ head: {}, messages }, 'other', api, () => {}).messages;
        const named = there.flatMap(({ parts }) =>
          parts.flatMap((part) => (part.type === 'tool_call' ? [part.id] : [])),
        );
        const answered = there.flatMap(({ parts }) =>
          parts.flatMap((part) => (part.type === 'tool_result' ? [part.callId] : [])),
        );
        const { pattern, most } = constraintsOf(api).ids ?? { pattern: /^/, most: 0 };
        for (const name of named) expect(name.length <= most && pattern.test(name), name).toBe(true);
        expect(new Set(named).size).toBe(ids.length);
        expect(answered).toEqual(named);
        expect(adapted({ head: {}, messages: there }, api, 'gemini', () => {}).messages).toEqual(messages);
      }),
      { numRuns: 300 },
    );
  });

  test('a good id stays, and the same id is renamed the same in every run', () => {
    const name = (ids: string[]) =>
      adapted({ head: {}, messages: ids.map((one) => calls(one)) }, 'other', 'mistral', () => {}).messages.map(
        ({ parts }) => (parts[0] as { id: string }).id,
      );
    expect(name(['abcdefghi'])).toEqual(['abcdefghi']);
    expect(name(['toolu_01', 'toolu_02'])[1]).toBe(name(['toolu_02'])[0]);
    expect(
      adapted({ head: {}, messages: [calls('functions.Bash:0')] }, 'other', 'anthropic', () => {}).messages[0]
        ?.parts[0],
    ).toMatchObject({ id: 'functions_Bash_0' });
  });

  test('an id that comes again after its answer is another call', () => {
    const messages = [calls('get:0'), results('get:0'), calls('get:0'), results('get:0')];
    const there = adapted({ head: {}, messages }, 'openai', 'anthropic', () => {}).messages;
    const [a, ra, b, rb] = there.map(({ parts: [part] }) =>
      part?.type === 'tool_call' ? part.id : part?.type === 'tool_result' ? part.callId : '',
    );
    expect([a, b]).toEqual([ra, rb]);
    expect(a).not.toBe(b);
    expect(adapted({ head: {}, messages: there }, 'anthropic', 'openai', () => {}).messages).toEqual(messages);
  });

  test('calls without ids get some, and their results the same', () => {
    const { messages } = adapt('anthropic', '', {}, [calls('', ''), results('', '')]);
    expect(
      messages.map(({ parts }) =>
        parts.map((part) => (part.type === 'tool_call' ? part.id : part.type === 'tool_result' ? part.callId : '')),
      ),
    ).toEqual([
      ['call_1', 'call_2'],
      ['call_1', 'call_2'],
    ]);
  });
});

describe('names of tools', () => {
  const name = fc.oneof(fc.string({ minLength: 1, maxLength: 200 }), fc.stringMatching(/^[a-z. ]{1,10}$/));

  test.each(demanding(({ names }) => names))(
    '%s: any names are good, told apart, the same everywhere, and come back',
    (api) => {
      fc.assert(
        fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 20 }), (names) => {
          const head: Head = {
            tools: names.map((one) => ({ type: 'function', name: one })),
            toolChoice: { mode: 'required', names: names.slice(0, 1) },
          };
          const messages: Message[] = names.map((one, i) => ({
            role: 'assistant',
            parts: [{ type: 'tool_call', id: `call00${i}`.slice(-9).padStart(9, 'a'), name: one, input: {} }],
          }));
          const there = adapted({ head, messages }, 'other', api, () => {});
          const written = there.head.tools?.map((tool) => tool.name) ?? [];
          const { pattern, most } = constraintsOf(api).names ?? { pattern: /^/, most: 0 };
          for (const one of written) expect(one.length <= most && pattern.test(one), one).toBe(true);
          expect(new Set(written).size).toBe(names.length);
          expect(there.head.toolChoice?.names).toEqual(written.slice(0, 1));
          expect(there.messages.map(({ parts }) => (parts[0] as { name: string }).name)).toEqual(written);
          const back = adapted({ head: there.head, messages: there.messages }, api, 'other', () => {});
          expect(back.head.tools?.map((tool) => tool.name)).toEqual(names);
          expect(back.messages.map(({ parts }) => (parts[0] as { name: string }).name)).toEqual(names);
        }),
        { numRuns: 100 },
      );
    },
  );
});

test('custom tools are functions elsewhere, and custom again on the way back', () => {
  const head: Head = { tools: [{ type: 'custom', name: 'patch', description: 'Patches.' }] };
  const call: Message = {
    role: 'assistant',
    parts: [{ type: 'tool_call', id: 'c1', name: 'patch', text: '*** Begin', custom: true }],
  };
  const there = adapted({ head, messages: [call] }, 'openai', 'anthropic', () => {});
  expect(there.head.tools?.[0]).toMatchObject({ type: 'function', schema: { required: ['input'] } });
  expect(there.messages[0]?.parts[0]).toMatchObject({ input: { input: '*** Begin' } });
  const back = adapted({ head: there.head, messages: there.messages }, 'anthropic', 'openai', () => {});
  expect(back).toEqual({ head, messages: [call] });
});

test('what is in the dialect already is left alone, unless a model is named', () => {
  const head: Head = { model: 'claude-opus-4-7', temperature: 0.5, tools: [{ type: 'function', name: 'a b' }] };
  const messages = [system('x'), said('1'), system('2')];
  expect(adapted({ head, messages }, 'anthropic', 'anthropic', () => {})).toEqual({ head, messages });
  expect(
    adapted({ head, messages }, 'anthropic', 'anthropic', () => {}, { model: 'claude-opus-4-7' }).head.temperature,
  ).toBeUndefined();
});

test('every family is in the table once', () => {
  const families = ADAPTERS.flatMap((adapter) => adapter.families);
  expect(new Set(families).size).toBe(families.length);
});
