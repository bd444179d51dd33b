// ai-agent with a set of hooks in Claude Code's format, from the first event to the last, also when it is killed between any two records.
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/lib/json/values.ts';
import type { FaultServer } from '../fault-server.ts';
import { BUILT } from '../loop.ts';
import { type Step, scriptedModel } from '../scripted-model.ts';
import { MENDING, Repository } from './place.ts';

/** The task of the other tests, begun with something that a hook forbids, and ended too early once. */
const STEPS: readonly Step[] = [
  [
    { name: 'Read', input: { file_path: 'sum.sh' } },
    { name: 'Bash', input: { command: 'rm -rf build' } },
  ],
  'I believe that it works.',
  ...MENDING.slice(1),
];

const NOTE =
  'jq -r \'[.hook_event_name, .tool_name // empty, .tool_input.file_path // empty, .source // empty] | join(" ")\' >>"$CLAUDE_PROJECT_DIR/events"';
const note = { type: 'command', command: NOTE };

const GUARD = `#!/bin/sh
# Blocks what removes files; the reason goes to the model.
jq -e '.tool_input.command | test("rm -rf") | not' >/dev/null || { echo "use the bin instead" >&2; exit 2; }
`;

const TESTS_PASS = `#!/bin/sh
# The agent may not stop while the tests fail; asked a second time, it may.
[ "$(jq -r .stop_hook_active)" = true ] && exit 0
sh test.sh >/dev/null || { echo "the tests fail" >&2; exit 2; }
`;

const SETTINGS = {
  hooks: {
    SessionStart: [{ matcher: 'startup', hooks: [note, { type: 'command', command: 'echo "It is winter."' }] }],
    UserPromptSubmit: [{ hooks: [note, { type: 'command', command: 'echo "Be brief."' }] }],
    PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: '"$HOOKS"/guard', onFailure: 'block' }] }],
    PostToolUse: [{ matcher: 'Edit|Write', hooks: [note] }],
    Stop: [{ hooks: [{ type: 'command', command: '"$HOOKS"/tests-pass' }, note] }],
    SessionEnd: [{ hooks: [note] }],
  },
};

let model: FaultServer;
let place: Repository;

function setUp(): void {
  place = new Repository(model.url);
  for (const [name, text] of [
    ['guard', GUARD],
    ['tests-pass', TESTS_PASS],
  ] as const)
    chmodSync(place.write(name, text), 0o755);
  place.write('hooks.json', JSON.stringify(SETTINGS));
}

const env = () => ({ AI_HOOKS: join(place.path, 'hooks.json'), AI_HOOK_ENV: 'HOOKS', HOOKS: place.path });

beforeEach(async () => {
  model = await scriptedModel(STEPS);
  setUp();
});
afterEach(async () => {
  await model[Symbol.asyncDispose]();
  place.remove();
});

const idsOf = (records: readonly JsonObject[]) => ({
  calls: records.flatMap(({ tool_calls }) =>
    Array.isArray(tool_calls) ? tool_calls.map((call) => (call as JsonObject).id) : [],
  ),
  results: records.flatMap(({ role, tool_call_id }) => (role === 'tool' ? [tool_call_id] : [])),
});

describe.skipIf(!BUILT)('hooks', { timeout: 120_000 }, () => {
  test('see every event, block, add, and keep the model at work', async () => {
    const ended = await place.run([place.conversation, 'mend sum.sh'], env());
    expect(ended).toMatchObject({ stdout: 'Mended: sum.sh subtracted.\n', status: 0 });
    expect(place.read('work/events').trimEnd().split('\n')).toEqual([
      'SessionStart startup',
      'UserPromptSubmit user',
      'Stop',
      'PostToolUse Edit sum.sh',
      'Stop',
      'SessionEnd',
    ]);
    const text = place.read('c.jsonl');
    for (const said of ['It is winter.', 'Be brief.', 'use the bin instead', 'the tests fail'])
      expect(text).toContain(said);
    expect(place.read('work/sum.sh')).toBe('echo $(($1 + $2))\n');
  });

  test('a prompt that a hook blocks is not said', async () => {
    const block = {
      hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: 'echo "no secrets" >&2; exit 2' }] }] },
    };
    place.write('hooks.json', JSON.stringify(block));
    const { status, stderr } = await place.run([place.conversation, 'the password is x'], env());
    expect([status, stderr]).toEqual([2, expect.stringContaining('no secrets')]);
    expect(place.read('c.jsonl')).not.toContain('password');
    expect(model.asked).toHaveLength(0);
  });

  test('hooks of the repository that was cloned never run', async () => {
    mkdirSync(join(place.work, '.claude'));
    place.write('work/.claude/settings.json', JSON.stringify(SETTINGS));
    await place.run([place.conversation, 'mend sum.sh'], { HOOKS: place.path });
    expect(place.read('work/events')).toBe('');
  });

  test('that cannot be read stop everything', async () => {
    const AI_HOOKS = join(place.path, 'missing');
    expect(await place.run([place.conversation, 'x'], { AI_HOOKS })).toMatchObject({ status: 78 });
    expect(model.asked).toHaveLength(0);
  });

  test('killed at every record, no tool runs twice and every call has one result', { timeout: 900_000 }, async () => {
    await place.run([place.conversation, 'mend sum.sh'], env());
    const all = place.records.length;
    const every = process.env.RUNS ? 1 : 4;
    for (let after = 3 + Math.floor(Math.random() * every); after < all; after += every) {
      place.remove();
      setUp();
      const lines = () => place.read('c.jsonl').split('\n').length - 1;
      await place.run([place.conversation, 'mend sum.sh'], env(), () => lines() >= after);
      const ended = await place.run([place.conversation, ...(lines() > 5 ? [] : ['mend sum.sh'])], env());
      expect(ended.status).toBe(0);
      const { calls, results } = idsOf(place.records);
      expect([after, results]).toEqual([after, calls]);
      const ran = place.read('work/ran').split('\n').filter(Boolean);
      expect(ran.length).toBe(new Set(ran).size);
    }
  });
});
