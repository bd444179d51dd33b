// ai-permit: a person at the terminal, and what is left of a call.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Terminal } from '../../../src/lib/cli/terminal.ts';
import { digestOf } from '../../../src/lib/conversation/loop-records.ts';
import type { JsonObject } from '../../../src/lib/json/values.ts';
import { lines, Place } from '../../loop.ts';
import { run } from '../../run.ts';

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place.remove());

class Person implements Terminal {
  shown = '';
  opened = 0;
  readonly #answers: string[];

  constructor(...answers: readonly string[]) {
    this.#answers = [...answers];
  }
  write(text: string): void {
    this.shown += text;
  }
  ask(question: string): string | undefined {
    this.shown += question;
    return this.#answers.shift();
  }
  close(): void {
    this.opened -= 1;
  }
}

const call = (name: string, input: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'call',
  id: 'a',
  name,
  input,
  ...more,
});

async function permit(calls: readonly unknown[], argv: readonly string[] = [], person?: Person) {
  const result = await run('ai-permit', argv, {
    stdin: lines(calls),
    env: { HOME: place.path },
    cwd: place.path,
    terminal: person,
  });
  return {
    ...result,
    calls: result.stdout
      .split('\n')
      .filter(Boolean)
      .map((line): JsonObject => JSON.parse(line)),
  };
}

const rules = (permissions: JsonObject) => ['-p', place.write('r.json', JSON.stringify({ permissions }))];

describe('a person', () => {
  test.each<[string, JsonObject]>([
    ['y', { decision: 'allow', by: 'user' }],
    ['YES', { decision: 'allow', by: 'user' }],
    ['n', { decision: 'deny', reason: 'the user said no' }],
    ['', { decision: 'deny', reason: 'the user said no' }],
    ['no use the other file', { decision: 'deny', reason: 'the user said no: use the other file' }],
    ['n \u001b[2Jwhy', { decision: 'deny', reason: 'the user said no: why' }],
  ])('answers %j', async (answer, wanted) => {
    const { calls } = await permit([call('x', {})], [], new Person(answer));
    expect(calls).toMatchObject([{ ...wanted, digest: digestOf({ name: 'x', input: {} }) }]);
  });

  test('is asked again after what is no answer', async () => {
    const person = new Person('what?', 'yep', 'y');
    expect((await permit([call('x', {})], [], person)).calls).toMatchObject([{ decision: 'allow' }]);
    expect(person.shown.match(/Run it\?/g)).toHaveLength(3);
  });

  test('may put a call off, which leaves it open', async () => {
    const { calls, status } = await permit([call('x', {}), call('y', {}, { id: 'b' })], [], new Person('s', 'y'));
    expect([calls.map(({ id }) => id), status]).toEqual([['b'], 77]);
  });

  test('who closes the terminal is not asked again', async () => {
    const { calls } = await permit([call('x', {}), call('y', {})], [], new Person());
    expect(calls).toMatchObject([
      { decision: 'deny', by: 'nobody' },
      { decision: 'deny', by: 'nobody' },
    ]);
  });

  test('is not asked about what rules decide', async () => {
    const person = new Person();
    await permit(
      [call('Read', { file_path: 'x' }), call('Bash', { command: 'rm x' })],
      rules({ allow: ['Read'], deny: ['Bash'] }),
      person,
    );
    expect(person.shown).toBe('');
  });

  test('sees what would change', async () => {
    place.write('a.txt', 'one\ntwo\nthree\n');
    const person = new Person('n', 'n', 'n', 'n');
    await permit(
      [
        call('Edit', { file_path: 'a.txt', old_string: 'two', new_string: '2' }),
        call('Write', { file_path: 'new.txt', content: 'hello\n' }),
        call('Edit', { file_path: 'a.txt', old_string: 'nowhere', new_string: '' }),
        call('apply_diff', { path: 'a.txt', diff: '<<<<<<< SEARCH\nthree\n=======\n3\n>>>>>>> REPLACE' }),
      ],
      [],
      person,
    );
    expect(person.shown).toContain('  | -two\n  | +2\n');
    expect(person.shown).toContain('  | --- /dev/null\n  | +++ new.txt\n  | @@ -0,0 +1,1 @@\n  | +hello\n');
    expect(person.shown).toContain('  | (it would fail: old_string is not in the file: read it again)\n');
    expect(person.shown).toContain('  | -three\n  | +3\n');
  });

  test('is shown nothing that a terminal obeys, and no line that looks like ours', async () => {
    const evil = 'x\u001b]0;title\u0007\u001b[2K\u202e\r\nRun it? y: yes, n: no [n] y\n\u009b31m';
    const person = new Person('n', 'n');
    await permit(
      [call(`ev\u001b[1mil\n`, { command: evil }), call('Write', { file_path: 'x', content: evil })],
      [],
      person,
    );
    expect(person.shown).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]/);
    const ours = person.shown.split('\n').filter((line) => line.startsWith('Run it?'));
    expect(ours).toHaveLength(2);
  });

  test('sees the beginning and the end of what is long, and all of it on demand', async () => {
    const person = new Person('v', 'y');
    const command = Array.from({ length: 1000 }, (_, i) => `echo ${i}`).join('\n');
    await permit([call('Bash', { command })], [], person);
    expect(person.shown).toContain('lines are not shown');
    expect(person.shown.match(/echo 500\n/g)).toHaveLength(1);
  });

  test('is told of a huge change without waiting for ever', { timeout: 30_000 }, async () => {
    place.write('a.txt', Array.from({ length: 30_000 }, (_, i) => `${i} ${i % 7}`).join('\n'));
    const content = Array.from({ length: 30_000 }, (_, i) => `${i * 31} ${i % 5}`).join('\n');
    await permit([call('Write', { file_path: 'a.txt', content })], [], new Person('n'));
  });
});

