// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are shell scripts
// ai-exec: order, company, time, and what becomes of what tools print.
import { spawn, spawnSync } from 'node:child_process';
import { openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { digestOf } from '../../../src/lib/conversation/loop-records.ts';
import type { JsonObject } from '../../../src/lib/json/values.ts';
import { BUILT, bin, lines, Place, ROOT } from '../../loop.ts';
import { run } from '../../run.ts';

const readOnly = { annotations: { readOnlyHint: true } };

let place: Place;
beforeEach(() => {
  place = new Place({
    show: { script: 'cat', about: readOnly },
    wait: {
      script: 'read -r x; s=${x#*:}; s=${s%\\}}; echo "+$AI_CALL_ID" >>log; sleep "$s"; echo "-$AI_CALL_ID" >>log',
      about: readOnly,
    },
    act: { script: 'echo "+$AI_CALL_ID" >>log; sleep 0.1; echo "-$AI_CALL_ID" >>log' },
    fail: { script: 'echo out; echo err >&2; exit 3', about: readOnly },
  });
});
afterEach(() => place.remove());

const call = (id: string, name = 'show', input: JsonObject = {}, more: JsonObject = {}): JsonObject => ({
  type: 'call',
  id,
  name,
  input,
  decision: 'allow',
  digest: digestOf({ name, input }),
  ...more,
});

async function exec(records: readonly unknown[], ...argv: readonly string[]) {
  const result = await run('ai-exec', ['-T', place.tools, ...argv], {
    stdin: lines(records),
    env: place.env(),
    cwd: place.path,
  });
  return {
    ...result,
    records: result.stdout
      .split('\n')
      .filter(Boolean)
      .map((line): JsonObject => JSON.parse(line)),
  };
}

const content = ({ records }: { records: readonly JsonObject[] }) =>
  records.filter(({ role }) => role === 'tool').map((record) => record.content);

describe('order', () => {
  test('what only reads runs together, and answers in order', async () => {
    const { records } = await exec([
      call('a', 'wait', { s: 0.4 }),
      call('b', 'wait', { s: 0.1 }),
      call('c', 'wait', { s: 0.2 }),
    ]);
    expect(records.map(({ tool_call_id }) => tool_call_id)).toEqual(['a', 'b', 'c']);
    expect(place.read('log').split('\n').slice(0, 4).sort()).toEqual(['+a', '+b', '+c', '-b']);
  });

  test('what acts runs alone, in its place', async () => {
    await exec([call('a', 'wait', { s: 0.2 }), call('b', 'act'), call('c', 'act'), call('d', 'wait', { s: 0.1 })]);
    expect(place.read('log')).toBe('+a\n-a\n+b\n-b\n+c\n-c\n+d\n-d\n');
  });

  test('at most so many at once', async () => {
    await exec(
      ['a', 'b', 'c', 'd'].map((id) => call(id, 'wait', { s: 0.1 })),
      '-j',
      '1',
    );
    expect(place.read('log')).toBe('+a\n-a\n+b\n-b\n+c\n-c\n+d\n-d\n');
  });

  test('agents run together although they act, each written down first', async () => {
    place.addTool('agent', {
      script: 'echo "+$AI_CALL_ID" >>log; sleep 0.3; echo "-$AI_CALL_ID" >>log',
      about: { parallel: true },
    });
    const { records } = await exec([call('a', 'agent'), call('b', 'agent')]);
    expect(place.read('log')).toMatch(/^\+[ab]\n\+[ab]\n/);
    expect(records.map(({ type, role, id, tool_call_id }) => [type ?? role, id ?? tool_call_id])).toEqual([
      ['started', 'a'],
      ['started', 'b'],
      ['tool', 'a'],
      ['tool', 'b'],
    ]);
  });

  test('a result is out before the next call is read', { timeout: 20_000 }, async () => {
    const child = spawn(process.execPath, [join(ROOT, 'dist/start.cjs'), 'ai-exec', '-T', place.tools], {
      cwd: place.path,
      env: place.env(),
    });
    if (!BUILT) return;
    for (const id of ['a', 'b']) {
      child.stdin.write(lines([call(id)]));
      const line = await new Promise((resolve) => child.stdout.once('data', resolve));
      expect(String(line)).toContain(`"tool_call_id":"${id}"`);
    }
    child.stdin.end();
  });
});

describe('dialects', () => {
  const group = (dialect: string) =>
    ['a', 'b', 'c'].map((id, index) => call(id, 'show', { id }, { dialect, turn: 0, index, of: 3 }));

  test('one message for the results of a turn, with a record for each while others are to come', async () => {
    const { records } = await exec([
      ...group('anthropic'),
      call('d', 'show', {}, { dialect: 'anthropic', turn: 1, index: 0, of: 1 }),
    ]);
    expect(records.map(({ type, role, id }) => [type ?? role, id])).toEqual([
      ['result', 'a'],
      ['result', 'b'],
      ['user', undefined],
      ['user', undefined],
    ]);
    expect(records[2]).toMatchObject({
      content: [{ tool_use_id: 'a' }, { tool_use_id: 'b' }, { tool_use_id: 'c' }],
      _meta: { runs: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] },
    });
  });

  test('a turn of which a call is left open gets no message yet', async () => {
    const { records } = await exec(group('anthropic').slice(1));
    expect(records.map(({ type, id }) => [type, id])).toEqual([
      ['result', 'b'],
      ['result', 'c'],
    ]);
  });

  test('results of an earlier run are joined to those of this one', async () => {
    const [a, ...others] = group('anthropic');
    const { records } = await exec([
      { ...a, decision: undefined, result: { content: 'before', run: { id: 'a', ms: 7 } } },
      ...others,
    ]);
    expect(records.map(({ type, role, id }) => [type ?? role, id])).toEqual([
      ['result', 'b'],
      ['user', undefined],
    ]);
    expect(records[1]).toMatchObject({
      content: [{ tool_use_id: 'a', content: 'before' }, {}, {}],
      _meta: { runs: [{ ms: 7 }, {}, {}] },
    });
  });

  test('a message for each, at once', async () => {
    const { records } = await exec(group('openai'));
    expect(records.map(({ role, tool_call_id }) => [role, tool_call_id])).toEqual([
      ['tool', 'a'],
      ['tool', 'b'],
      ['tool', 'c'],
    ]);
  });

  test('a picture that a message cannot hold follows all results', async () => {
    const printed = JSON.stringify({
      content: [
        { type: 'text', text: 'a dot' },
        { type: 'image', data: 'AA==', mimeType: 'image/png' },
      ],
    });
    place.addTool('picture', { script: `printf '%s' '${printed}'`, about: { ...readOnly, output: 'mcp' } });
    const [a, b, c] = group('openai');
    const { records } = await exec([
      a,
      call('b', 'picture', { id: 'b' }, { dialect: 'openai', turn: 0, index: 1, of: 3 }),
      c,
    ]);
    expect(b).toBeDefined();
    expect(records.map(({ type, role, id, tool_call_id }) => [type ?? role, id ?? tool_call_id])).toEqual([
      ['tool', 'a'],
      ['result', 'b'],
      ['tool', 'c'],
      ['tool', 'b'],
      ['user', undefined],
    ]);
  });

  test('records that are no calls go on, behind the results of the turn that they stand in', async () => {
    const [a, b, c] = group('anthropic');
    const { records } = await exec([
      { type: 'note', n: 1 },
      a,
      { role: 'user', content: 'hook' },
      b,
      c,
      { type: 'note', n: 2 },
    ]);
    expect(records.map(({ type, role, n }) => n ?? type ?? role)).toEqual([1, 'result', 'result', 'user', 'user', 2]);
  });
});

