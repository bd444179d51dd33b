// Bash, WebFetch, TodoWrite, Task, AskUserQuestion, attempt_completion, list_modes, switch_mode: in a terminal, in a batch, without anything.

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Terminal } from '../../src/lib/cli/terminal.ts';
import { isPrivate } from '../../src/tools/web-fetch/addresses.ts';
import { BUILT, ROOT } from '../loop.ts';
import { type RunOptions, useTool } from '../run.ts';

let cwd: string;
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'tools-')));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

async function says(name: string, input: unknown, options: RunOptions = {}): Promise<string> {
  const { stdout, stderr, status } = await useTool(name, input, {
    cwd,
    ...options,
    env: { HOME: cwd, PATH: process.env.PATH ?? '', ...options.env },
  });
  return status === 0 ? stdout : `! ${stderr}`;
}

describe.skipIf(!BUILT)('Bash', () => {
  const bash = (input: object, env: Readonly<Record<string, string>> = {}) => {
    const { stdout, status } = spawnSync(join(ROOT, 'tools/Bash'), {
      input: JSON.stringify(input),
      cwd,
      env: { PATH: process.env.PATH ?? '', HOME: cwd, ...env },
    });
    return { stdout: stdout.toString(), status };
  };

  test('shows both outputs in order, and the exit status', () => {
    expect(bash({ command: 'echo 1; echo 2 >&2; echo 3; exit 7' })).toEqual({ stdout: '1\n2\n3\n', status: 7 });
    expect(bash({ command: 'shopt -q extglob; echo $0; [[ -t 0 ]] || read -r x || echo no input' }).stdout).toMatch(
      /bash\nno input\n$/,
    );
  });

  test('does not read the startup files of the shell', () => {
    writeFileSync(join(cwd, '.bashrc'), 'echo startup\n');
    expect(bash({ command: 'echo x' }).stdout).toBe('x\n');
  });

  test('ends what takes too long, with all that it started', () => {
    const nap = `sleep 600.0${process.pid}s`;
    const { stdout, status } = bash({
      command: `echo begun; trap "" TERM; ${nap} & ${nap}; echo never`,
      timeout: 300,
    });
    expect(stdout).toContain('begun\n(the command took longer than 0.3 s and was ended)\n');
    expect(status).not.toBe(0);
    expect(spawnSync('pgrep', ['-f', nap]).stdout.toString()).toBe('');
  });

  test('runs in a directory of the roots', () => {
    mkdirSync(join(cwd, 'sub'));
    expect(bash({ command: 'pwd', cwd: 'sub' }).stdout).toBe(`${cwd}/sub\n`);
    expect(bash({ command: 'pwd', cwd: '/etc' }).status).toBe(1);
    expect(bash({ command: '', timeout: 'soon' }).status).toBe(1);
  });
});

