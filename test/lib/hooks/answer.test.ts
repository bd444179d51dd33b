// What one hook means, and what several mean together.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Answer, type Permission, readAnswer } from '../../../src/lib/hooks/answer.ts';
import { EVENTS, type Event, eventNamed } from '../../../src/lib/hooks/events.ts';
import { compileMatcher } from '../../../src/lib/hooks/matcher.ts';
import { joinAnswers } from '../../../src/lib/hooks/outcome.ts';

const event = (name: string): Event => eventNamed(name) as Event;
const read = (
  name: string,
  ended: { status?: number; stdout?: string; stderr?: string; failure?: string },
  closed = false,
) => readAnswer(event(name), { stdout: '', stderr: '', ...ended }, closed);
const json = (value: unknown) => JSON.stringify(value);
const own = (name: string, fields: object) => json({ hookSpecificOutput: { hookEventName: name, ...fields } });

describe('exit statuses', () => {
  test('0 goes on, 2 blocks with what is on standard error, others warn', () => {
    expect(read('PreToolUse', { status: 0 })).toEqual({});
    expect(read('PreToolUse', { status: 2, stderr: 'not that\n' })).toMatchObject({
      permission: 'deny',
      reason: 'not that',
    });
    expect(read('Stop', { status: 2, stderr: 'go on' })).toMatchObject({ blocked: 'go on' });
    expect(read('PreToolUse', { status: 1, stderr: 'oops\nmore' })).toEqual({
      warning: 'it ended with status 1: oops',
    });
    expect(read('UserPromptSubmit', { failure: 'it took longer than 1 s' })).toEqual({
      warning: 'it took longer than 1 s',
    });
  });

  test('2 blocks even beside JSON that allows', () => {
    const stdout = own('PreToolUse', { permissionDecision: 'allow' });
    expect(read('PreToolUse', { status: 2, stdout, stderr: 'no' })).toMatchObject({ permission: 'deny', reason: 'no' });
  });

  test('where an event cannot be blocked, 2 is for the person alone', () => {
    for (const name of ['SessionStart', 'SessionEnd', 'Notification', 'PostCompact'])
      expect(read(name, { status: 2, stderr: 'told' })).toEqual({ warning: 'told' });
  });

  test('onFailure: block makes a failure a block, but never keeps a model going', () => {
    expect(read('PreToolUse', { failure: 'gone' }, true)).toMatchObject({
      permission: 'deny',
      reason: 'a hook failed: gone',
    });
    expect(read('PreToolUse', { status: 1 }, true)).toMatchObject({ permission: 'deny' });
    expect(read('UserPromptSubmit', { status: 127 }, true).blocked).toContain('127');
    expect(read('Stop', { status: 1 }, true).blocked).toBeUndefined();
    expect(read('SubagentStop', { failure: 'gone' }, true).blocked).toBeUndefined();
  });
});

