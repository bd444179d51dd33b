// Against bash itself: whatever bash runs in a script made at random, the rules have seen.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Judge } from '../../../src/lib/permissions/judge.ts';
import { EMPTY } from '../../../src/lib/permissions/policy.ts';
import { parseRule } from '../../../src/lib/permissions/rule.ts';

const RUNS = Number(process.env.RUNS ?? 150);
const place = { cwd: '/work', home: '/home/ada' };
const where = { file: 'r', base: '/', place: 'r' };

async function decide(deny: readonly string[], allow: readonly string[], command: string): Promise<string> {
  const policy = {
    ...EMPTY,
    deny: deny.map((text) => parseRule(text, 'deny', where)),
    allow: allow.map((text) => parseRule(text, 'allow', where)),
  };
  return (await new Judge(policy, place).judge({ type: 'call', id: '1', name: 'Bash', input: { command } })).decision;
}

/** Pieces that mean something to a shell, and the names of programs that do not exist. */
const piece = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('c1', 'c2', 'c3', ' ', ' ', ' ', '\n') },
  {
    weight: 5,
    arbitrary: fc.constantFrom(
      ...`; & && || | |& ( ) { } $( ) $(( )) \` " ' \\ # ! > < >> <<E <<<x 2>&1 E $x \${x:- } = x= $' $" * ? [ ] ~ - -c , \\x63 {c1,c2} if then else fi for i in do done while case esac function () [[ ]] time coproc eval command exec - builtin . :`.split(
        ' ',
      ),
    ),
  },
);
const script = fc.array(piece, { minLength: 1, maxLength: 14 }).map((pieces) => pieces.join(''));
const spaced = fc.array(piece, { minLength: 1, maxLength: 14 }).map((pieces) => pieces.join(' '));

const bash = spawnSync('bash', ['-c', 'echo $BASH']).stdout?.toString().trim() ?? '';

let count = 0;

/** The names that bash looked for. */
function ranBy(command: string, directory: string): Set<string> {
  // A log for each: a job in the background may outlive its script.
  const log = join(directory, `log${count++}`);
  const prelude = join(directory, 'prelude');
  writeFileSync(log, '');
  writeFileSync(prelude, `command_not_found_handle() { printf '%s\\0' "$1" >>${log}; }\n`);
  spawnSync(bash, ['-c', command], {
    cwd: directory,
    env: { PATH: join(directory, 'missing'), BASH_ENV: prelude },
    timeout: 2000,
    // A pipe of Node's is a socket, and with one for its input bash reads ~/.bashrc.
    stdio: 'ignore',
  });
  return new Set(readFileSync(log, 'utf8').split('\0').filter(Boolean));
}

test.skipIf(bash === '')('the witness sees what runs', () => {
  const directory = mkdtempSync(join(tmpdir(), 'shell-'));
  expect([...ranBy('c1; x=$(c2) && "c"3 | c1', directory)].sort()).toEqual(['c1', 'c2', 'c3']);
  rmSync(directory, { recursive: true });
});

test.skipIf(bash === '')('what bash runs is never hidden from a rule', { timeout: 600_000 }, async () => {
  const directory = mkdtempSync(join(tmpdir(), 'shell-'));
  try {
    await fc.assert(
      fc.asyncProperty(fc.oneof(script, spaced), async (command) => {
        const ran = ranBy(command, directory);
        for (const name of ran) {
          if (/^c[123]$/.test(name)) expect(await decide([`Bash(${name}:*)`], ['Bash'], command)).not.toBe('allow');
        }
        // The program `time` runs what it is given and nothing else: it may stand before what is allowed.
        const others = [...ran].filter((name) => name !== 'c1' && name !== 'time');
        if (others.length > 0) expect(await decide([], ['Bash(c1:*)'], command), others.join()).not.toBe('allow');
      }),
      { numRuns: RUNS },
    );
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
