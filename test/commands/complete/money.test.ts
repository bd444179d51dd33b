// What an answer costs, what was spent, what may be spent; and the cache, where it costs nothing.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { faultServer, HELLO_STREAM, json, stream } from '../../fault-server.ts';
import { run } from '../../run.ts';
import { ASK, complete, fresh, records, reply } from './asking.ts';

/** gpt-4o: 2.50 and 10 USD for a million tokens. */
const PRICE = (10 * 2.5 + 5 * 10) / 1e6;

describe('the cost', () => {
  test('is that of the catalogue', async () => {
    await using server = await faultServer(json(200, reply('x')));
    const [{ _meta }] = records((await complete(server.url, [])).stdout);
    expect(_meta.usage).toEqual({ input_tokens: 10, output_tokens: 5 });
    expect(_meta.cost).toEqual({ usd: PRICE });
  });

  test('is said to be unknown where it is, and is not 0', async () => {
    await using server = await faultServer(json(200, reply('x')));
    const [{ _meta }] = records((await complete(server.url, [], { model: 'openai/nobody-knows-me' })).stdout);
    expect(_meta.cost).toEqual({ usd: null, why: 'the price is unknown' });
  });

  test('is summed by day, model and project', async () => {
    await using server = await faultServer(json(200, reply('x')));
    const env = { AI_STATE: join(fresh(), 's.db'), AI_PROJECT: 'mine' };
    for (const model of ['openai/gpt-4o', 'openai/gpt-4o', 'openai/nobody-knows-me'])
      await complete(server.url, [], { model, env });
    const { stdout } = await run('ai-complete', ['--costs'], { env });
    expect(records(stdout)).toMatchObject([
      {
        type: 'cost',
        day: '2026-01-02',
        provider: 'openai',
        model: 'gpt-4o',
        project: 'mine',
        answers: 2,
        usd: 2 * PRICE,
        unpriced: 0,
      },
      { model: 'nobody-knows-me', answers: 1, usd: null, unpriced: 1 },
    ]);
    expect(records((await run('ai-complete', ['--costs=project'], { env })).stdout)).toMatchObject([
      { project: 'mine', answers: 3, usd: 2 * PRICE, unpriced: 1 },
    ]);
  });
});

describe('a budget', () => {
  test('of a call refuses what may cost more, before anything is sent', async () => {
    await using server = await faultServer(json(200, reply('x')));
    const { status, stderr } = await complete(server.url, ['--budget', 'call=0.001', '--max-tokens', '1000']);
    expect({ status, asked: server.asked.length }).toEqual({ status: 77, asked: 0 });
    expect(stderr).toMatch(/the budget per call is \$0\.001/);
  });

  test('of a day is refused when it is spent', async () => {
    await using server = await faultServer(
      json(200, reply('x', { prompt_tokens: 0, completion_tokens: 900, total_tokens: 900 })),
    );
    const env = { AI_STATE: join(fresh(), 's.db') };
    const argv = ['--budget', 'day=0.02', '--max-tokens', '1000'];
    expect((await complete(server.url, argv, { env })).status).toBe(0);
    expect((await complete(server.url, argv, { env })).status).toBe(0);
    const { status, stderr } = await complete(server.url, argv, { env });
    expect(status).toBe(77);
    expect(stderr).toMatch(/the budget of the day \(\$0\.02\) does not allow another answer: \$0\.0180 spent/);
    expect(server.asked).toHaveLength(2);
  });

  test('tells when a share of it is spent, once', async () => {
    await using server = await faultServer(
      json(200, reply('x', { prompt_tokens: 0, completion_tokens: 900, total_tokens: 900 })),
    );
    const home = fresh();
    mkdirSync(join(home, 'ai'));
    const told = join(home, 'told');
    const command = `echo "$AI_BUDGET_OF $AI_BUDGET_SHARE \${OPENAI_API_KEY:-none}" >>${told}`;
    writeFileSync(
      join(home, 'ai', 'config.json'),
      JSON.stringify({ budget: { day: 1, alerts: [0.005, 0.01, 0.5], command } }),
    );
    const env = {
      AI_STATE: join(home, 's.db'),
      XDG_CONFIG_HOME: home,
      OPENAI_API_KEY: 'sk-x',
      PATH: process.env.PATH ?? '',
    };
    for (let n = 0; n < 3; n++) await complete(server.url, [], { env });
    await expect
      .poll(() =>
        readdirSync(home).includes('told') ? process.getBuiltinModule('node:fs').readFileSync(told, 'utf8') : '',
      )
      .toBe('day 0.005 none\nday 0.01 none\n');
  });

  test('a project may not name the command', async () => {
    const cwd = fresh();
    mkdirSync(join(cwd, '.ai'));
    writeFileSync(join(cwd, '.ai', 'config.json'), JSON.stringify({ budget: { command: 'true' } }));
    const { status, stderr } = await run('ai-complete', ['-m', 'openai/gpt-4o', '--dry-run'], {
      stdin: ASK,
      cwd,
      env: {},
    });
    expect(status).toBe(0);
    expect(stderr).toContain('.ai/config.json: ignored: budget.command (');
  });
});

