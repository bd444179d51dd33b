// The preprocessor: one call, or a request without tools, or the request as it was.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { Tiktoken } from 'js-tiktoken/lite';
import o200kBase from 'js-tiktoken/ranks/o200k_base';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { condenseSystem } from '../../../src/commands/route/preprocess/system.ts';
import { conversations, headOf, messageOf } from '../../../src/lib/conversion/gather.ts';
import { formatNamed } from '../../../src/lib/dialects/table.ts';
import { record } from '../../../src/lib/json/record.ts';
import type { JsonObject } from '../../../src/lib/json/values.ts';
import { Counter } from '../../../src/lib/tokens/count.ts';
import { familyOf } from '../../../src/lib/tokens/families.ts';
import { run } from '../../run.ts';

const DIALECTS = ['openai', 'anthropic', 'bedrock', 'mistral', 'ollama', 'cohere', 'openai-responses', 'gemini'].filter(
  (name) => formatNamed(name) !== undefined,
);

/** The field of a rolled-up request that holds its messages. */
const listOf = (value: JsonObject) =>
  ['messages', 'input', 'contents'].find((field) => Array.isArray(value[field])) ?? '';

interface Properties {
  readonly [name: string]: { readonly type: string; readonly maximum?: number; readonly [field: string]: unknown };
}

const tool = (name: string, description: string, properties: Properties, required: readonly string[] = []) => ({
  type: 'function',
  function: { name, description, parameters: { type: 'object', properties, required, additionalProperties: false } },
});

const TOOLS = [
  tool('read_file', 'Reads a file', { path: { type: 'string', description: 'the path of the file' } }, ['path']),
  tool('fetch_page', 'Fetches a web page', { url: { type: 'string', format: 'uri' } }, ['url']),
  tool('set_volume', 'Sets the volume', { level: { type: 'integer', maximum: 100 } }, ['level']),
  tool('delete_record', 'Deletes a record', { id: { type: 'integer' } }, ['id']),
];

const SYSTEM = `You are Hermes, an assistant of a shipping company.

# Objective
Help the crew.

# Tool use
Always call read_file before you answer. Parameters are JSON.

# Style
${'Long advice on style that nobody will miss, said at length. '.repeat(10)}
- Never reveal prices.

<env>
Port: Rotterdam
</env>`;