describe('what a tool gives', () => {
  test('failing, it is an error with all that it said', async () => {
    const { records, status } = await exec([call('a', 'fail', {}, { dialect: 'anthropic' })]);
    expect(status).toBe(0);
    expect(records[0]).toMatchObject({
      content: [{ is_error: true, content: 'out\nerr\n(exit status 3)' }],
      _meta: { runs: [{ status: 3 }] },
    });
  });

  test('nothing, signals, and programs that cannot be run', async () => {
    place.addTool('nothing', { script: ':', about: readOnly });
    place.addTool('signal', { script: 'kill -SEGV $$', about: readOnly });
    place.addTool('missing', { script: `#!${place.path}/missing\n`, about: readOnly });
    const found = content(await exec(['nothing', 'signal', 'missing'].map((name) => call(name, name))));
    expect(found).toEqual([
      '(no output)',
      'Ended by SIGSEGV.',
      'The tool could not be started: there is no such program.',
    ]);
  });

  test('too late, with what it said until then', async () => {
    const nap = `sleep 600.1${process.pid}s`;
    place.addTool('slow', {
      script: `echo begun; ${nap} & ${nap}`,
      about: { ...readOnly, timeout: 0.3 },
    });
    expect(content(await exec([call('a', 'slow')]))).toEqual([
      'begun\nTimeout: killed after 0.3 s, with all processes that it had started.',
    ]);
    expect(spawnSync('pgrep', ['-f', nap]).stdout.toString()).toBe('');
  });

  test('a tool that does not end when it is asked to is ended', { timeout: 10_000 }, async () => {
    place.addTool('stubborn', { script: 'trap "" TERM; echo begun; while :; do sleep 0.05; done', about: readOnly });
    expect(content(await exec([call('a', 'stubborn')], '-t', '0.2'))[0]).toContain('Timeout: killed after 0.2 s');
  });

  test('what it leaves behind is ended with it', async () => {
    const nap = `sleep 600.2${process.pid}s`;
    place.addTool('leaves', { script: `${nap} & ${nap} >/dev/null 2>&1 & echo done`, about: readOnly });
    expect(content(await exec([call('a', 'leaves')]))).toEqual(['done\n']);
    expect(spawnSync('pgrep', ['-f', nap]).stdout.toString()).toBe('');
  });

  test('what has left its group and goes on talking is not waited for', async () => {
    place.write('go on', '');
    place.addTool('escaped', {
      script: `setsid sh -c 'while [ -e "$0" ]; do echo more; sleep 0.1; done' ${JSON.stringify(join(place.path, 'go on'))} & echo said`,
      about: readOnly,
    });
    expect(content(await exec([call('a', 'escaped')]))[0]).toContain('said\n');
    rmSync(join(place.path, 'go on'));
  });

  test('a tool that reads nothing, and much that it does not read', async () => {
    place.addTool('deaf', { script: 'exec <&-; sleep 0.1; echo ok', about: readOnly });
    expect(content(await exec([call('a', 'deaf', { text: 'x'.repeat(5_000_000) })]))).toEqual(['ok\n']);
  });

  test('an output is cut between characters', async () => {
    place.addTool('wide', { script: `yes '${'ü'.repeat(50)}€' | head -c 30000`, about: readOnly });
    for (const most of [1000, 1001, 1002, 1003])
      expect(content(await exec([call('a', 'wide')], '-m', String(most)))[0]).not.toContain('\ufffd');
  });

  test('structured results: blocks, errors, and what is none', async () => {
    const mcp = (value: unknown) => ({
      script: `printf '%s' '${JSON.stringify(value)}'`,
      about: { ...readOnly, output: 'mcp' },
    });
    place.addTool('text', mcp({ content: [{ type: 'text', text: 'a\u001b[1mb' }] }));
    place.addTool('error', mcp({ content: [{ type: 'text', text: 'no' }], isError: true }));
    place.addTool('data', mcp({ content: [], structuredContent: { a: 1 } }));
    place.addTool('plain', mcp('just text'));
    const { records } = await exec(
      ['text', 'error', 'data', 'plain'].map((name) => call(name, name, {}, { dialect: 'anthropic' })),
    );
    expect(records.flatMap((record) => record.content)).toMatchObject([
      { content: 'ab' },
      { content: 'no', is_error: true },
      { content: '{"a":1}' },
      { content: '"just text"' },
    ]);
  });
});

