// Real logs, where they are at hand (AI_CORPORA): each is known for what it is, and converts without an error.
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject } from '../../../src/lib/json/values.ts';
import { LOGS } from '../../../src/lib/transcripts/log-table.ts';
import { CORPORA, readLines } from '../../fixtures.ts';
import { readOut } from '../../laws/generate.ts';
import { run } from '../../run.ts';
import { gist } from '../gist.ts';

const FOLDERS: { readonly [folder: string]: string } = {
  claude: 'claude-code',
  'claude-stream-json': 'claude-code',
  codex: 'codex',
  'codex-exec-json': 'codex',
  gemini: 'gemini-cli',
  opencode: 'opencode',
  pi: 'pi',
  atif: 'atif',
};

/** Files that are no logs of their folder's agent, though they lie there. */
const OTHERS = /meta\.json$|codex\/as-schema_drift|migration$/;

const files = (folder: string): string[] =>
  globSync(`sessions/${folder}/**/*.{json,jsonl}`, { cwd: CORPORA ?? '/' })
    .filter((file) => !OTHERS.test(file))
    .map((file) => join(CORPORA ?? '/', file));

/** One file of opencode's storage is a piece of a conversation, and some logs of Codex hold only events: what was used, and that a turn ended. */
const hasMessages = (file: string): boolean =>
  file.includes('/opencode/as-storage/')
    ? false
    : !file.includes('/codex/') ||
      readDocuments(file).some(({ type }) => type !== 'session_meta' && type !== 'event_msg');

describe.skipIf(CORPORA === undefined)('recorded logs', () => {
  describe.each(Object.entries(FOLDERS))('%s', (folder, name) => {
    test('there are some', () => expect(files(folder).length).toBeGreaterThan(0));

    test.each(CORPORA === undefined ? [] : files(folder))('%s', async (file) => {
      for (const to of ['openai', 'markdown', 'html', 'anthropic']) {
        const { status, stderr } = await run('ai-transform', ['-q', '--to', to, file]);
        if (hasMessages(file)) expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
        else expect([status, stderr]).toEqual([65, expect.stringContaining('contains no known message')]);
      }
      const unselected = LOGS.filter((log) => log.name !== name);
      for (const rec of readDocuments(file)) expect(unselected.filter((log) => log.recognise(rec))).toEqual([]);
    });
  });

  test('no log of another agent is taken for one of these, but where it says so itself', () => {
    const foreign = globSync('sessions/{copilot,cursor,droid,grok,hermes,kimi,antigravity}/**/*.jsonl', {
      cwd: CORPORA,
    });
    for (const file of foreign) {
      const [first] = readLines(join(CORPORA ?? '/', file));
      expect(first && LOGS.filter((log) => log.recognise(first)).map(({ name }) => name)).toEqual([]);
    }
  });

  test('pi: every call and result of a session without branches is there, and tokens are counted once', async () => {
    const file = join(CORPORA ?? '/', 'sessions/pi/pi-mono-large-session.jsonl');
    const messages = readLines(file).flatMap(({ message }) => (isObject(message) ? [message] : []));
    const blocks = messages.flatMap(({ role, content }) => (role === 'assistant' ? (content as JsonObject[]) : []));
    const { stdout } = await run('ai-transform', ['-q', '--to', 'openai', file]);
    const said = gist(readOut(stdout));
    expect(said.filter(([kind]) => kind === 'call').length).toBe(
      blocks.filter(({ type }) => type === 'toolCall').length,
    );
    expect(said.filter(([kind]) => kind === 'result').length).toBe(
      messages.filter(({ role }) => role === 'toolResult').length,
    );
    const tokens = readOut(stdout).reduce((sum, { _meta }) => sum + outputOf(_meta), 0);
    const spent = messages.reduce((sum, { usage, content }) => {
      const counted = isObject(usage) && Array.isArray(content) && content.length > 0;
      return sum + (counted ? Number(usage.output) : 0);
    }, 0);
    expect(tokens).toBe(spent);
  });
});

function outputOf(meta: unknown): number {
  const usage = isObject(meta) && isObject(meta.usage) ? meta.usage : {};
  return Number(usage.output_tokens ?? 0);
}

function readDocuments(file: string): JsonObject[] {
  try {
    return readLines(file).filter(isObject);
  } catch {
    return [];
  }
}