/** A conversation of Chat in which a tool was used before. */
const body = (text: string, head: object = {}) => ({
  model: 'gpt-4o',
  tools: TOOLS,
  ...head,
  messages: [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: 'Read log.txt' },
    {
      role: 'assistant',
      content: 'Of course.',
      tool_calls: [
        { id: 'call00001', type: 'function', function: { name: 'read_file', arguments: '{"path":"log.txt"}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'call00001', content: 'All quiet.' },
    { role: 'assistant', content: 'All quiet.' },
    { role: 'user', content: text },
  ],
});

const line = (value: unknown) => `${JSON.stringify(value)}\n`;
const argv = ['-m', 'openai/gpt-4o', '--preprocess'];

async function preprocess(value: unknown, options = argv): Promise<JsonObject> {
  const { stdout, stderr, status } = await run('ai-route', options, {
    stdin: line(value),
    env: { ...process.env } as never,
  });
  expect([stderr, status]).toEqual(['', 0]);
  return JSON.parse(stdout);
}

const noted = (value: JsonObject) => (value._meta as JsonObject).preprocess as JsonObject;

async function to(dialect: string, value: unknown): Promise<JsonObject> {
  const { stdout, status } = await run('ai-transform', ['--to', dialect], { stdin: line(value) });
  expect(status).toBe(0);
  return JSON.parse(stdout);
}

const tiktoken = new Tiktoken(o200kBase);

/** The request in the tokens of OpenAI's own library, with what the API puts around texts. */
function tokensOf(value: JsonObject): number {
  const [conversation] = conversations([record(value)]);
  if (conversation === undefined) throw new Error('no conversation');
  const { head, messages } = headOf(conversation);
  const counter = new Counter(familyOf('gpt-4o'), 1, (text) => tiktoken.encode(text, [], []).length);
  const all = [...messages, ...conversation.items.flatMap((item) => messageOf(item) ?? [])];
  return Math.ceil(all.reduce((sum, message) => sum + counter.message(message), counter.head(head)));
}

const QUESTION = 'What is the capital of France?';

describe.each(DIALECTS)('%s', (dialect) => {
  test('a question goes without tools: no catalogue, no calls, a shorter prompt; and what is saved is what is gone', async () => {
    const before = await to(dialect, body(QUESTION));
    const after = await preprocess(before);
    expect(noted(after)).toMatchObject({ decision: 'answer', by: 'heuristics', tokens_in: 0, tokens_out: 0 });
    const { _meta, ...sent } = after;
    const text = JSON.stringify(sent);
    for (const { function: one } of TOOLS) expect(text).not.toContain(one.description);
    expect(text).not.toMatch(/"(tools|toolConfig|tool_calls|tool_use|toolUse|tool_result|toolResult|tool_call_id)"/);
    for (const kept of [
      'Hermes',
      'Help the crew',
      'Never reveal prices',
      'Rotterdam',
      'log.txt',
      'All quiet.',
      QUESTION,
    ])
      expect(text).toContain(kept);
    for (const gone of ['Long advice', 'Always call']) expect(text).not.toContain(gone);
    expect(noted(after).tokens_saved).toBe(tokensOf(before) - tokensOf(after));
  });

  test('a plain order becomes one call at the end, and nothing else changes', async () => {
    const before = await to(dialect, body('Read the file src/main.c, please.'));
    const after = await preprocess(before);
    expect(noted(after)).toMatchObject({ decision: 'call', tokens_saved: tokensOf(before) });
    const list = listOf(before);
    const { model, _meta, ...rest } = after;
    const { model: _, ...own } = before;
    const messages = after[list] as JsonObject[];
    expect({ ...rest, [list]: messages.slice(0, -1) }).toEqual(own);
    const back = await to('openai', { ...rest, model });
    expect((back.messages as JsonObject[]).at(-1)).toMatchObject({
      tool_calls: [{ function: { name: 'read_file', arguments: '{"path":"src/main.c"}' } }],
    });
    if (dialect === 'mistral') expect(JSON.stringify(after)).toMatch(/"id":"[A-Za-z0-9]{9}"/);
  });
});

test('what goes is the catalogue and the rest of the prompt: what is saved is about their text in tokens', async () => {
  const after = await preprocess(body(QUESTION));
  const system = (messages: unknown) => (messages as { content: string }[])[0]?.content ?? '';
  const gone = JSON.stringify(TOOLS) + system(body(QUESTION).messages).replace(system(after.messages), '');
  const tokens = tiktoken.encode(gone, [], []).length;
  expect(noted(after).tokens_saved).toBeGreaterThan(tokens * 0.7);
  expect(noted(after).tokens_saved).toBeLessThan(tokens * 1.1);
});

interface Call {
  readonly function: { readonly name: string; readonly arguments: string };
}

/** One call, of a listed tool, with what its schema asks for and nothing else. */
function isAllowed([call, ...more]: readonly Call[]): void {
  expect(more).toEqual([]);
  const listed = TOOLS.find((one) => one.function.name === call?.function.name);
  if (listed === undefined) throw new Error(`no tool ${call?.function.name}`);
  const { properties, required } = listed.function.parameters;
  const input = JSON.parse(call?.function.arguments ?? '');
  expect(Object.keys(input)).toEqual(required);
  for (const [name, value] of Object.entries(input)) {
    expect(properties[name]?.type === 'integer' ? Number.isInteger(value) : typeof value === 'string').toBe(true);
    if (properties[name]?.maximum !== undefined) expect(value).toBeLessThanOrEqual(properties[name].maximum);
  }
}

describe('what is not plain stays as it is', () => {
  test.each([
    ['Read a.c and then b.c', 'several steps'],
    ['Do not read src/main.c', 'not a simple instruction'],
    ['How do I read a file like src/main.c?', 'not a simple instruction'],
    ['Should I delete record 5?', 'not a simple instruction'],
    ['Read it', 'its arguments are not clear'],
    ['read_file "a.c" "b.c"', 'its arguments are not clear'],
    ['Set the volume to 500', 'is not valid'],
    ['Fix the bug in parse.c', 'not a question'],
    ['What does this repository do?', 'about local things'],
    ['What is in notes.md?', 'about local things'],
    ['What is the latest news?', 'about local things'],
    ['ok', 'not a question'],
    ['x '.repeat(400), 'too long'],
  ])('%s', async (text, why) => {
    const before = body(text);
    const { _meta, model, ...after } = await preprocess(before);
    const { model: _, ...own } = before;
    expect(after).toEqual(own);
    expect((_meta as JsonObject).preprocess).toMatchObject({
      decision: 'unchanged',
      reason: expect.stringContaining(why),
      tokens_saved: 0,
    });
  });

  test.each([
    ['no call is allowed', { tool_choice: 'none' }, 'Read the file a.c', 'does not allow'],
    [
      'another call is demanded',
      { tool_choice: { type: 'function', function: { name: 'fetch_page' } } },
      'Read the file a.c',
      'does not allow',
    ],
    ['a call is demanded', { tool_choice: 'required' }, QUESTION, 'demands a call'],
  ])('%s', async (_, head, text, why) =>
    expect(noted(await preprocess(body(text, head)))).toMatchObject({
      decision: 'unchanged',
      reason: expect.stringContaining(why),
    }),
  );

  test.each([
    ['no tools', { messages: [{ role: 'user', content: QUESTION }] }],
    ['the last word is the model’s', { ...body('x'), messages: body('x').messages.slice(0, -1) }],
    ['results are to be read', { ...body('x'), messages: body('x').messages.slice(0, 4) }],
    [
      'there is an image',
      {
        ...body('x'),
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: QUESTION },
              { type: 'image_url', image_url: { url: 'https://x/y.png' } },
            ],
          },
        ],
      },
    ],
  ])('%s: the bytes are those of a run without it', async (_, value) => {
    const stdin = line(value);
    const off = await run('ai-route', ['-m', 'openai/gpt-4o'], { stdin });
    expect(await run('ai-route', argv, { stdin })).toEqual(off);
  });

  test('whatever is asked: a call is of a listed tool and as its schema says, and without a call the tools are there or gone', async () => {
    const words = fc.constantFrom(
      ...'read file delete record set volume 7 500 a.c src/x.c https://x.org/ "q" the please what is who and not fetch page'.split(
        ' ',
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(words, { minLength: 1, maxLength: 7 }), async (some) => {
        const before = body(some.join(' '));
        const after = await preprocess(before);
        const { decision } = noted(after);
        const messages = after.messages as JsonObject[];
        expect(after.tools).toEqual(decision === 'answer' ? undefined : TOOLS);
        if (decision === 'answer') return;
        expect(messages.slice(0, 6)).toEqual(before.messages);
        expect(messages.length).toBe(decision === 'call' ? 7 : 6);
        if (decision === 'call') isAllowed(messages[6]?.tool_calls as never);
      }),
      { numRuns: 200 },
    );
  });
});

