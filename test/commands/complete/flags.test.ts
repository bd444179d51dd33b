// What flags put into a request: parameters, a system prompt, a schema, attachments, cache marks.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { faultServer, HELLO, json } from '../../fault-server.ts';
import { run } from '../../run.ts';
import { ASK, complete, fresh, records, reply } from './asking.ts';

const sent = (server: { asked: readonly { body: string }[] }, at = 0) => JSON.parse(server.asked[at]?.body ?? '');

describe('parameters', () => {
  test('go before what the head says', async () => {
    await using server = await faultServer(json(200, HELLO));
    const stdin = `{"temperature":1,"top_p":0.5}\n${ASK}`;
    const argv = ['--temperature', '0', '--max-tokens', '9', '--stop', 'END', '--seed', '7', '--system', 'Be brief.'];
    await complete(server.url, argv, { stdin });
    expect(sent(server)).toMatchObject({
      model: 'gpt-4o',
      temperature: 0,
      top_p: 0.5,
      stop: ['END'],
      seed: 7,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'hello' },
      ],
    });
    expect(sent(server).max_tokens ?? sent(server).max_completion_tokens).toBe(9);
  });

  test('reach a model only if it takes them', async () => {
    await using server = await faultServer(json(200, HELLO));
    for (const model of ['openai/gpt-4o', 'openai/gpt-5'])
      await run('ai-complete', ['-q', '-m', model, '--base-url', server.url, '--effort', 'low'], { stdin: ASK });
    expect(server.asked.map(({ body }) => JSON.parse(body).reasoning_effort)).toEqual([undefined, 'low']);
  });

  test('a model that nobody knows is asked for at a server of one’s own', async () => {
    await using server = await faultServer(json(200, HELLO));
    const { status, stdout } = await run('ai-complete', ['-n', '-m', 'mock', '--base-url', server.url], { stdin: ASK });
    expect([status, sent(server).model]).toEqual([0, 'mock']);
    expect(records(stdout)[0]._meta.cost).toEqual({ usd: null, why: 'the price is unknown' });
  });

  test('--system takes the place of the one that is there', async () => {
    await using server = await faultServer(json(200, HELLO));
    const file = join(fresh(), 'system.txt');
    writeFileSync(file, 'From a file.');
    await complete(server.url, ['--system', `@${file}`], { stdin: `{"role":"system","content":"Old."}\n${ASK}` });
    expect(sent(server).messages.map(({ content }: { content: string }) => content)).toEqual(['From a file.', 'hello']);
  });

  test('stand in the head of what is written, but for -n', async () => {
    await using server = await faultServer(json(200, HELLO));
    const stdin = `{"model":"gpt-4o","temperature":1}\n${ASK}`;
    const argv = ['-m', 'openai/gpt-4o', '--base-url', server.url, '--temperature', '0'];
    const whole = records((await run('ai-complete', argv, { stdin })).stdout);
    expect(whole[0]).toEqual({ model: 'gpt-4o', temperature: 0 });
    expect(records((await run('ai-complete', [...argv, '-n'], { stdin })).stdout)).toHaveLength(1);
  });

  test('--tool-choice names a tool', async () => {
    await using server = await faultServer(json(200, HELLO));
    const tools = [{ type: 'function', function: { name: 'Read', parameters: { type: 'object' } } }];
    await complete(server.url, ['--tool-choice', 'Read'], { stdin: `${JSON.stringify({ tools })}\n${ASK}` });
    expect(sent(server).tool_choice).toEqual({ type: 'function', function: { name: 'Read' } });
  });
});