describe('the cache', () => {
  test('answers the same request from what it kept, at no cost', async () => {
    await using server = await faultServer(json(200, reply('kept')));
    const home = fresh();
    const env = { XDG_CACHE_HOME: home, AI_STATE: join(home, 's.db') };
    const [first] = records((await complete(server.url, ['--cache'], { env })).stdout);
    const [second] = records((await complete(server.url, ['--cache'], { env })).stdout);
    expect(server.asked).toHaveLength(1);
    expect(second.content).toBe(first.content);
    expect(second._meta).toMatchObject({ cost: { usd: 0 }, cached: true });
    await complete(server.url, ['--cache', '--temperature', '0'], { env });
    expect(server.asked).toHaveLength(2);
    expect(records((await run('ai-complete', ['--costs=model'], { env })).stdout)).toMatchObject([
      { answers: 3, cached: 1, usd: 2 * PRICE },
    ]);
  });

  test('answers live what was asked for whole, and the other way round', async () => {
    await using server = await faultServer(stream(HELLO_STREAM));
    const env = { XDG_CACHE_HOME: fresh() };
    expect((await complete(server.url, ['--cache', '-t'], { env })).stdout).toBe('Hello there.\n');
    expect(records((await complete(server.url, ['--cache'], { env })).stdout)[0].content).toBe('Hello there.');
    expect((await complete(server.url, ['--cache', '-t'], { env })).stdout).toBe('Hello there.\n');
    expect(server.asked).toHaveLength(1);
  });

  test('keeps no failure, and no longer than it is told', async () => {
    await using server = await faultServer(json(400, { error: { message: 'no' } }), json(200, reply('yes')));
    const env = { XDG_CACHE_HOME: fresh() };
    expect((await complete(server.url, ['--cache'], { env })).status).toBe(65);
    expect((await complete(server.url, ['--cache'], { env })).status).toBe(0);
    await complete(server.url, ['--cache=0s'], { env });
    expect(server.asked).toHaveLength(3);
  });

  test('stays within its size', async () => {
    await using server = await faultServer(json(200, reply('x'.repeat(20_000))));
    const home = fresh();
    const env = { XDG_CACHE_HOME: home, AI_CACHE_MB: '0.2' };
    const stdin = Array.from({ length: 200 }, (_, id) =>
      JSON.stringify({ id, messages: [{ role: 'user', content: `q${id}` }] }),
    ).join('\n');
    await complete(server.url, ['--cache', '-q'], { env, stdin });
    const kept = readdirSync(join(home, 'ai/replies'));
    expect(kept.length).toBeGreaterThan(3);
    expect(kept.length * 20_000).toBeLessThan(0.2 * 1024 * 1024);
  });
});
