// Rules: nothing that an API accepted is flagged, everything that is broken is, and what a repair leaves is right.
import { describe, expect, test } from 'vitest';
import { check, repair } from '../../src/lib/constraints/rules/check.ts';
import { RULES } from '../../src/lib/constraints/rules/table.ts';
import type { Checked } from '../../src/lib/constraints/rules/types.ts';
import type { Message } from '../../src/lib/conversation/types.ts';
import { formatNamed } from '../../src/lib/dialects/table.ts';
import type { Format } from '../../src/lib/dialects/types.ts';
import type { JsonObject } from '../../src/lib/json/values.ts';
import { accepted, CORPORA } from '../fixtures.ts';
import { BREAKAGES } from './broken.ts';

const VALID: { readonly [format: string]: JsonObject[] } = {
  anthropic: [
    {
      model: 'claude-sonnet-4-5',
      max_tokens: 8000,
      thinking: { type: 'enabled', budget_tokens: 2000 },
      system: 'Be brief.',
      tools: [{ name: 'Read', input_schema: { type: 'object', properties: { path: { type: 'string' } } } }],
      messages: [
        { role: 'user', content: 'Read a and b.' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Two.', signature: 'c2ln' },
            { type: 'tool_use', id: 'toolu_1', name: 'Read', input: { path: 'a' } },
            { type: 'tool_use', id: 'toolu_2', name: 'Read', input: { path: 'b' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_1', content: 'A' },
            { type: 'tool_result', tool_use_id: 'toolu_2', content: [{ type: 'text', text: 'B' }] },
          ],
        },
      ],
    },
  ],
  openai: [
    {
      model: 'gpt-4o',
      tools: [{ type: 'function', function: { name: 'Read', parameters: { type: 'object', properties: {} } } }],
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Read a and b.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: ['1', '2'].map((n) => ({
            id: `call_${n}`,
            type: 'function',
            function: { name: 'Read', arguments: '{}' },
          })),
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'A' },
        { role: 'tool', tool_call_id: 'call_2', content: 'B' },
      ],
    },
  ],
};

const FOLDERS: { readonly [folder: string]: string } = {
  'anthropic-messages': 'anthropic',
  'openai-chat': 'openai',
  'openai-chat-compat': 'openai',
  'openai-chat-deepseek': 'openai',
  'openai-chat-groq': 'openai',
  'openai-chat-openrouter': 'openai',
  'openai-responses': 'openai-responses',
  'gemini-generate-content': 'gemini',
  'bedrock-converse': 'bedrock',
  'mistral-chat': 'mistral',
  'cohere-v2-chat': 'cohere',
};

function readRequest(format: Format, request: JsonObject): Checked {
  const { [format.messagesKey]: messages, ...body } = request;
  const { head, messages: system } = format.readHead(body);
  const rest = ((messages ?? []) as JsonObject[]).map((native) => format.readMessage(native));
  return { format: format.name, head, messages: [...system, ...rest], inHead: system.length };
}

describe('the accepted', () => {
  test.each(Object.entries(VALID).flatMap(([name, requests]) => requests.map((request) => [name, request] as const)))(
    '%s: a good request has no finding, and its repair changes nothing',
    (name, request) => {
      const read = readRequest(formatNamed(name) as Format, request);
      expect(check(read)).toEqual([]);
      expect(repair(read)).toEqual({ request: read, did: [] });
    },
  );

  test.skipIf(CORPORA === undefined)('recorded requests: at most 0.3 % are flagged', () => {
    const flagged: unknown[] = [];
    let all = 0;
    for (const [folder, name] of Object.entries(FOLDERS)) {
      const format = formatNamed(name);
      if (format === undefined) continue;
      for (const { id, request } of accepted(folder)) {
        all += 1;
        const found = check(readRequest(format, request as JsonObject));
        if (found.length > 0) flagged.push({ folder, id, found });
      }
    }
    expect(all).toBeGreaterThan(300);
    expect(flagged.slice(0, Math.max(0, flagged.length - Math.floor(all * 0.003)))).toEqual([]);
  });
});

describe('the broken', () => {
  test.each(BREAKAGES.map((breakage) => [breakage.format, breakage.rule, breakage.name, breakage] as const))(
    '%s, %s: %s',
    (name, rule, _, breakage) => {
      const format = formatNamed(name) as Format;
      const folder = Object.entries(FOLDERS).find(([, of]) => of === name)?.[0] ?? '';
      const requests = [
        ...(VALID[name] ?? []),
        ...accepted(folder)
          .map(({ request }) => request as JsonObject)
          .slice(0, 40),
      ];
      const broken = requests
        .map((request) => breakage.breaks(structuredClone(request)))
        .filter((request) => request !== undefined);
      expect(broken.length).toBeGreaterThan(0);
      for (const request of broken) {
        const read = readRequest(format, JSON.parse(JSON.stringify(request)));
        expect(check(read).map((finding) => finding.rule)).toContain(rule);
        const mended = repair(read);
        if (!REPAIRS.has(rule)) continue;
        expect(check(mended.request).filter((finding) => finding.rule === rule)).toEqual([]);
        expect(mended.did.length).toBeGreaterThan(0);
      }
    },
  );
});

/** Rules whose breakages above can be mended. */
const REPAIRS = new Set(
  `results-first empty-text empty-result empty-message call-id tool-name unsigned-thinking cache-breakpoints cache-place max-tokens-missing
  blank-stop foreign-parameter error-result trailing-space reasoning-missing user-after-result empty-tools`.split(
    /\s+/,
  ),
);

describe('repairs', () => {
  const calls = (count: number): Message[] =>
    Array.from({ length: count }, (_, i) => [
      { role: 'user' as const, parts: [{ type: 'text' as const, text: `ask ${i}` }] },
      { role: 'assistant' as const, parts: [{ type: 'tool_call' as const, id: `c${i}`, name: 'Read', input: {} }] },
      ...(i % 3 === 0
        ? []
        : [
            {
              role: 'tool' as const,
              parts: [{ type: 'tool_result' as const, callId: `c${i}`, parts: [{ type: 'text' as const, text: 'x' }] }],
            },
          ]),
    ]).flat();

  test('are done once: a repaired request needs no repair', () => {
    for (const { format: name, breaks } of BREAKAGES) {
      const format = formatNamed(name) as Format;
      for (const request of VALID[name] ?? []) {
        const broken = breaks(structuredClone(request));
        if (broken === undefined) continue;
        const once = repair(readRequest(format, JSON.parse(JSON.stringify(broken)))).request;
        expect(repair(once).did).toEqual([]);
      }
    }
  });

  test('leave what is right as it is: the same objects', () => {
    const messages = calls(3);
    const { request } = repair({ format: 'openai', messages });
    for (const message of messages) expect(request.messages).toContain(message);
  });

  test('leave calls at the end open where they are to be answered', () => {
    const messages = calls(1);
    expect(check({ format: 'openai', messages, open: true })).toEqual([]);
    expect(repair({ format: 'openai', messages, open: true }).did).toEqual([]);
    expect(check({ format: 'openai', messages })).toHaveLength(1);
  });

  test.each(['openai', 'anthropic', 'openai-responses', 'gemini', 'bedrock', 'mistral'])(
    'of 100,000 messages take linear time: %s',
    (format) => {
      const { request } = repair({ format, messages: calls(100_000) });
      expect(check(request)).toEqual([]);
    },
  );
});

test('every rule is named once for each format, and says where its fact comes from', () => {
  const names = RULES.flatMap(({ name, formats }) => formats.map((format) => `${format} ${name}`));
  expect(new Set(names).size).toBe(names.length);
});