describe('--schema', () => {
  const schema = {
    type: 'object',
    properties: { age: { type: 'integer' } },
    required: ['age'],
    additionalProperties: false,
  };
  const file = join(fresh(), 'schema.json');
  writeFileSync(file, JSON.stringify(schema));

  test('asks for it, and passes what fits', async () => {
    await using server = await faultServer(json(200, reply('```json\n{"age": 3}\n```')));
    const [message] = records((await complete(server.url, ['--schema', file])).stdout);
    expect(message.content).toBe('{"age": 3}');
    expect(sent(server).response_format).toMatchObject({ type: 'json_schema', json_schema: { schema } });
  });

  test('has an answer that does not fit mended once', async () => {
    await using server = await faultServer(json(200, reply('{"age":"three"}')), json(200, reply('{"age":3}')));
    const [message] = records((await complete(server.url, ['--schema', file])).stdout);
    expect(message.content).toBe('{"age":3}');
    expect(message._meta).toMatchObject({ repaired: true, cost: { usd: 2 * 0.000075 } });
    expect(sent(server, 1).messages.map(({ role }: { role: string }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(sent(server, 1).messages[2].content).toMatch(/\/age must be integer/);
  });

  test('fails if that does not help', async () => {
    await using server = await faultServer(json(200, reply('no JSON at all')));
    const { status, stdout, stderr } = await complete(server.url, ['--schema', file]);
    expect({ status, stdout, asked: server.asked.length }).toEqual({ status: 69, stdout: '', asked: 2 });
    expect(stderr).toMatch(/it is not JSON/);
  });

  test.each(['--stream', '-t'])('shows nothing that does not fit with %s', async (flag) => {
    await using server = await faultServer(json(200, reply('nonsense')), json(200, reply('{"age":3}')));
    const { stdout } = await complete(server.url, ['--schema', file, flag]);
    expect(stdout).not.toContain('nonsense');
    expect(stdout).toContain(flag === '-t' ? '{"age":3}\n' : '"text":"{\\"age\\":3}"');
  });
});

describe('--attach', () => {
  const dir = fresh();
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const put = (name: string, bytes: string | Uint8Array) => {
    writeFileSync(join(dir, name), bytes);
    return join(dir, name);
  };

  test('puts files before the words, by what they are and not by what they are called', async () => {
    await using server = await faultServer(json(200, HELLO));
    const argv = [
      '--attach',
      put('a.txt', png),
      '--attach',
      put('b.png', 'Just text.\n'),
      '--attach',
      put('c', '%PDF-1.4\n'),
    ];
    await complete(server.url, argv);
    const [{ content }] = sent(server).messages;
    expect(content[0].image_url.url).toMatch(/^data:image\/png;base64,iVBOR/);
    expect(content[1].text).toContain('```png\nJust text.\n```');
    expect(content[2].file.file_data).toMatch(/^data:application\/pdf;base64,/);
    expect(content[3]).toEqual({ type: 'text', text: 'hello' });
  });

  test('refuses what no model takes, and what is too large, naming the limit', async () => {
    const huge = Buffer.from(png);
    huge.writeUInt32BE(9000, 16);
    for (const [file, why] of [
      [put('x.bin', Buffer.from([0xff, 0, 1, 2, 0xfe])), /neither text nor an image/],
      [put('huge.png', huge), /it is 9000 pixels long, and providers take 8000 pixels/],
    ] as const) {
      const { status, stderr } = await complete('http://127.0.0.1:9', ['--attach', file]);
      expect(status).toBe(65);
      expect(stderr).toMatch(why);
    }
    expect((await complete('http://127.0.0.1:9', ['--attach', join(dir, 'missing')])).status).toBe(74);
  });
});

describe('--cache-prompt', () => {
  test('marks tools, system prompt and the last turns of the user, at most four', async () => {
    const head = {
      max_tokens: 9,
      system: 'Be brief.',
      tools: [
        { name: 'a', input_schema: {} },
        { name: 'b', input_schema: {} },
      ],
    };
    const turns = ['one', 'two', 'three'].flatMap((content) => [
      { role: 'user', content },
      { role: 'assistant', content: [{ type: 'text', text: 'ok' }] },
    ]);
    const stdin = [head, ...turns, { role: 'user', content: 'four' }].map((r) => JSON.stringify(r)).join('\n');
    const { stdout } = await run('ai-complete', ['-m', 'anthropic/claude-sonnet-4-5', '--cache-prompt', '--dry-run'], {
      stdin,
    });
    const [{ body }] = records(stdout);
    const mark = { type: 'ephemeral' };
    expect(body.tools.map((tool: { cache_control?: object }) => tool.cache_control)).toEqual([undefined, mark]);
    expect(body.system).toEqual([{ type: 'text', text: 'Be brief.', cache_control: mark }]);
    expect(body.messages.at(-1).content.at(-1).cache_control).toEqual(mark);
    expect(body.messages.at(-3).content.at(-1).cache_control).toEqual(mark);
    expect(JSON.stringify(body).split('cache_control')).toHaveLength(5);
  });
});
