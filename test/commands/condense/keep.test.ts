// What is taken out is never lost: marks, ledger and backup give the original back.
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { run } from '../../run.ts';
import { asText, parse, session } from './sessions.ts';

const { lines } = session(20);
const INPUTS: { readonly [what: string]: string } = {
  'lines of messages': asText(lines),
  'odd spelling, no newline at the end': lines
    .map((line) => ` ${JSON.stringify(line, null, 1).replaceAll('\n', ' ')}`)
    .join('\r\n'),
  'rolled up': `${JSON.stringify({ model: 'gpt-4o', messages: lines })}\n`,
  'rolled up, spelled oddly': `{ "messages" : ${JSON.stringify(lines)}, "n" : 1.0 }\n`,
  'two conversations': asText([{ model: 'gpt-4o' }, ...lines, { model: 'gpt-4o-mini' }, ...lines]),
  'records between': asText(lines.flatMap((line, i) => (i % 5 ? [line] : [line, { type: 'started', at: i }]))),
};

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'condense-'));
});

describe.each(Object.entries(INPUTS))('%s', (_, stdin) => {
  const condense = (...argv: string[]) => run('ai-condense', ['--budget', '3000', ...argv], { stdin });
  const restored = async (text: string, ...argv: string[]) =>
    (await run('ai-condense', ['--restore', ...argv], { stdin: text })).stdout;

  test('marks', async () => {
    const { stdout } = await condense('--mark');
    expect(stdout).toContain('"hidden":true');
    expect(await restored(stdout)).toBe(stdin);
    expect((await run('ai-condense', ['--budget', '3000', '--mark'], { stdin: stdout })).stdout).toBe(stdout);
  });

  test('a ledger', async () => {
    const ledger = join(folder, 'ledger');
    const { stdout } = await condense('--ledger', ledger);
    expect(await restored(stdout, '--ledger', ledger)).toBe(stdin);
    expect(statSync(ledger).mode & 0o777).toBe(0o600);
  });

  test('a backup', async () => {
    const { stdout } = await condense('--backup', join(folder, 'backup'));
    expect(await restored(stdout, '--backup', join(folder, 'backup'))).toBe(stdin);
  });
});

test('a ledger undoes several runs, and leaves what came after them', async () => {
  const ledger = join(folder, 'ledger');
  const stdin = asText(lines);
  const once = await run('ai-condense', ['--budget', '4000', '--ledger', ledger], { stdin });
  const more = `${once.stdout}{"role":"assistant","content":"More."}\n`;
  const twice = await run('ai-condense', ['--budget', '2000', '--ledger', ledger], { stdin: more });
  const { stdout } = await run('ai-condense', ['--restore', '--ledger', ledger], {
    stdin: `${twice.stdout}{"role":"user","content":"Last."}\n`,
  });
  expect(stdout).toBe(`${stdin}{"role":"assistant","content":"More."}\n{"role":"user","content":"Last."}\n`);
});

test('a ledger of another conversation restores nothing', async () => {
  const ledger = join(folder, 'ledger');
  await run('ai-condense', ['--budget', '3000', '--ledger', ledger], { stdin: asText(lines) });
  const { status, stdout } = await run('ai-condense', ['--restore', '--ledger', ledger], {
    stdin: asText(lines.slice(0, 3)),
  });
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
});

test('a conversation that fits is not backed up, and gets no ledger', async () => {
  const argv = ['--budget', '1000000', '--backup', join(folder, 'backup'), '--ledger', join(folder, 'ledger')];
  const { stdout } = await run('ai-condense', argv, { stdin: asText(lines) });
  expect(stdout).toBe(asText(lines));
  expect(readdirSync(folder)).toEqual([]);
});

test('hidden messages are not counted and stay', async () => {
  const { stdout } = await run('ai-condense', ['--budget', '3000', '--mark'], { stdin: asText(lines) });
  expect(parse(stdout).length).toBeGreaterThanOrEqual(lines.length);
  expect((await run('ai-condense', ['--budget', '3000'], { stdin: stdout })).stdout).toBe(stdout);
});

const made = async (ledger: string): Promise<{ output: string; entries: string[] }> => {
  const { stdout } = await run('ai-condense', ['--budget', '3000', '--ledger', ledger], { stdin: asText(lines) });
  return { output: stdout, entries: readFileSync(ledger, 'utf8').split('\n').filter(Boolean) };
};
const restoring = (ledger: string, stdin: string) => run('ai-condense', ['--restore', '--ledger', ledger], { stdin });

/** What may happen to a file that people can write. */
const CHANGES: { readonly [what: string]: (entries: readonly string[]) => string[] } = {
  'a letter of a line': (all) => all.map((line, i) => (i === 3 ? line.replace('alpha', 'omega') : line)),
  'the place of a line': (all) => all.map((line, i) => (i === 3 ? line.replace(/"record":\d+/, '"record":1') : line)),
  'the places of two lines': (all) => {
    const at = (i: number) => /"record":\d+/.exec(all[i] ?? '')?.[0] ?? '';
    return all.map((line, i) => (i === 3 || i === 4 ? line.replace(/"record":\d+/, at(7 - i)) : line));
  },
  'an entry less': (all) => all.filter((_, i) => i !== 3),
  'its beginning cut off': (all) => all.slice(2),
  'an entry twice': (all) => all.flatMap((line, i) => (i === all.length - 2 ? [line, line] : [line])),
  'a count of what was read': (all) =>
    all.map((line) => line.replace(/"input":{"records":(\d)/, '"input":{"records":1$1')),
};

test.each(Object.entries(CHANGES))('a ledger with a change is refused: %s', async (_, change) => {
  const ledger = join(folder, 'ledger');
  const { output, entries } = await made(ledger);
  const changed = change(entries);
  expect(changed).not.toEqual(entries);
  writeFileSync(ledger, changed.map((line) => `${line}\n`).join(''));
  const { status, stdout, stderr } = await restoring(ledger, output);
  expect({ status, stdout }).toEqual({ status: 74, stdout: '' });
  expect(stderr).toContain('the ledger was changed after it was written');
});

test('a ledger that lost its end restores nothing', async () => {
  const ledger = join(folder, 'ledger');
  const { output, entries } = await made(ledger);
  writeFileSync(ledger, entries.slice(0, -1).join('\n'));
  expect(await restoring(ledger, output)).toMatchObject({ status: 1, stdout: '' });
  writeFileSync(ledger, entries.join('\n').slice(0, -20));
  expect(await restoring(ledger, output)).toMatchObject({ status: 65, stdout: '' });
});

test('what a run left that was killed is not part of the next', async () => {
  const ledger = join(folder, 'ledger');
  const { entries } = await made(ledger);
  writeFileSync(ledger, `${entries.slice(0, 5).join('\n')}\n`);
  const { output } = await made(ledger);
  expect((await restoring(ledger, output)).stdout).toBe(asText(lines));
});

test('a ledger of an older version, without the digest of what was read, is still good', async () => {
  const ledger = join(folder, 'ledger');
  const { output, entries } = await made(ledger);
  const old = entries.map((line) => {
    const { entries: _, ...entry } = JSON.parse(line);
    if (entry.type === 'condensed') delete entry.input.sha256;
    return JSON.stringify(entry);
  });
  writeFileSync(ledger, '');
  appendFileSync(ledger, `${old.join('\n')}\n`);
  expect((await restoring(ledger, output)).stdout).toBe(asText(lines));
});