describe('a small model', () => {
  /** It answers with the last text of the user: what it is to say stands in the request. */
  const echo = ['-m', 'openai/gpt-4o', '--preprocess-with', 'echo'];
  const says = (decision: object) => body(`Say ${JSON.stringify(decision)}`);

  test('its call is taken', async () => {
    const after = await preprocess(says({ decision: 'call', tool: 'read_file', input: { path: 'a.c' } }), echo);
    expect(noted(after)).toMatchObject({ decision: 'call', by: 'echo', tokens_in: expect.any(Number) });
    expect(noted(after).tokens_in).toBeGreaterThan(100);
    expect((after.messages as JsonObject[]).at(-1)).toMatchObject({
      tool_calls: [{ function: { name: 'read_file', arguments: '{"path":"a.c"}' } }],
    });
  });

  test('its word that no tool is needed is taken', async () => {
    const after = await preprocess(says({ decision: 'answer' }), echo);
    expect(after.tools).toBeUndefined();
    expect(noted(after)).toMatchObject({ decision: 'answer', by: 'echo' });
  });

  test.each([
    ['a tool that is not there', { decision: 'call', tool: 'rm', input: {} }, 'is not one of the tools'],
    ['no input', { decision: 'call', tool: 'read_file' }, 'gave no decision'],
    ['an input of another shape', { decision: 'call', tool: 'read_file', input: { path: 5 } }, 'is not valid'],
    ['more than the schema has', { decision: 'call', tool: 'read_file', input: { path: 'a', x: 1 } }, 'is not valid'],
    ['no decision', { decision: 'dance' }, 'gave no decision'],
  ])('%s: the request stays as it is', async (_, decision, why) => {
    const before = says(decision);
    const { model, _meta, ...after } = await preprocess(before, echo);
    expect({ model: 'gpt-4o', ...after }).toEqual(before);
    expect((_meta as JsonObject).preprocess).toMatchObject({
      decision: 'unchanged',
      reason: expect.stringContaining(why),
    });
  });

  let dir: string;
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'preprocess-'));
  });
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  test.each([
    ['nosuch-model', /did not answer: .*nosuch-model/],
    ['replay:EMPTY', /did not answer: /],
  ])('%s cannot be asked: the request stays as it is, and the reason is told', async (model, why) => {
    const file = join(dir, 'empty.jsonl');
    writeFileSync(file, '');
    const before = body('Read a.c');
    const {
      _meta,
      model: _,
      ...after
    } = await preprocess(before, [...['-m', 'openai/gpt-4o', '--preprocess-with'], model.replace('EMPTY', file)]);
    const { model: own, ...rest } = before;
    expect(after).toEqual(rest);
    expect((_meta as JsonObject).preprocess).toMatchObject({
      decision: 'unchanged',
      reason: expect.stringMatching(why),
    });
  });
});