test('--head gives the model the tools, in the dialect', async () => {
  place.addTool('typed', {
    script: ':',
    about: { description: 'does', inputSchema: { type: 'object', properties: { a: { type: 'string' } } } },
  });
  const { records } = await exec([], '--head=anthropic', '--only', 'typed,none');
  expect(records).toMatchObject([
    {
      tools: [
        { name: 'typed', description: 'does', input_schema: { type: 'object', properties: { a: { type: 'string' } } } },
      ],
    },
  ]);
  expect((await exec([], '--head')).records[0]).toMatchObject({ tools: [{ type: 'function' }, {}, {}, {}, {}] });
});

test('--write-ahead writes started records into the conversation itself', async () => {
  const { records } = await exec([call('a', 'act')], '-w', 'c.jsonl');
  expect(records).toHaveLength(1);
  expect(JSON.parse(place.read('c.jsonl'))).toMatchObject({
    type: 'started',
    id: 'a',
    name: 'act',
    digest: digestOf({ name: 'act', input: {} }),
  });
});

test('-v tells a person what has run', async () => {
  place.addTool('look', { script: 'echo x', about: readOnly });
  place.addTool('fail', { script: 'exit 3', about: readOnly });
  const calls = [call('a', 'look', { path: 'src\u001b[2J\nx' }), call('b', 'fail', {}), call('c', 'none', {})];
  const { stderr } = await run('ai-exec', ['-T', place.tools, '-v'], { stdin: lines(calls), cwd: place.path });
  expect(stderr.replace(/\d\.\d s/g, 'N s')).toBe(
    'look src\\x1b[2J\\nx (ok, N s)\nfail (exit 3, N s)\nnone (There is no tool named none. There are: act, fail, look, show, wait)\n',
  );
});