describe('JSON', () => {
  test('the decisions of PreToolUse, new and old', () => {
    for (const permission of ['allow', 'deny', 'ask', 'defer'])
      expect(
        read('PreToolUse', {
          status: 0,
          stdout: own('PreToolUse', { permissionDecision: permission, permissionDecisionReason: 'why' }),
        }),
      ).toEqual({ permission, reason: 'why' });
    expect(read('PreToolUse', { status: 0, stdout: json({ decision: 'approve' }) })).toEqual({ permission: 'allow' });
    expect(read('PreToolUse', { status: 0, stdout: json({ decision: 'block', reason: 'r' }) })).toEqual({
      permission: 'deny',
      reason: 'r',
    });
    expect(read('PreToolUse', { status: 0, stdout: own('PreToolUse', { permissionDecision: 'maybe' }) })).toEqual({});
  });

  test('it counts whatever the status is, and only if nothing else was printed', () => {
    const stdout = json({ decision: 'block', reason: 'r' });
    expect(read('PostToolUse', { status: 1, stdout })).toMatchObject({ blocked: 'r' });
    expect(read('PostToolUse', { status: 0, stdout: `note\n${stdout}` })).toEqual({});
    expect(read('PostToolUse', { status: 0, stdout: '{"decision":' })).toEqual({});
  });

  test('what is said for another event does not count', () => {
    expect(read('Stop', { status: 0, stdout: own('PreToolUse', { additionalContext: 'x' }) })).toEqual({});
  });

  test('the end of everything, changed inputs and outputs, contexts and messages', () => {
    expect(read('Stop', { status: 0, stdout: json({ continue: false, stopReason: 'enough' }) })).toEqual({
      stop: 'enough',
    });
    expect(read('PreToolUse', { status: 0, stdout: own('PreToolUse', { updatedInput: { a: 1 } }) })).toEqual({
      updatedInput: { a: 1 },
    });
    expect(read('PostToolUse', { status: 0, stdout: own('PostToolUse', { updatedToolOutput: 'x' }) })).toEqual({
      updatedOutput: 'x',
    });
    expect(read('SessionStart', { status: 0, stdout: own('SessionStart', { additionalContext: 'c' }) })).toEqual({
      context: 'c',
    });
    expect(read('Notification', { status: 0, stdout: json({ systemMessage: 'm', suppressOutput: true }) })).toEqual({
      message: 'm',
    });
  });

  test('texts are cut at 10,000 characters and cleaned of terminal sequences', () => {
    const said = read('SessionStart', { status: 0, stdout: `\x1b[31m${'x'.repeat(20_000)}` }).context ?? '';
    expect(said.length).toBeLessThan(10_100);
    expect(said).not.toContain('\x1b');
  });
});

test('what is printed as text is for the model at the start, with prompts and before a compaction, and nowhere else', () => {
  const heard = EVENTS.filter((name) => read(name, { status: 0, stdout: 'text' }).context === 'text');
  expect(heard.sort()).toEqual(['PreCompact', 'SessionStart', 'UserPromptExpansion', 'UserPromptSubmit']);
});

test('matchers: all, exact names, expressions', () => {
  const matches = (matcher: string, ...names: string[]) => compileMatcher(matcher, 'here')(names);
  for (const all of ['', '*', '  ']) expect(matches(all, 'Bash')).toBe(true);
  expect(matches('Edit|Write', 'Write')).toBe(true);
  expect(matches('Edit, Write', 'Write')).toBe(true);
  expect(matches('Edit', 'MultiEdit')).toBe(false);
  expect(matches('Bash', 'execute_command', 'Bash')).toBe(true);
  expect(matches('mcp__.*__write', 'mcp__fs__write_file')).toBe(true);
  expect(matches('^Notebook', 'NotebookEdit')).toBe(true);
  expect(matches('(a+)+$', `${'a'.repeat(5000)}!`)).toBe(true);
  expect(() => compileMatcher('(', 'here')).toThrow(/cannot use the matcher/);
});

test('of several hooks the strictest decides, whatever their order', () => {
  const order: readonly Permission[] = ['deny', 'defer', 'ask', 'allow'];
  const answer = fc.option(fc.constantFrom(...order), { nil: undefined });
  fc.assert(
    fc.property(fc.array(answer, { maxLength: 6 }), (permissions) => {
      const said = permissions.map((permission, i) => ({
        handler: { place: String(i), root: '/', onFailure: 'warn' as const, type: 'other' as const, kind: 'x' },
        answer: (permission ? { permission, reason: permission } : {}) as Answer,
      }));
      const strictest = order.find((each) => permissions.includes(each));
      expect(joinAnswers(said).permission).toBe(strictest);
      expect(joinAnswers(said.toReversed()).permission).toBe(strictest);
      if (strictest) expect(new Set(joinAnswers(said).reason?.split('\n'))).toEqual(new Set([strictest]));
    }),
  );
});