describe('WebFetch', () => {
  let server: Server;
  let origin = '';
  let answer: RequestListener = (_request, response) => response.end();
  beforeEach(async () => {
    answer = (_request, response) => response.end();
    server = createServer((request, response) => answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const fetched = (url: string, env: Readonly<Record<string, string>> = { AI_WEB_ALLOW: '127.0.0.1' }) =>
    says('WebFetch', { url }, { env });

  test('turns pages into text', async () => {
    answer = (_request, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.setHeader('content-encoding', 'gzip');
      response.end(
        gzipSync(
          '<html><script>bad()</script><h1>Title</h1><p>One <a href="/two">two</a> &amp; <b>three</b><ul><li>x</ul><table><tr><th>k<th>v<tr><td>a<td>1</table>',
        ),
      );
    };
    const text = await fetched(origin);
    expect(text).toContain('Title');
    expect(text).toContain('One two [/two] & three');
    expect(text).toMatch(/ \* x/);
    expect(text).not.toContain('bad()');
  });

  test('leaves JSON as it is, shows pictures, and tells errors', async () => {
    answer = (request, response) => {
      if (request.url === '/json') response.setHeader('content-type', 'application/json').end('{"a":1}');
      else if (request.url === '/png') response.setHeader('content-type', 'image/png').end(Buffer.from([1, 2, 3]));
      else if (request.url === '/zip') response.setHeader('content-type', 'application/zip').end('zip');
      else response.writeHead(404, { 'content-type': 'text/plain' }).end('no such page');
    };
    expect(await fetched(`${origin}/json`)).toBe('{"a":1}\n');
    expect(JSON.parse(await fetched(`${origin}/png`)).content[1]).toEqual({
      type: 'image',
      data: 'AQID',
      mimeType: 'image/png',
    });
    expect(await fetched(`${origin}/zip`)).toBe('(application/zip, 3 bytes)\n');
    expect(await fetched(`${origin}/none`)).toBe(`! ${origin}/none answered 404\nno such page\n`);
  });

  test('follows redirects on one host, tells others, and leaves circles', async () => {
    answer = (request, response) => {
      const [, from] = /^\/(.*)/.exec(request.url ?? '') ?? [];
      const to = {
        a: '/b',
        circle: '/circle',
        away: 'http://example.com/x',
        local: 'http://localhost:1/',
        file: 'file:///etc/passwd',
      }[from ?? ''];
      if (to) response.writeHead(302, { location: to }).end();
      else response.setHeader('content-type', 'text/plain').end('here');
    };
    expect(await fetched(`${origin}/a`)).toBe('here\n');
    expect(await fetched(`${origin}/circle`)).toMatch(/redirects in a loop/);
    expect(await fetched(`${origin}/away`)).toMatch(/leads to another host: fetch http:\/\/example\.com\/x/);
    expect(await fetched(`${origin}/local`)).toMatch(/leads to another host/);
    expect(await fetched(`${origin}/file`)).toMatch(/file: addresses are not fetched/);
  });

  test('reads no more than it may, packed or not', async () => {
    answer = (request, response) => {
      response.setHeader('content-type', 'text/plain');
      if (request.url === '/bomb')
        response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(64 * 1024 * 1024, 97)));
      else response.end(Buffer.alloc(8 * 1024 * 1024, 97));
    };
    for (const path of ['/bomb', '/long']) {
      const text = await fetched(origin + path);
      expect(text.length).toBeLessThan(5 * 1024 * 1024 + 100);
      expect(text).toMatch(/the rest was not read/);
    }
  });

  test('reaches no private address, by no name and no spelling, unless it was allowed', async () => {
    const port = origin.split(':').at(-1);
    for (const host of [
      '127.0.0.1',
      'localhost',
      '127.1',
      '2130706433',
      '0x7f000001',
      '0',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '169.254.169.254',
      '10.0.0.1',
    ])
      expect(await fetched(`http://${host}:${port}/`, {}), host).toMatch(/is in a private network/);
    expect(await fetched(`http://user:secret@127.0.0.1:${port}/`, { AI_WEB_ALLOW: `127.0.0.1:${port}` })).toBe(
      '(the page has no text)\n',
    );
    expect(await fetched(`${origin}/`, { AI_WEB_ALLOW: '127.0.0.1:1' })).toMatch(/private/);
    expect(await fetched('ftp://example.com/')).toMatch(/ftp: addresses are not fetched/);
    expect(await fetched('no address')).toMatch(/is not a URL/);
  });

  test.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.9.9.9',
    '169.254.1.1',
    '172.31.0.1',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
    'fd00::1',
    'ff02::1',
    '::ffff:10.0.0.1',
    '::ffff:a00:1',
    '64:ff9b::a00:1',
    '2002:a00:1::',
    'nonsense',
  ])('%s is private', (address) => expect(isPrivate(address)).toBe(true));

  test.each(['1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '::ffff:1.1.1.1'])(
    '%s is the world’s',
    (address) => expect(isPrivate(address)).toBe(false),
  );
});