test('--only: other tools do not exist', async () => {
  expect(content(await exec([call('a'), call('b', 'act')], '--only', 'show'))[1]).toBe(
    'There is no tool named act. There are: show.',
  );
});

describe.skipIf(!BUILT)('as a program', () => {
  test('10,000 results stream through without growth', { timeout: 600_000 }, () => {
    const count = Number(process.env.CALLS ?? 1500);
    const records = Array.from({ length: count }, (_, i) => call(`c${i}`, 'big'));
    place.addTool('big', { script: '#!/bin/cat\n', about: readOnly });
    place.addTool('big', { script: `exec head -c 20000 ${join(ROOT, 'package-lock.json')}`, about: readOnly });
    place.write('calls.jsonl', lines(records));
    const memory = (n: number) => {
      const out = openSync(join(place.path, `out${n}`), 'w');
      const input = openSync(place.write(`in${n}`, lines(records.slice(0, n))), 'r');
      const { stderr } = spawnSync('/usr/bin/env', ['time', '-f', '%M', bin('ai-exec'), '-T', place.tools, '-j', '2'], {
        cwd: place.path,
        env: place.env(),
        stdio: [input, out, 'pipe'],
      });
      expect(readFileSync(join(place.path, `out${n}`), 'utf8').split('\n').length - 1).toBe(n);
      return Number(stderr.toString().trim().split('\n').at(-1));
    };
    const small = memory(200);
    if (Number.isNaN(small)) return;
    expect(memory(count) / small).toBeLessThan(1.5);
  });

  test('a reader that goes away stops what runs', async () => {
    const nap = `sleep 30.0${process.pid}s`;
    place.addTool('slow', { script: `echo x; ${nap}`, about: readOnly });
    const made = lines([call('a'), ...Array.from({ length: 50 }, (_, i) => call(`s${i}`, 'show')), call('b', 'slow')]);
    const { status } = spawnSync(
      'bash',
      [
        '-o',
        'pipefail',
        '-c',
        `"${bin('ai-exec')}" -T "${place.tools}" | head -n 1 >/dev/null; echo "\${PIPESTATUS[0]}"`,
      ],
      { cwd: place.path, env: place.env(), input: made },
    );
    expect(status).toBe(0);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(spawnSync('pgrep', ['-f', nap]).stdout.toString()).toBe('');
  });
});
