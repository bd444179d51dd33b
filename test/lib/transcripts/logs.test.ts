// Session logs: what is written is read back as the same conversation, and is what the agents expect.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject } from '../../../src/lib/json/values.ts';
import { LOGS } from '../../../src/lib/transcripts/log-table.ts';
import { asLines, asOpenAI, conversation, readOut } from '../../laws/generate.ts';
import { run } from '../../run.ts';
import { gist } from '../gist.ts';

const WRITTEN = LOGS.filter(({ write, unit }) => write && unit === undefined).map(({ name }) => name);

async function carried(to: string, stdin: string): Promise<string> {
  const { stdout, status } = await run('ai-transform', ['-q', '--to', to], { stdin });
  expect(status).toBe(0);
  return stdout;
}

test('three agents can be carried to', () => expect(WRITTEN).toEqual(['claude-code', 'codex', 'pi']));

describe.each(WRITTEN)('%s', (name) => {
  test('what is written is read back as the same conversation, and once more', async () => {
    await fc.assert(
      fc.asyncProperty(conversation, async (spoken) => {
        const chat = asLines([{ model: 'some-model' }, ...asOpenAI(spoken)]);
        const log = await carried(name, chat);
        const back = await carried('openai', log);
        expect(gist(readOut(back))).toEqual(gist(readOut(chat)));
        expect(gist(readOut(await carried('openai', await carried(name, back))))).toEqual(gist(readOut(chat)));
      }),
      { numRuns: 100 },
    );
  });

  test('it keeps what is known of the session, the replies and their tokens', async () => {
    const _meta = { id: '11111111-2222-4333-8444-555555555555', title: 'A title', cwd: '/work/app' };
    const by = { provider: 'openai', api: 'openai', model: 'gpt-5.2' };
    const usage = { input_tokens: 10, cache_read_tokens: 5, output_tokens: 7 };
    const reply = { role: 'assistant', content: 'Hi', _meta: { ...by, usage, time: '2026-01-02T03:04:06.000Z' } };
    const chat = [{ model: 'gpt-5.2', _meta }, { role: 'user', content: 'Hello' }, reply];
    const [head, , back] = readOut(await carried('openai', await carried(name, asLines(chat as JsonObject[]))));
    expect(head).toEqual({ model: 'gpt-5.2', _meta });
    expect(back).toMatchObject({ content: 'Hi', _meta: { ...by, usage, time: '2026-01-02T03:04:06.000Z' } });
  });
});

/** Written logs of random conversations. */
async function written(name: string, check: (lines: JsonObject[]) => void): Promise<void> {
  await fc.assert(
    fc.asyncProperty(conversation, async (spoken) => {
      const log = await carried(name, asLines(asOpenAI(spoken)));
      if (log !== '') check(readOut(log));
    }),
    { numRuns: 60 },
  );
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('claude-code: one chain, a block a line, results behind their calls', async () => {
  await written('claude-code', (lines) => {
    const said = lines.filter(({ type }) => type === 'user' || type === 'assistant');
    expect(said.map(({ parentUuid }) => parentUuid)).toEqual([null, ...said.slice(0, -1).map(({ uuid }) => uuid)]);
    expect(new Set(said.map(({ uuid }) => uuid)).size).toBe(said.length);
    expect(new Set(said.map(({ sessionId }) => sessionId)).size).toBe(1);
    const calls = new Set<unknown>();
    let time = '';
    for (const { uuid, sessionId, timestamp, message, isSidechain } of said) {
      expect(uuid).toMatch(UUID);
      expect(sessionId).toMatch(UUID);
      expect(isSidechain).toBe(false);
      expect(String(timestamp) >= time).toBe(true);
      time = String(timestamp);
      const content = (isObject(message) ? message.content : []) as JsonObject[] | string;
      if (typeof content === 'string') continue;
      if (isObject(message) && message.role === 'assistant') expect(content).toHaveLength(1);
      for (const block of content) {
        if (block.type === 'tool_use') {
          expect(String(block.id)).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
          expect(calls.has(block.id)).toBe(false);
          calls.add(block.id);
        }
        if (block.type === 'tool_result') expect(calls.has(block.tool_use_id)).toBe(true);
      }
    }
  });
});

test('codex: header, context, then items; outputs behind their calls; what was typed is an event too', async () => {
  await written('codex', (lines) => {
    expect(lines[0]?.type).toBe('session_meta');
    expect(lines[0]?.payload).toMatchObject({ id: expect.stringMatching(UUID), cwd: '/', source: 'cli' });
    for (const field of ['timestamp', 'originator', 'cli_version']) expect(lines[0]?.payload).toHaveProperty(field);
    expect(lines[1]?.type).toBe('turn_context');
    const items = lines.filter(({ type }) => type === 'response_item').map(({ payload }) => payload as JsonObject);
    const calls = new Set<unknown>();
    for (const { type, call_id, arguments: input } of items) {
      if (type === 'function_call') expect(typeof input).toBe('string');
      if (type === 'function_call') calls.add(call_id);
      if (type === 'function_call_output') expect(calls.has(call_id)).toBe(true);
    }
    const typed = lines.filter(({ payload }) => (payload as JsonObject).type === 'user_message').length;
    expect(typed).toBe(items.filter(({ type, role }) => type === 'message' && role === 'user').length);
  });
});

test('pi: a header, then entries that follow each other; assistants with all that pi wants', async () => {
  await written('pi', ([header, ...entries]) => {
    expect(header).toMatchObject({ type: 'session', version: 3, id: expect.stringMatching(UUID), cwd: '/' });
    expect(entries.map(({ parentId }) => parentId)).toEqual(
      [null, ...entries.slice(0, -1).map(({ id }) => id)].slice(0, entries.length),
    );
    expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
    for (const { id, message } of entries) {
      expect(id).toMatch(/^[0-9a-f]{8}$/);
      if (!isObject(message) || message.role !== 'assistant') continue;
      for (const field of ['api', 'provider', 'model', 'usage', 'stopReason', 'timestamp'])
        expect(message).toHaveProperty(field);
    }
  });
});

test('a log that is being written: the line that is cut off is left out, and said', async () => {
  const log = await carried(
    'claude-code',
    asLines([
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
    ]),
  );
  const result = await run('ai-transform', ['-q', '--to', 'openai'], { stdin: `${log}{"parentUuid":"x","type":"us` });
  expect(result).toMatchObject({
    status: 0,
    stderr: 'ai-transform: -:3: skipped the last line of the log: it is truncated\n',
  });
  expect(
    readOut(result.stdout)
      .map(({ content }) => content)
      .filter(Boolean),
  ).toEqual(['a', 'b']);
});

test('several files are several conversations', async () => {
  const { mkdtempSync, writeFileSync } = await import('node:fs');
  const { join } = await import('node:path');
  const dir = mkdtempSync(join((await import('node:os')).tmpdir(), 'logs-'));
  const files = ['claude-code', 'codex', 'pi'].map((name) => join(dir, name));
  for (const name of WRITTEN)
    writeFileSync(join(dir, name), await carried(name, asLines([{ role: 'user', content: `to ${name}` }])));
  const { stdout } = await run('ai-transform', ['--to', 'openai', '--roll', ...files], {});
  expect(readOut(stdout).map(({ messages }) => (messages as JsonObject[]).map(({ content }) => content))).toEqual(
    WRITTEN.map((name) => [`to ${name}`]),
  );
});
