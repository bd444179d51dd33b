// What Bedrock demands of names, files and results.
import { describe, expect, test } from 'vitest';
import type { Message, Part } from '../../../src/lib/conversation/types.ts';
import { DocumentNames } from '../../../src/lib/dialects/bedrock/document-names.ts';
import { bedrock } from '../../../src/lib/dialects/bedrock/index.ts';
import { formatOf, mimeOf } from '../../../src/lib/dialects/bedrock/media-types.ts';

const lost: string[] = [];
const lose = (field: string, why: string) => void lost.push(`${field}: ${why}`);
const write = (parts: readonly Part[], role: Message['role'] = 'user') =>
  bedrock.writeMessages([{ role, parts }], lose)[0]?.content;

describe('names of documents', () => {
  test.each([
    ['report.pdf', 'report'],
    ['Q1_report (final).v2.docx', 'Q1 report (final) v2'],
    ['  a   b\tc ', 'a b c'],
    ["John's [draft] - 1", 'John s [draft] - 1'],
    ['日本語.pdf', 'Document a7cd5b4f'],
  ])('%j becomes %j', (name, expected) =>
    expect(new DocumentNames().next(name, '')).toMatch(
      /^Document /.test(expected) ? /^Document [0-9a-f]{8}$/ : expected,
    ),
  );

  test('one name is used once, however it is written', () => {
    const names = new DocumentNames();
    names.keep('Report');
    expect([names.next('report', ''), names.next('REPORT.pdf', ''), names.next('report (2)', '')]).toEqual([
      'report (2)',
      'REPORT (3)',
      'report (2) (2)',
    ]);
  });

  test('documents without a name are told apart by what they hold', () => {
    const names = new DocumentNames();
    const [a, b, c] = [names.next(undefined, 'x'), names.next(undefined, 'y'), names.next(undefined, 'x')];
    expect(new Set([a, b, c]).size).toBe(3);
    expect(new DocumentNames().next(undefined, 'x')).toBe(a);
  });

  test('many of one name cost linear time', () => {
    const names = new DocumentNames();
    const found = new Set(Array.from({ length: 300_000 }, () => names.next('a', '')));
    expect(found.size).toBe(300_000);
  });
});

describe('media types', () => {
  test.each([
    ['image', 'image/jpg', 'jpeg'],
    ['image', 'IMAGE/PNG; charset=binary', 'png'],
    ['image', 'image/svg+xml', undefined],
    ['document', 'text/x-python', 'txt'],
    ['document', 'application/zip', undefined],
    ['audio', 'audio/x-wav', 'wav'],
    ['audio', 'audio/mpeg', 'mp3'],
    ['video', 'video/mpeg', 'mpeg'],
  ] as const)('%s %s is %s', (kind, mime, format) => expect(formatOf(kind, mime)).toBe(format));
  test('a format of nobody becomes a type of its name', () => {
    expect([mimeOf('image', 'constructor'), mimeOf('video', 'video/mp4')]).toEqual(['image/constructor', 'video/mp4']);
  });
});

describe('what another format sends', () => {
  const image = (mime?: string): Part => ({
    type: 'media',
    kind: 'image',
    source: { type: 'data', data: 'iVBORw0KGgo=', mime },
  });
  test('bytes tell what they are where nothing else does', () => {
    expect(write([image()])).toEqual([{ image: { format: 'png', source: { bytes: 'iVBORw0KGgo=' } } }]);
  });
  test('a type that the API does not take is said', () => {
    lost.length = 0;
    expect(write([{ type: 'text', text: 'a' }, image('image/tiff')])).toEqual([{ text: 'a' }]);
    expect(lost).toEqual(['image: the API takes no image/tiff']);
  });
  test('results come first, empty texts do not come', () => {
    const result: Part = { type: 'tool_result', callId: 't', parts: [{ type: 'text', text: '' }] };
    expect(write([{ type: 'text', text: 'a' }, result, { type: 'text', text: '' }])).toEqual([
      { toolResult: { toolUseId: 't', content: [{ json: { output: '' } }], status: 'success' } },
      { text: 'a' },
    ]);
  });
  test('what stands for an empty result is read as one', () => {
    const content = write([{ type: 'tool_result', callId: 't', parts: [], error: true }]) as never;
    expect(bedrock.readMessage({ role: 'user', content }).parts).toMatchObject([
      { callId: 't', parts: [], error: true },
    ]);
  });
  test('a breakpoint inside a result is said', () => {
    lost.length = 0;
    write([{ type: 'tool_result', callId: 't', parts: [{ type: 'text', text: 'a', cache: {} }] }]);
    expect(lost).toEqual(['cache_control: a result has no breakpoints inside']);
  });
});