describe('a prompt without its tools', () => {
  test('of a short prompt nothing goes', () => expect(condenseSystem('You are terse.', [])).toBe('You are terse.'));

  test('what is kept is in the prompt, in its order', () => {
    const lines = fc.constantFrom(
      '# Rules',
      '# Tools',
      '- Never lie.',
      'Prose.',
      '<env>',
      'x: 1',
      '</env>',
      '',
      'GOALS:',
    );
    fc.assert(
      fc.property(fc.array(lines, { maxLength: 40 }), (some) => {
        const text = some.join('\n');
        let at = 0;
        for (const kept of condenseSystem(text, [])
          .split('\n')
          .filter((one) => one !== '')) {
          const found = text.indexOf(kept, at);
          expect(found, `${kept} in ${JSON.stringify(text)}`).toBeGreaterThanOrEqual(at);
          at = found;
        }
      }),
    );
  });

  test('a long one takes linear time', () => {
    expect(condenseSystem('<a>\n# B\nalways\n'.repeat(200_000), ['x'])).toContain('always');
  });
});

describe('--wrap-completion', () => {
  const answered = (content: unknown, head: object = { tools: TOOLS }) => ({
    ...head,
    messages: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content },
    ],
  });
  const wrap = (value: unknown) => run('ai-route', ['--wrap-completion'], { stdin: line(value) });

  test.each(DIALECTS)('%s: a plain answer to a request with tools becomes one call, once', async (dialect) => {
    const once = await wrap(await to(dialect, answered('All done.')));
    const back = await to('openai', JSON.parse(once.stdout));
    expect((back.messages as JsonObject[]).at(-1)).toMatchObject({
      tool_calls: [{ function: { name: 'attempt_completion', arguments: '{"result":"All done."}' } }],
    });
    expect(await wrap(JSON.parse(once.stdout))).toEqual(once);
  });

  test('where the tools were taken out before, too', async () => {
    const asked = await preprocess(body(QUESTION));
    const answer = { role: 'assistant', content: 'Paris.' };
    const { stdout } = await wrap({ ...asked, messages: [...(asked.messages as JsonObject[]), answer] });
    expect(stdout).toContain('attempt_completion');
  });

  test.each([
    ['a request without tools', answered('Done.', {})],
    ['an answer without text', answered('')],
    ['a question that is not answered', { tools: TOOLS, messages: [{ role: 'user', content: 'hi' }] }],
  ])('%s stays as it is', async (_, value) => expect((await wrap(value)).stdout).toBe(line(value)));
});
