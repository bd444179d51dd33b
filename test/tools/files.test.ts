// Read, Write, Edit, MultiEdit, apply_diff, insert_content: what they do, and where they may do it.
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { useTool } from '../run.ts';

let cwd: string;
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'tools-')));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const put = (name: string, text: string | Uint8Array) => writeFileSync(join(cwd, name), text);
const get = (name: string) => readFileSync(join(cwd, name), 'utf8');
const use = (name: string, input: unknown, env: Readonly<Record<string, string>> = {}) =>
  useTool(name, input, { cwd, env });

/** What a tool says, in one line: its result, or why there is none. */
async function says(name: string, input: unknown, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { stdout, stderr, status } = await use(name, input, env);
  expect(status === 0 ? stderr : stdout).toBe('');
  expect([0, 1]).toContain(status);
  return status === 0 ? stdout : `! ${stderr}`;
}

describe('Read', () => {
  test('numbers the lines, and goes on from any of them', async () => {
    put('a', Array.from({ length: 3000 }, (_, i) => `line ${i + 1}\r\n`).join(''));
    const all = (await says('Read', { file_path: 'a' })).split('\n');
    expect(all.slice(0, 2)).toEqual(['     1\tline 1', '     2\tline 2']);
    expect(all.at(-2)).toBe('(more lines follow: read on with offset 2001)');
    expect(await says('Read', { file_path: 'a', offset: 2999, limit: 5 })).toBe(
      '  2999\tline 2999\n  3000\tline 3000\n',
    );
    expect(await says('read_file', { path: 'a', start_line: '7', end_line: '7' })).toMatch(/^ {5}7\tline 7\n\(more/);
    expect(await says('read_file', { files: [{ path: 'a', line_range: '2-2' }, { path: 'b' }] })).toContain(
      'there is no such file',
    );
    expect(await says('Read', { file_path: 'a', offset: 9999 })).toBe('! a has 3000 lines: there is no line 9999\n');
  });

  test('cuts lines that would fill the window', async () => {
    put('a', `${'x'.repeat(100_000)}\ny`);
    expect((await says('Read', { file_path: 'a' })).length).toBeLessThan(2200);
  });

  test.each([
    ['an empty file', '', '(the file is empty)\n'],
    ['a file without a last newline', 'x', '     1\tx\n'],
    ['a byte order mark', '\ufeffx\n', '     1\tx\n'],
  ])('%s', async (_what, text, wanted) => {
    put('a', text);
    expect(await says('Read', { file_path: 'a' })).toBe(wanted);
  });

  test('reads UTF-16, notebooks, pictures and documents, and says what is none', async () => {
    put('utf16', Buffer.from('\ufeffzwölf\n', 'utf16le'));
    expect(await says('Read', { file_path: 'utf16' })).toBe('     1\tzwölf\n');
    put(
      'a.ipynb',
      JSON.stringify({
        cells: [{ cell_type: 'code', source: ['x = 1\n', 'x'], outputs: [{ data: { 'text/plain': ['1'] } }] }],
      }),
    );
    expect(await says('Read', { file_path: 'a.ipynb' })).toBe('[1] code\nx = 1\nx\n→ 1\n');
    put('p.png', Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1'));
    expect(JSON.parse(await says('Read', { file_path: 'p.png' })).content[1]).toMatchObject({
      type: 'image',
      mimeType: 'image/png',
    });
    put('d.pdf', '%PDF-1.7 …');
    expect(JSON.parse(await says('Read', { file_path: 'd.pdf' })).content[1].resource.mimeType).toBe('application/pdf');
    put('bin', Buffer.from([1, 0, 2]));
    expect(await says('Read', { file_path: 'bin' })).toBe('! bin is not text (3 bytes)\n');
    expect(await says('Read', { file_path: '.' })).toBe('! . is a directory: list it instead\n');
    expect(await says('Read', { file_path: 'nothing' })).toBe('! nothing cannot be read: there is no such file\n');
    expect(await says('Read', { file_path: '/dev/zero' }, { AI_ROOTS: '/' })).toBe(
      '! /dev/zero is not a regular file\n',
    );
    expect(await says('Read', {})).toBe('! the argument "file_path" is missing\n');
    expect(await says('Read', { file_path: 7 })).toBe('! the argument "file_path" must be a string, not a number\n');
  });
});

describe('Write and Edit', () => {
  test('make and replace files, directories too', async () => {
    expect(await says('Write', { file_path: 'a/b/c.txt', content: '1\n2\n' })).toBe(
      'a/b/c.txt: Created the file (2 lines).\n',
    );
    expect(await says('write_to_file', { path: 'a/b/c.txt', content: 'x', line_count: 1 })).toBe(
      'a/b/c.txt: Replaced the file (1 line).\n',
    );
    expect(get('a/b/c.txt')).toBe('x');
    expect(await says('Write', { file_path: 'a', content: '' })).toBe('! a is a directory\n');
  });

  test('keep the mode, follow a link, and leave nothing behind', async () => {
    put('a.sh', 'x');
    chmodSync(join(cwd, 'a.sh'), 0o751);
    symlinkSync('a.sh', join(cwd, 'link'));
    await says('Edit', { file_path: 'link', old_string: 'x', new_string: 'y' });
    expect([
      get('a.sh'),
      statSync(join(cwd, 'a.sh')).mode & 0o777,
      lstatSync(join(cwd, 'link')).isSymbolicLink(),
    ]).toEqual(['y', 0o751, true]);
    const { readdirSync } = await import('node:fs');
    expect(readdirSync(cwd).sort()).toEqual(['a.sh', 'link']);
  });

  test('a reader with the file open sees the old one whole', async () => {
    put('a', 'old');
    linkSync(join(cwd, 'a'), join(cwd, 'open'));
    await says('Write', { file_path: 'a', content: 'new' });
    expect(get('open')).toBe('old');
  });

  test.each([
    ['once', { old_string: 'two', new_string: '2' }, 'one\n2\nthree three\n'],
    ['in every place', { old_string: 'three', new_string: '3', replace_all: true }, 'one\ntwo\n3 3\n'],
    [
      'with signs that replacements know',
      { old_string: 'two', new_string: '$& $1 $$' },
      'one\n$& $1 $$\nthree three\n',
    ],
    ['over lines', { old_string: 'one\ntwo', new_string: '' }, '\nthree three\n'],
  ])('Edit replaces %s', async (_what, edit, wanted) => {
    put('a', 'one\ntwo\nthree three\n');
    await says('Edit', { file_path: 'a', ...edit });
    expect(get('a')).toBe(wanted);
  });

  test.each([
    ['what is not there', { old_string: 'four', new_string: '4' }, /old_string is not in the file: read it again/],
    ['other blanks', { old_string: '  two', new_string: '4' }, /its first line is on line 2 with other blanks/],
    ['two places', { old_string: 'three', new_string: '3' }, /2 times: add lines around it/],
    ['the same', { old_string: 'two', new_string: 'two' }, /are the same/],
    ['nothing', { old_string: '', new_string: 'x' }, /old_string is empty, and the file is not/],
    ['no text', { old_string: 'two' }, /"new_string" must be a text: it is missing/],
  ])('Edit refuses %s', async (_what, edit, wanted) => {
    put('a', 'one\ntwo\nthree three\n');
    expect(await says('Edit', { file_path: 'a', ...edit })).toMatch(wanted);
    expect(get('a')).toBe('one\ntwo\nthree three\n');
  });

  test('Edit makes a file from an empty text, keeps CRLF and a byte order mark, and leaves other encodings alone', async () => {
    await says('Edit', { file_path: 'new', old_string: '', new_string: 'x\n' });
    expect(get('new')).toBe('x\n');
    put('crlf', '\ufeffa\r\nb\r\nc\r\n');
    await says('Edit', { file_path: 'crlf', old_string: 'a\nb\n', new_string: 'A\nB\n' });
    expect(get('crlf')).toBe('\ufeffA\r\nB\r\nc\r\n');
    put('latin', Buffer.from('gr\xfcn', 'latin1'));
    expect(await says('Edit', { file_path: 'latin', old_string: 'gr', new_string: 'x' })).toContain(
      'is not text in UTF-8',
    );
  });

  test('MultiEdit makes all of its replacements, or none', async () => {
    put('a', 'one two');
    const edits = [
      { old_string: 'one', new_string: '1' },
      { old_string: '1 two', new_string: '12' },
    ];
    expect(await says('MultiEdit', { file_path: 'a', edits })).toBe('a: Replaced 2 places.\n');
    expect(get('a')).toBe('12');
    expect(
      await says('MultiEdit', {
        file_path: 'a',
        edits: [
          { old_string: '12', new_string: 'x' },
          { old_string: 'no', new_string: '' },
        ],
      }),
    ).toMatch(/edit 2: old_string is not in the file/);
    expect(get('a')).toBe('12');
  });
});

const block = (search: string, replace: string, start?: number) =>
  `<<<<<<< SEARCH\n${start === undefined ? '' : `:start_line:${start}\n-------\n`}${search}\n=======\n${replace}\n>>>>>>> REPLACE`;

describe('apply_diff', () => {
  const code = 'a {\n  x = 1;\n}\nb {\n  x = 1;\n}\n';

  test.each([
    ['the place that is said', block('  x = 1;', '  x = 2;', 5), 'a {\n  x = 1;\n}\nb {\n  x = 2;\n}\n'],
    ['near the place that is said', block('b {', 'B {', 1), 'a {\n  x = 1;\n}\nB {\n  x = 1;\n}\n'],
    [
      'several blocks, lines shifting',
      `${block('a {', 'a {\n  new;', 1)}\n\n${block('  x = 1;', '  x = 3;', 5)}`,
      'a {\n  new;\n  x = 1;\n}\nb {\n  x = 3;\n}\n',
    ],
    ['nothing left', block('a {\n  x = 1;\n}', ''), 'b {\n  x = 1;\n}\n'],
    ['another indentation', block('b {\nx = 1;', 'b {\nx = 4;\n  y;'), 'a {\n  x = 1;\n}\nb {\nx = 4;\n  y;\n}\n'],
    ['numbered lines', block('4 | b {', '4 | B {'), 'a {\n  x = 1;\n}\nB {\n  x = 1;\n}\n'],
  ])('changes %s', async (_what, diff, wanted) => {
    put('a', code);
    expect(await says('apply_diff', { path: 'a', diff })).toContain('Applied');
    expect(get('a')).toBe(wanted);
  });

  test('takes lines that look like markers, with a backslash before them', async () => {
    put('a', 'x\n<<<<<<< SEARCH\ny\n=======\nz\n');
    await says('apply_diff', { path: 'a', diff: block('\\<<<<<<< SEARCH\ny\n\\=======', 'gone') });
    expect(get('a')).toBe('x\ngone\nz\n');
  });

  test('does what it can and tells the rest', async () => {
    put('a', code);
    const said = await says('apply_diff', {
      path: 'a',
      diff: `${block('a {', 'A {')}\n${block('nowhere', 'x')}\n${block('  x = 1;', 'x')}`,
    });
    expect(said).toContain(
      'Applied 1 block of 3.\nNot applied:\nblock 2: its SEARCH is not in the file: read it again\nblock 3: its SEARCH is there 2 times',
    );
    expect(get('a')).toBe(code.replace('a {', 'A {'));
  });

  test.each([
    ['no block', 'x', /there is no SEARCH\/REPLACE block/],
    ['an open block', '<<<<<<< SEARCH\na\n=======\nb', /does not end with/],
    ['no separator', '<<<<<<< SEARCH\na\n>>>>>>> REPLACE', /there is no "======="/],
    ['two separators', '<<<<<<< SEARCH\na\n=======\nb\n=======\nc\n>>>>>>> REPLACE', /a second "======="/],
    ['nothing that matches', block('nowhere', 'x', 3), /not within 40 lines of line 3/],
  ])('refuses %s', async (_what, diff, wanted) => {
    put('a', code);
    expect(await says('apply_diff', { path: 'a', diff })).toMatch(wanted);
    expect(get('a')).toBe(code);
  });

  test('takes several files at once', async () => {
    put('a', 'one\n');
    put('b', 'two\n');
    const file = [
      { path: 'a', diff: { content: block('one', '1'), start_line: 1 } },
      { path: 'b', diff: [{ content: block('no', 'x') }] },
    ];
    expect(await says('apply_diff', { args: { file } })).toBe(
      'a: Applied 1 block of 1.\nb: block 1: its SEARCH is not in the file: read it again\n',
    );
  });
});

describe('insert_content', () => {
  test.each([
    [1, 'x', 'x\na\nb\n'],
    [2, 'x\ny\n', 'a\nx\ny\nb\n'],
    [0, 'x', 'a\nb\nx\n'],
    ['3', 'x', 'a\nb\nx\n'],
  ])('before line %s', async (line, content, wanted) => {
    put('a', 'a\nb\n');
    await says('insert_content', { path: 'a', line, content });
    expect(get('a')).toBe(wanted);
  });

  test('keeps CRLF, makes a file, and refuses lines that are not there', async () => {
    put('crlf', 'a\r\nb');
    await says('insert_content', { path: 'crlf', line: 0, content: 'x\ny' });
    expect(get('crlf')).toBe('a\r\nb\r\nx\r\ny\r\n');
    await says('insert_content', { path: 'new', line: 0, content: 'x' });
    expect(get('new')).toBe('x\n');
    expect(await says('insert_content', { path: 'new', line: 9, content: 'x' })).toMatch(
      /line 9 is beyond the end: the file has 1 line/,
    );
    expect(await says('insert_content', { path: 'new', line: 'end', content: 'x' })).toMatch(
      /"line" must be the number/,
    );
  });
});

describe('files outside of the roots', () => {
  const outside = ['../x', '/etc/hostname', 'link/hostname', 'dangling', 'chain', 'loop', 'sub/../../x', 'a\0b'];

  beforeEach(() => {
    mkdirSync(join(cwd, 'sub'));
    symlinkSync('/etc', join(cwd, 'link'));
    symlinkSync(`/tmp/nothing-${process.pid}`, join(cwd, 'dangling'));
    symlinkSync('dangling', join(cwd, 'chain'));
    symlinkSync('loop', join(cwd, 'loop'));
  });

  test.each(outside)('%j is neither read nor written', async (file_path) => {
    expect(await says('Read', { file_path })).toMatch(/^! /);
    expect(await says('Write', { file_path, content: 'x' })).toMatch(/^! /);
    expect(await says('insert_content', { path: file_path, line: 0, content: 'x' })).toMatch(/^! /);
    expect(existsSync(`/tmp/nothing-${process.pid}`)).toBe(false);
  });

  test('other roots may be named; a link between them is no way out of both', async () => {
    const other = realpathSync(mkdtempSync(join(tmpdir(), 'other-')));
    try {
      symlinkSync(other, join(cwd, 'other'));
      expect(await says('Write', { file_path: 'other/x', content: '' })).toMatch(
        /^! other\/x \(it leads to .* is outside of/,
      );
      expect(await says('Write', { file_path: 'other/x', content: '' }, { AI_ROOTS: `${cwd}:${other}` })).toContain(
        'Created',
      );
      expect(await says('Write', { file_path: 'y', content: '' }, { AI_ROOTS: other })).toMatch(/^! y is outside of/);
    } finally {
      rmSync(other, { recursive: true });
    }
  });

  test('what the loop itself depends on is not written', async () => {
    mkdirSync(join(cwd, '.git'));
    const env = { AI_CONV: 'c.jsonl', AI_RULES: 'rules.json', AI_TOOLS: 'mytools:builtin' };
    for (const file_path of [
      'c.jsonl',
      'c.d/todos.json',
      'rules.json',
      'mytools/x',
      '.git/hooks/pre-commit',
      'sub/.git/config',
    ])
      expect(await says('Write', { file_path, content: '' }, env)).toMatch(/is not written to/);
    expect(await says('Write', { file_path: '.gitignore', content: '' }, env)).toContain('Created');
  });

  const GRANTING = [
    '.ai/config.yaml',
    '.ai/models.json',
    'sub/.ai/config.json',
    '.AI/Config.yaml',
    './sub/../.ai/config.yaml',
    'via/config.yaml',
    'hanging',
    '.a\u200bi/config.yaml',
    '.claude/settings.json',
    '.claude/settings.local.json',
    '.claude/agents/x.md',
    '.mcp.json',
    '.roomodes',
    '.husky/pre-commit',
    '.GIT/config',
    'bare/hooks/post-checkout',
    'home/.config/ai/config.yaml',
    'home/.local/state/ai/key',
  ];

  test.each([
    ['Write', { content: 'x' }, 'file_path'],
    ['Edit', { old_string: '', new_string: 'x' }, 'file_path'],
    ['MultiEdit', { edits: [{ old_string: '', new_string: 'x' }] }, 'file_path'],
    ['write_to_file', { content: 'x', line_count: 1 }, 'path'],
    ['insert_content', { line: '0', content: 'x' }, 'path'],
    ['apply_diff', { diff: '<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE' }, 'path'],
  ])('what grants something later is not written by %s, and says why', async (name, input, field) => {
    for (const dir of ['.ai', 'sub', 'bare/objects', 'bare/refs']) mkdirSync(join(cwd, dir), { recursive: true });
    put('bare/HEAD', '');
    put('.ai/models.json', 'old\n');
    symlinkSync('.ai', join(cwd, 'via'));
    symlinkSync('sub/.claude/settings.json', join(cwd, 'hanging'));
    for (const path of GRANTING)
      expect(await says(name, { ...input, [field]: path }, { HOME: join(cwd, 'home') }), path).toMatch(
        /^! .* is not written to: /,
      );
    expect([get('.ai/models.json'), existsSync(join(cwd, 'home')), existsSync(join(cwd, '.claude'))]).toEqual([
      'old\n',
      false,
      false,
    ]);
    expect(existsSync(join(cwd, 'sub/.claude'))).toBe(false);
  });

  test('names that only look alike are written', async () => {
    for (const file_path of ['.air/x', 'ai/config.yaml', 'claude/x.md', '.github/workflows/x.yml', 'mcp.json'])
      expect(await says('Write', { file_path, content: '' })).toContain('Created');
  });
});