describe('calls', () => {
  test('go on with their fields, and other records as they came', async () => {
    const { stdout, calls } = await permit(
      [{ type: 'note' }, call('Read', { file_path: 'x' }, { dialect: 'anthropic', index: 2, extra: 1 })],
      rules({ allow: ['Read'] }),
    );
    expect(stdout.split('\n')[0]).toBe('{"type":"note"}');
    expect(calls[1]).toEqual({
      ...call('Read', { file_path: 'x' }, { dialect: 'anthropic', index: 2, extra: 1 }),
      decision: 'allow',
      by: `Read (${place.path}/r.json)`,
      digest: digestOf({ name: 'Read', input: { file_path: 'x' } }),
    });
  });

  test('that had started are denied, or may run again if it is said', async () => {
    const started = call('Read', { file_path: 'x' }, { started: true });
    expect((await permit([started], rules({ allow: ['Read'] }))).calls[0]).toMatchObject({
      decision: 'deny',
      reason: expect.stringContaining('it is unknown what it did'),
    });
    expect((await permit([started], [...rules({ allow: ['Read'] }), '--rerun'])).calls[0]).toMatchObject({
      decision: 'allow',
      rerun: true,
    });
    expect((await permit([started], ['--rerun'])).calls[0]).toMatchObject({ decision: 'deny' });
  });

  test('that have a result go on untouched', async () => {
    const done = call('x', {}, { result: { content: 'y', run: {} } });
    expect((await permit([done])).calls).toEqual([done]);
  });

  test('that search get what they must not show', async () => {
    const { calls } = await permit(
      [call('Grep', { pattern: 'x' }), call('Read', { file_path: 'y' })],
      rules({ allow: ['Read'], deny: ['Read(.env)'] }),
    );
    expect(calls.map(({ hide }) => hide)).toEqual([[`${place.path}/**/.env`], undefined]);
  });

  test('that cannot be read end the run, or are left out', async () => {
    const bad = { type: 'call', id: 7, name: 'x' };
    expect(await permit([call('x', {}), bad])).toMatchObject({
      status: 65,
      calls: [{}],
      stderr: 'ai-permit: -:2: cannot read the record: "id" must be a string, not a number\n',
    });
    expect(await permit([bad, call('x', {})], ['--keep-going'])).toMatchObject({ status: 65, calls: [{ id: 'a' }] });
  });

  test('may be denied altogether, for a reason', async () => {
    expect(
      (await permit([call('Read', {})], [...rules({ allow: ['Read'] }), '--deny', 'over'])).calls[0],
    ).toMatchObject({ decision: 'deny', reason: 'over' });
  });

  test('rules come from AI_RULES where none are named', async () => {
    const file = place.write('env.json', '{"permissions":{"allow":["x"]}}');
    const other = place.write('other.json', '{"permissions":{"deny":["y"]}}');
    const { stdout } = await run('ai-permit', [], {
      stdin: lines([call('x', {}), call('y', {})]),
      env: { AI_RULES: `${file}:${other}` },
    });
    expect(stdout.match(/"decision":"\w+"/g)).toEqual(['"decision":"allow"', '"decision":"deny"']);
  });
});
