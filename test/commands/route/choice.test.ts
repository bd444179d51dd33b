// Policies × conversations: no choice breaks a hard constraint, and the explanation names the true cause.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { Tiktoken } from 'js-tiktoken/lite';
import o200kBase from 'js-tiktoken/ranks/o200k_base';
import { describe, expect, test } from 'vitest';
import { catalogue } from '../../../src/lib/models/catalogue.ts';
import type { Model } from '../../../src/lib/models/types.ts';
import { run } from '../../run.ts';

interface Route {
  readonly model: string;
  readonly provider: string;
  readonly reason: string;
  readonly estimate: { readonly input_tokens: number; readonly output_tokens: number; readonly usd?: number };
  readonly fallbacks?: readonly string[];
  readonly rejected?: readonly { readonly model: string; readonly constraint: string; readonly why: string }[];
}

const PNG = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };
const PDF = { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } };
const WAV = { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } };
const TOOL = { type: 'function', function: { name: 'Read', parameters: { type: 'object', properties: {} } } };

const user = (...parts: object[]) => ({ role: 'user', content: [{ type: 'text', text: 'Look.' }, ...parts] });

/** A conversation, and what it needs. */
const CONVERSATIONS: readonly {
  readonly body: { readonly [field: string]: unknown };
  readonly needs: readonly string[];
}[] = [
  { body: { messages: [user()] }, needs: [] },
  { body: { messages: [user(PNG)] }, needs: ['image'] },
  { body: { messages: [user(PDF)] }, needs: ['document'] },
  { body: { messages: [user(WAV)] }, needs: ['audio'] },
  { body: { messages: [user(PNG, WAV, PDF)] }, needs: ['image', 'audio', 'document'] },
  { body: { tools: [TOOL], messages: [user()] }, needs: ['tools'] },
  { body: { reasoning_effort: 'high', messages: [user()] }, needs: ['reasoning'] },
  {
    body: { response_format: { type: 'json_schema', json_schema: { name: 'a', schema: {} } }, messages: [user()] },
    needs: ['schema'],
  },
  { body: { stream: true, messages: [user()] }, needs: ['streaming'] },
  { body: { max_completion_tokens: 100_000, messages: [user()] }, needs: [] },
  { body: { messages: [{ role: 'user', content: ' word'.repeat(300_000) }] }, needs: [] },
  { body: { tools: [TOOL], reasoning_effort: 'low', messages: [user(PNG)] }, needs: ['tools', 'reasoning', 'image'] },
];

const POLICIES: readonly (readonly string[])[] = [
  [],
  ...['balanced', 'quality', 'cost', 'speed'].map((priority) => ['--priority', priority]),
  ...['cost', 'round-robin', 'load'].map((strategy) => ['--strategy', strategy]),
  ['--budget', '0.01'],
  ['--allow', 'mistral/*', '--allow', '*gpt-4*'],
  ['--deny', '*claude*', '--deny', 'openai/*'],
  ['--candidate', 'openai/*', '--candidate', 'groq/*'],
  ['-m', 'coding'],
  ['-m', 'fast', '--fallback', 'reasoning', '--priority', 'cost'],
  ['--need', 'video'],
  ['--task', 'complex_reasoning', '--need', 'reasoning'],
];

