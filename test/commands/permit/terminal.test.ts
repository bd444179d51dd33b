// Questions on a real terminal: what was typed before one stands there is no answer to it.
import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BUILT, bin, Place, ROOT } from '../../loop.ts';

const DRIVER = join(ROOT, 'test/fixtures/terminal.py');
const python = spawnSync('python3', ['-c', 'import pty']).status === 0;

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place.remove());

/** What a shell script shows on a terminal; it begins a moment after something was typed. */
function shown(script: string, early: string, late: readonly string[]): string {
  const file = place.write('run.sh', `sleep 0.5\n${script}\nstty -a </dev/tty | grep -o '[-]*icanon'\n`);
  const { stdout } = spawnSync('python3', [DRIVER, early, late.join('|'), 'sh', file], {
    cwd: place.path,
    env: { PATH: process.env.PATH, HOME: place.path, TERM: 'dumb' },
    timeout: 30_000,
  });
  const text = stdout.toString().replaceAll('\r', '');
  // The terminal is as it was.
  expect(text).toMatch(/^icanon$/m);
  return text;
}

const EARLY = ['y\n', 'y', 'y\ny\ny\n', 'no\ny\n', 'yyy', 'y\u0004'];

describe.skipIf(!BUILT || !python)('on a terminal', { timeout: 60_000 }, () => {
  const permit = () => {
    const calls = ['a', 'b'].map((id) => JSON.stringify({ type: 'call', id, name: 'x', input: {} }));
    place.write('calls.jsonl', `${calls.join('\n')}\n`);
    return `${bin('ai-permit')} <calls.jsonl >decided.jsonl`;
  };
  const decisions = () => place.read('decided.jsonl').match(/"decision":"\w+"/g);

  test.each(EARLY)('%j typed before the question permits nothing', (early) => {
    shown(permit(), early, ['\n', '\n']);
    expect(decisions()).toEqual(['"decision":"deny"', '"decision":"deny"']);
  });

  test('what is typed after it counts, for one question each', () => {
    shown(permit(), 'n\n', ['y\n', 'n\n']);
    expect(decisions()).toEqual(['"decision":"allow"', '"decision":"deny"']);
    shown(permit(), '', ['y\ny\ny\n', '\n']);
    expect(decisions()).toEqual(['"decision":"allow"', '"decision":"deny"']);
  });

  test.each([
    ['AskUserQuestion', { questions: [{ question: 'Which?', options: [{ label: 'red' }, { label: 'blue' }] }] }],
    ['ask_followup_question', { question: 'Which?', follow_up: ['red', 'blue'] }],
  ])('%s takes no answer from before', (name, input) => {
    place.write('input.json', JSON.stringify(input));
    for (const early of ['1\n', '1', '1\n1\n'])
      expect(shown(`${join(ROOT, 'tools', name)} <input.json`, early, ['2\n'])).toContain('→ blue');
  });

  test('ai-agent runs nothing for a y that was typed while the model answered', () => {
    const reply = {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'Bash', arguments: '{"command":"touch ran"}' } }],
    };
    place.write('reply.json', JSON.stringify(reply));
    const model = place.write(
      'model',
      '#!/bin/sh\nif grep -q tool_calls; then echo \'{"role":"assistant","content":"done"}\'; else cat reply.json; fi\n',
    );
    chmodSync(model, 0o755);
    const start = `AI_ASK=./model ${bin('ai-agent')} c.jsonl go; [ -e ran ] && echo it ran || echo it did not`;
    expect(shown(start, 'y\ny\n', ['\n'])).toContain('\nit did not\n');
    writeFileSync(join(place.path, 'c.jsonl'), '');
    expect(shown(start, '', ['y\n'])).toContain('\nit ran\n');
  });
});
