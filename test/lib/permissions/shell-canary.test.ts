// Wildcard rules against bash itself: what a rule does not name never makes the canary, and what is harmless is not asked about.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../run.ts';

interface Case {
  readonly rules: readonly string[];
  readonly command: string;
}

const read = (name: string): Case[] =>
  readFileSync(join(import.meta.dirname, '../../fixtures/shell', name), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# '))
    .map((line) => {
      const at = line.indexOf(': ');
      return { rules: line.slice(0, at).split(', '), command: line.slice(at + 2) };
    });

const evasions = read('evasions.txt');
const harmless = read('harmless.txt');

let model: string;
let scratch: string;
const bash = spawnSync('bash', ['-c', 'echo $BASH']).stdout?.toString().trim() ?? '';

beforeAll(() => {
  model = mkdtempSync(join(tmpdir(), 'canary-'));
  scratch = join(model, 'scratch');
  const whole = join(model, 'whole');
  for (const directory of ['', 'sub', 'evil', 'tpl/hooks']) mkdirSync(join(whole, directory), { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(whole, name), text, { mode: 0o755 });
  const evil = `#!/bin/sh\n: >${JSON.stringify(join(scratch, 'pwned'))}\n`;
  write('-opwned', 'x\n');
  for (const name of ['timeout', 'e', 'e2', 'git-e', 'sub/ls', 'sub/git-ls', 'tpl/hooks/post-checkout'])
    write(name, evil);
  write('e.js', 'require("node:fs").writeFileSync("pwned", "")');
  write('x.js', '');
  write('package.json', '{"name":"x","version":"1.0.0","scripts":{"test":"true"}}');
  write('evil/package.json', '{"name":"y","version":"1.0.0","scripts":{"test":"touch ../pwned"}}');
  write('evilrc', 'script-shell=./e\n');
  write('evil/Makefile', 'all:\n\ttouch ../pwned\n');
  write('evil.mk', 'all:\n\ttouch pwned\n');
  write('Makefile', 'all:\n\t@true\n');
  write('evil.sed', 'w pwned\n');
  write('evil.awk', 'BEGIN { system("touch pwned") }\n');
  write('evil.pm', 'system "touch pwned"; 1;\n');
  write('evil.tcl', 'exec touch pwned\n');
  write('evilssh', 'Host *\n  ProxyCommand ./e\n');
  write('curlrc', `url = "file://${scratch}/a.txt"\noutput = pwned\n`);
  write('list', '--checkpoint-action=exec=./e\n--checkpoint=1\nbig.txt\n');
  write('a.txt', 'a\nb\n');
  write('b.txt', 'b\n');
  write('pwn.txt', 'a\n');
  write('a.json', '{}');
  write('big.txt', 'a line of some length\n'.repeat(20_000));
  const git = 'git init -q . && git add a.txt && git -c user.name=a -c user.email=a@b commit -qm a';
  const again = 'git add b.txt && git -c user.name=a -c user.email=a@b commit -qm b && tar cf a.tar a.txt';
  spawnSync('bash', ['-c', `${git} && ${again}`], { cwd: whole });
});
afterAll(() => rmSync(model, { recursive: true, force: true }));

/** What ai-permit says of each, one run for the same rules. */
async function decide(cases: readonly Case[]): Promise<Map<Case, string>> {
  const decided = new Map<Case, string>();
  for (const group of Map.groupBy(cases, ({ rules }) => rules.join()).values()) {
    const allow = (group[0]?.rules ?? []).map((rule) => `Bash(${rule}:*)`);
    const policy = join(model, 'rules.json');
    writeFileSync(policy, JSON.stringify({ permissions: { allow } }), { mode: 0o644 });
    const calls = group.map(({ command }, i) => ({ type: 'call', id: `${i}`, name: 'Bash', input: { command } }));
    const { stdout } = await run('ai-permit', ['-p', policy], {
      stdin: calls.map((call) => `${JSON.stringify(call)}\n`).join(''),
      cwd: model,
    });
    const answers = stdout.split('\n').filter(Boolean);
    for (const [i, each] of group.entries()) decided.set(each, JSON.parse(answers[i] ?? '{}').decision);
  }
  return decided;
}

/** Whether the canary is there after bash has run a command. */
function hits(command: string): boolean {
  // A job in the background may outlive its script.
  rmSync(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  cpSync(join(model, 'whole'), scratch, { recursive: true });
  const before = readFileSync(join(scratch, 'pwn.txt'), 'utf8');
  const env = { PATH: process.env.PATH ?? '', HOME: model, V: '!./e', GIT_EDITOR: 'true', GIT_TERMINAL_PROMPT: '0' };
  spawnSync(bash, ['-c', command], { cwd: scratch, env, timeout: 5000, stdio: 'ignore' });
  const there = [scratch, join(scratch, 'sub')].some((directory) => existsSync(join(directory, 'pwned')));
  return there || readFileSync(join(scratch, 'pwn.txt'), 'utf8') !== before || existsSync(join(scratch, 'pwn.txt.bak'));
}

describe.skipIf(bash === '')('a wildcard', () => {
  test('runs only what it names', { timeout: 300_000 }, async () => {
    const decided = await decide(evasions);
    expect(decided.size).toBe(evasions.length);
    const allowed = evasions.filter((each) => decided.get(each) === 'allow');
    expect(allowed.filter(({ command }) => hits(command))).toEqual([]);
    // Each of the others could be one on another machine.
    expect(allowed).toEqual([]);
  });

  // The canary can be made: with the rules out of the way it is, by the shell's own means and by programs that every machine has.
  test.each([
    "echo ${PWD:'a[$(touch pwned)]'}",
    'sort -uo pwned a.txt',
    'git grep -nO./e a',
    "sed -n '1e touch pwned' a.txt",
    'echo -o pwned a.txt | xargs sort',
  ])('would otherwise run %j', (command) => {
    expect(hits(command)).toBe(true);
  });

  test('takes in what is harmless', async () => {
    const decided = await decide(harmless);
    const asked = harmless.filter((each) => decided.get(each) !== 'allow');
    expect(asked).toEqual([]);
    expect(harmless.length).toBeGreaterThan(150);
  });
});

test.runIf(process.env.EVASIONS === 'all')('most evasions are real here', { timeout: 600_000 }, () => {
  const idle = evasions.filter(({ command }) => !hits(command)).map(({ command }) => command);
  console.log(`${idle.length} of ${evasions.length} do not make the canary on this machine:\n${idle.join('\n')}`);
  expect(idle.length).toBeLessThan(evasions.length / 2);
});