async function decide(argv: readonly string[], bodies: readonly object[]): Promise<Route[]> {
  const stdin = `${bodies.map((body) => JSON.stringify(body)).join('\n')}\n`;
  const options = ['--dry-run', '--keep-going', '--credentials', 'ignore'];
  const { stdout } = await run('ai-route', [...options, ...argv], { stdin });
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** The data, read by other code than the one that chose. */
const { models } = JSON.parse(readFileSync('src/lib/models/data/models.json', 'utf8')) as {
  models: { [provider: string]: { [id: string]: Partial<Model> } };
};

function factsOf({ provider, model }: Route): Partial<Model> | undefined {
  const row = models[provider]?.[model];
  return row && { ...models[provider]?.['*'], ...row };
}

/** A word of ` word` is a token to OpenAI, and no less to anybody. */
const wordsIn = (body: object): number => JSON.stringify(body).split(' word').length - 1;

/** What a choice breaks, said by other code than the one that chose. A window that is not known speaks against no model that was named. */
function broken(route: Route, needs: readonly string[], body: { readonly [field: string]: unknown }): string[] {
  const facts = factsOf(route);
  const can: { readonly [need: string]: boolean } = {
    image: facts?.input?.includes('image') ?? false,
    document: facts?.input?.includes('document') ?? false,
    audio: facts?.input?.includes('audio') ?? false,
    video: facts?.input?.includes('video') ?? false,
    tools: facts?.tools === true,
    reasoning: facts?.reasoning === true,
    schema: facts?.schema === true,
    streaming: facts?.streaming !== false,
  };
  const { output_tokens } = route.estimate;
  const limit = facts?.output ?? Number.POSITIVE_INFINITY;
  const asked = (body.max_completion_tokens as number | undefined) ?? 0;
  return [
    ...needs.filter((need) => !can[need]),
    ...(wordsIn(body) + Math.min(output_tokens, limit) > (facts?.context ?? Number.POSITIVE_INFINITY)
      ? ['context']
      : []),
    ...(asked > limit || (asked > 0 && asked !== output_tokens) ? ['output'] : []),
  ];
}

test.each(POLICIES.map((policy) => [policy]))('no choice of %j breaks a hard constraint', async (policy) => {
  let chosen = 0;
  for (const { body, needs } of CONVERSATIONS) {
    const at = policy.indexOf('--need');
    const declared = at < 0 ? [] : [policy[at + 1] ?? ''];
    for (const route of await decide(policy, [body])) {
      chosen += 1;
      expect(broken(route, [...needs, ...declared], body), JSON.stringify(route)).toEqual([]);
      const name = `${route.provider}/${route.model}`;
      if (policy.includes('mistral/*')) expect(name).toMatch(/^mistral\/|gpt-4/);
      if (policy.includes('*claude*')) expect(name).not.toMatch(/claude|^openai\//);
      if (policy.includes('--budget')) expect(route.estimate.usd).toBeLessThanOrEqual(0.01);
    }
  }
  expect(chosen).toBeGreaterThan(0);
});

describe('dense text', () => {
  const tiktoken = new Tiktoken(o200kBase);
  /** In words of ten: the oracle takes quadratic time for long ones. */
  const characters = (count: number, at: (i: number) => number) =>
    Array.from({ length: count }, (_, i) => (i % 10 === 9 ? ' ' : String.fromCodePoint(at(i)))).join('');
  const base64 = Buffer.from(Array.from({ length: 120_000 }, (_, i) => (i * i * 31 + i * 17) & 255)).toString('base64');
  /** Texts of which a token is one byte to five. */
  const texts: readonly (readonly [string, string])[] = [
    ['rare Chinese characters', characters(40_000, (i) => 0x4e00 + ((i * 7919) % 20_000))],
    ['old scripts', characters(20_000, (i) => 0x12000 + ((i * 577) % 900))],
    ['base64', base64.replace(/.{76}/g, '$&\n')],
    ['numbers', Array.from({ length: 40_000 }, (_, i) => (i * 7919) % 1000).join(' ')],
    ['prose', 'the parser fails on this line and we do not know why '.repeat(9000)],
  ];

  test.each(texts)('%s: gpt-4o is chosen where its window holds it, and only there', async (_, text) => {
    const tokens = tiktoken.encode(text, [], []).length;
    expect(tokens).toBeLessThan(123_000);
    for (const spare of [-100, 100]) {
      // ' word' is a token; what the API puts around texts is less than 100.
      const pad = ' word'.repeat(128_000 - 4096 - tokens - spare);
      const messages = [text, pad].map((content) => ({ role: 'user', content }));
      const routes = await decide(['--candidate', 'openai/gpt-4o'], [{ messages }]);
      expect(routes.map(({ model }) => model)).toEqual(spare < 0 ? [] : ['gpt-4o']);
    }
  });
});

describe('generated', () => {
  const all = catalogue().all();
  const names = fc.subarray(
    all.map((model) => `${model.provider}/${model.id}`),
    { minLength: 1, maxLength: 12 },
  );
  const parts = fc.subarray([PNG, PDF, WAV] as object[]);
  const needsOf = (chosen: readonly object[]) =>
    chosen.map((part) => (part === PNG ? 'image' : part === PDF ? 'document' : 'audio'));

  test('conversations and policies: 0 choices break a hard constraint', async () => {
    const made = fc.record({
      names,
      parts,
      tools: fc.boolean(),
      schema: fc.boolean(),
      length: fc.constantFrom(1, 1000, 30_000, 125_000, 200_000),
      priority: fc.constantFrom('balanced', 'quality', 'cost', 'speed'),
      strategy: fc.constantFrom('capability', 'cost', 'round-robin', 'load'),
      budget: fc.option(fc.constantFrom('0', '0.001', '0.1'), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(
        made,
        async ({ names: candidates, parts: media, tools, schema, length, priority, strategy, budget }) => {
          const body = {
            ...(tools && { tools: [TOOL] }),
            ...(schema && CONVERSATIONS[7]?.body),
            messages: [{ role: 'user', content: [{ type: 'text', text: ' word'.repeat(length) }, ...media] }],
          };
          const needs = [...needsOf(media), ...(tools ? ['tools'] : []), ...(schema ? ['schema'] : [])];
          const argv = [
            ...candidates.flatMap((name) => ['--candidate', name]),
            ...['--priority', priority, '--strategy', strategy],
            ...(budget === undefined ? [] : ['--budget', budget]),
          ];
          const [route] = await decide(argv, [body]);
          if (route === undefined) return;
          expect(broken(route, needs, body)).toEqual([]);
          expect(candidates).toContain(`${route.provider}/${route.model}`);
          if (budget !== undefined) expect(route.estimate.usd).toBeLessThanOrEqual(Number(budget));
        },
      ),
      { numRuns: 150 },
    );
  });

  test('every candidate is chosen, a fallback, rejected, or left over by the ranking', async () => {
    await fc.assert(
      fc.asyncProperty(names, parts, async (candidates, media) => {
        const body = { messages: [user(...media)] };
        const argv = [...candidates.slice(0, 4).flatMap((name) => ['--candidate', name])];
        const [route] = await decide(argv, [body]);
        if (route === undefined) return;
        const told = [
          `${route.provider}/${route.model}`,
          ...(route.fallbacks ?? []),
          ...(route.rejected ?? []).map(({ model }) => model),
        ];
        expect([...new Set(told)].sort()).toEqual([...new Set(candidates.slice(0, 4))].sort());
      }),
      { numRuns: 60 },
    );
  });

  test('the same input gives the same bytes', async () => {
    const stdin = `${CONVERSATIONS.slice(0, 9)
      .map(({ body }) => JSON.stringify(body))
      .join('\n')}\n`;
    const argv = ['--priority', 'balanced', '--credentials', 'ignore', '--keep-going'];
    const [first, second] = [await run('ai-route', argv, { stdin }), await run('ai-route', argv, { stdin })];
    expect(first).toEqual(second);
  });

  test('the order of the candidates does not matter to the choice', async () => {
    await fc.assert(
      fc.asyncProperty(names, fc.constantFrom('balanced', 'quality', 'cost', 'speed'), async (candidates, priority) => {
        const argv = (list: readonly string[]) => [
          ...list.flatMap((name) => ['--candidate', name]),
          '--priority',
          priority,
        ];
        const [a] = await decide(argv(candidates), [{ messages: [user()] }]);
        const [b] = await decide(argv(candidates.toReversed()), [{ messages: [user()] }]);
        expect(a?.model).toBe(b?.model);
      }),
      { numRuns: 40 },
    );
  });
});

describe('the explanation names the true cause', () => {
  const candidates = [
    'openai/gpt-4o',
    'openai/gpt-4',
    'zai/glm-5.3',
    'google/gemini-3.8-flash',
    'anthropic/claude-haiku-4-5',
  ];
  const argv = candidates.flatMap((name) => ['--candidate', name]);

  test.each([
    ['image', [], { messages: [user(PNG)] }],
    ['document', [], { messages: [user(PDF)] }],
    ['audio', [], { messages: [user(WAV)] }],
    ['video', ['--need', 'video'], { messages: [user()] }],
    ['context', [], { messages: [{ role: 'user', content: ' word'.repeat(300_000) }] }],
    ['output', [], { max_completion_tokens: 60_000, messages: [user()] }],
    ['budget', ['--budget', '0.02'], { messages: [user()] }],
    ['allow', ['--allow', 'google/*'], { messages: [user()] }],
    ['deny', ['--deny', 'openai/*'], { messages: [user()] }],
  ])('of %s: without it nobody is rejected for it, with it those who are not able', async (constraint, flags, body) => {
    const [plain] = await decide(argv, [{ messages: [user()] }]);
    expect(plain?.rejected ?? []).toEqual([]);
    const [held] = await decide([...argv, ...flags], [body]);
    const rejected = held?.rejected ?? [];
    expect(rejected.length).toBeGreaterThan(0);
    expect(new Set(rejected.map((one) => one.constraint))).toEqual(new Set([constraint]));
    for (const { model } of rejected) {
      const alone = await decide(['--candidate', model, ...flags], [body]);
      expect(alone, `${model} alone must be rejected too`).toEqual([]);
    }
  });
});