describe('TodoWrite', () => {
  test('keeps the list beside the conversation, for its owner', async () => {
    const todos = [
      { content: 'a', status: 'completed' },
      { content: 'b', status: 'in_progress', activeForm: 'doing b' },
      { content: 'c', status: 'pending' },
    ];
    expect(await says('TodoWrite', { todos }, { env: { AI_CONV: join(cwd, 'c.jsonl') } })).toBe(
      '[x] a\n[-] b\n[ ] c\n',
    );
    expect(JSON.parse(readFileSync(join(cwd, 'c.d/todos.json'), 'utf8'))).toEqual(todos);
    expect(statSync(join(cwd, 'c.d/todos.json')).mode & 0o777).toBe(0o600);
    expect(await says('TodoWrite', { todos: [] })).toBe('The list is empty now.\n');
    expect(readdirSync(join(cwd, '.local/state/ai/side'))).toHaveLength(1);
    expect(await says('TodoWrite', { todos: '[ ] x\n- [x] y' })).toBe('[ ] x\n[x] y\n');
    expect(await says('TodoWrite', { todos: [{ content: 'a', status: 'soon' }] })).toMatch(/the status "soon" must be/);
    expect(await says('TodoWrite', {})).toMatch(/"todos" must be a list/);
  });
});

describe('Task', () => {
  /** A stand-in that shows what it was given. */
  function agent(script: string): Record<string, string> {
    mkdirSync(join(cwd, 'bin'), { recursive: true });
    writeFileSync(join(cwd, 'bin/ai-agent'), `#!/bin/sh\n${script}\n`);
    chmodSync(join(cwd, 'bin/ai-agent'), 0o755);
    return { PATH: `${join(cwd, 'bin')}:/usr/bin:/bin`, AI_CONV: join(cwd, 'c.jsonl'), AI_CALL_ID: 'call1' };
  }

  test('runs ai-agent on a conversation of its own, deeper, with a smaller budget', async () => {
    const env = {
      ...agent('printf "%s\\n" "$@" "$AI_DEPTH" "$AI_MAX" "$AI_TOOLS" "$AI_CONV"'),
      AI_MAX: 'usd=2',
      AI_TASK_MAX: 'usd=0.3',
      AI_TOOLS: 'tools',
    };
    expect(await says('Task', { description: 'd', prompt: '--help; x', subagent_type: 'reviewer' }, { env })).toBe(
      `--agent\nreviewer\n--\n${cwd}/c.d/call1.jsonl\n--help; x\n1\nusd=0.3\ntools\n\n`,
    );
    expect(await says('new_task', { mode: 'architect', message: 'x' }, { env })).toMatch(/^--mode\narchitect\n--\n/);
  });

  test('half of the budget, where no other is named, and a new file where an id comes again', async () => {
    const env = { ...agent('echo "$2 $AI_MAX"; : >"$2"'), AI_MAX: 'turns=25, usd=2,tokens=80%,tokens=10k' };
    const limits = 'turns=13,usd=1,tokens=80%,tokens=5k';
    expect(await says('Task', { prompt: 'x' }, { env })).toBe(`${cwd}/c.d/call1.jsonl ${limits}\n`);
    expect(await says('Task', { prompt: 'x' }, { env })).toBe(`${cwd}/c.d/call1.2.jsonl ${limits}\n`);
  });

  test('hands a long prompt over in a file', async () => {
    const said = await says('Task', { prompt: 'x'.repeat(200_000) }, { env: agent('echo "$3"') });
    const [file = ''] = /\S+\.prompt\.md/.exec(said) ?? [];
    expect(readFileSync(file, 'utf8')).toHaveLength(200_000);
  });

  test.each([
    ['too deep', { AI_DEPTH: '2' }, {}, 'echo x', /no further sub-agent is started: this one is 2 deep/],
    ['a name that is an option', {}, { subagent_type: '--box=sh' }, 'echo x', /the name of an agent is letters/],
    ['an agent that fails', {}, {}, 'echo why >&2; exit 69', /the sub-agent failed \(exit status 69\)\nwhy/],
    ['an agent that says nothing', {}, {}, ':', /ended without an answer/],
  ])('tells of %s', async (_what, env, input, script, wanted) => {
    expect(await says('Task', { prompt: 'x', ...input }, { env: { ...agent(script), ...env } })).toMatch(wanted);
  });

  test('tells that ai-agent is not there', async () => {
    expect(await says('Task', { prompt: 'x' }, { env: { PATH: join(cwd, 'missing') } })).toMatch(
      /ai-agent: there is no such program \(it must be on the PATH\)/,
    );
  });
});

