import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import ndjson from 'ndjson';
import split2 from 'split2';
import { describe, expect, test } from 'vitest';
import { run } from '../run.ts';

const good = '{"role":"user","content":"a"}\n';

describe('reading', () => {
  test('invalid UTF-8 is refused with its line, after the lines before it', async () => {
    const stdin = Buffer.concat([
      Buffer.from(good),
      Buffer.from('{"role":"user","content":"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}\n'),
    ]);
    expect(await run('ai-transform', [], { stdin })).toEqual({
      stdout: good,
      stderr: 'ai-transform: -:2: cannot read the line: not valid UTF-8\n',
      status: 65,
    });
  });

  test('with --keep-going an invalid line passes as its bytes', async () => {
    const bad = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}\n')]);
    const out: Uint8Array[] = [];
    const stdin = Buffer.concat([Buffer.from(good), bad, Buffer.from(good)]);
    const { status } = await run('ai-transform', ['--keep-going'], {
      stdin,
      onStdout: (bytes) => out.push(Buffer.from(bytes)),
    });
    expect(Buffer.concat(out)).toEqual(stdin);
    expect(status).toBe(65);
  });

  test('a character cut between two chunks is whole again', async () => {
    const line = Buffer.from('{"role":"user","content":"é😀"}\n');
    for (let cut = 1; cut < line.length; cut++)
      expect((await run('ai-transform', [], { stdin: [line.subarray(0, cut), line.subarray(cut)] })).stdout).toBe(
        line.toString(),
      );
  });

  test.each([
    ['{"a":1}}', 'something follows the value at character 8'],
    ['{"a":tru}', 'unexpected character at character 9'],
    ['{"a":"\t"}', 'control character in a string at character 7'],
    ['{"a":"\\x"}', 'bad escape at character 8'],
    ['{"a"', 'unexpected end at character 5'],
    ['{"a":"b', 'unexpected end at character 8'],
    ['nonsense', 'unexpected character at character 2 (if it is text: ai-transform --from text --to openai)'],
    ['\0', 'unexpected character at character 1'],
    ['{"role":"user" "content":"two"}', 'unexpected character at character 16'],
  ])('%j is refused: %s', async (line, why) => {
    const { stderr, status } = await run('ai-transform', [], { stdin: `${line}\n` });
    expect(stderr).toBe(`ai-transform: -:1: cannot parse JSON: ${why}\n`);
    expect(status).toBe(65);
  });

  test('several files are one stream, each with its own line numbers', async () => {
    const { stderr } = await run('ai-transform', ['-', '/dev/null', '-'], { stdin: `${good}{` });
    expect(stderr).toContain('-:2: cannot parse JSON');
  });
});

describe('agrees with other readers of lines', () => {
  const text = '{"a":1}\r\n\n{"b":"x\\ny"}\n{"c":[1,2]}';

  test('split2', async () => {
    const lines = await Readable.from([text]).pipe(split2()).toArray();
    const { stdout } = await run('ai-transform', [], { stdin: text });
    expect(stdout.split(/\r?\n/)).toEqual(lines);
  });

  test('ndjson', async () => {
    const values: unknown[] = [];
    await pipeline(
      Readable.from([text.replace('\n\n', '\n')]),
      ndjson.parse().on('data', (value) => values.push(value)),
    );
    const { stdout } = await run('ai-transform', [], { stdin: text });
    expect(
      stdout
        .split('\n')
        .filter((line) => line.trim())
        .map((line) => JSON.parse(line)),
    ).toEqual(values);
  });
});

describe('writing', () => {
  test('a record after one without a newline begins on a new line', async () => {
    const { stdout } = await run('ai-complete', ['-m', 'echo'], { stdin: good.trimEnd() });
    expect(stdout.split('\n')).toHaveLength(3);
  });

  test('a piece of output never ends inside a record', async () => {
    const pieces: string[] = [];
    const stdin = good.repeat(10_000);
    await run('ai-transform', ['--to', 'openai'], {
      stdin,
      onStdout: (bytes) => pieces.push(Buffer.from(bytes).toString()),
    });
    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces.every((piece) => piece.endsWith('\n'))).toBe(true);
    expect(pieces.join('')).toBe(stdin);
  });
});