describe('AskUserQuestion', () => {
  const questions = [
    { question: 'Which?', header: 'w', options: [{ label: 'red', description: 'warm' }, { label: 'blue' }] },
  ];

  function terminal(answers: readonly string[]): Terminal & { shown: string } {
    const left = [...answers];
    return {
      shown: '',
      write(text) {
        this.shown += text;
      },
      ask(question) {
        this.shown += question;
        return left.shift();
      },
      close() {},
    };
  }

  test.each([
    ['a number', ['2'], 'blue'],
    ['a wrong number, then a right one', ['7', '1'], 'red'],
    ['an answer of their own', ['green'], 'green'],
    ['nothing, then something', ['', 'x\u001b[2J'], 'x'],
    ['nothing at all', [], '(the user did not answer: decide yourself, and say how)'],
  ])('takes %s', async (_what, answers, wanted) => {
    expect(await says('AskUserQuestion', { questions }, { terminal: terminal(answers) })).toBe(`Which?\n→ ${wanted}\n`);
  });

  test('several answers, Roo’s words, and nothing that a terminal obeys', async () => {
    const several = [{ ...questions[0], multiSelect: true }];
    expect(await says('AskUserQuestion', { questions: several }, { terminal: terminal(['1, 2']) })).toBe(
      'Which?\n→ red, blue\n',
    );
    const shown = terminal(['1']);
    const input = { question: 'a\u001b]0;x\u0007b', follow_up: [{ text: 'yes', mode: null }, 'no'] };
    expect(await says('ask_followup_question', input, { terminal: shown })).toContain('→ yes');
    expect(shown.shown).not.toContain('\u001b');
  });

  test('without a terminal the model is told how to go on', async () => {
    expect(await says('AskUserQuestion', { questions })).toMatch(
      /^Nobody can be asked: .*go on.*\n- Which\? \(red \| blue\)\n$/,
    );
    expect(await says('AskUserQuestion', { questions: [] })).toMatch(/^! the argument "questions"/);
  });
});

test('attempt_completion leaves the result where the loop looks for it', async () => {
  const env = { AI_CONV: join(cwd, 'c.jsonl') };
  expect(await says('attempt_completion', { result: 'Done.', command: 'open x' }, { env })).toMatch(
    /^The user has the result/,
  );
  expect(readFileSync(join(cwd, 'c.d/completion.md'), 'utf8')).toBe('Done.\n\nTo see it: open x\n');
});

describe('modes', () => {
  test('are those of the files that were named', async () => {
    mkdirSync(join(cwd, 'agents'));
    writeFileSync(join(cwd, 'agents/r.md'), '---\nname: reviewer\ndescription: |\n  reads\n  more\n---\nYou review.\n');
    writeFileSync(join(cwd, 'agents/none.md'), 'no front matter');
    writeFileSync(
      join(cwd, '.roomodes'),
      'customModes:\n  - slug: docs\n    name: Docs\n    whenToUse: for words\n    roleDefinition: You write.\n',
    );
    const env = { AI_AGENTS: '.roomodes:agents', AI_CONV: join(cwd, 'c.jsonl') };
    expect(await says('list_modes', {}, { env })).toBe('docs: for words\nreviewer: reads\n');
    expect(await says('switch_mode', { mode_slug: 'docs', reason: 'words' }, { env })).toBe(
      'The mode is docs from the next turn on.\n\nYou write.\n',
    );
    expect(readFileSync(join(cwd, 'c.d/agent'), 'utf8')).toBe('docs\n');
    expect(await says('switch_mode', { mode_slug: 'x' }, { env })).toBe(
      '! there is no mode "x": there are docs, reviewer\n',
    );
    expect(await says('list_modes', {}, { env: { AI_AGENTS: '' } })).toMatch(/^There are no modes/);
    expect(existsSync(join(cwd, '.local'))).toBe(false);
  });
});
