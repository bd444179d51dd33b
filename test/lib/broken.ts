// Accepted requests broken in one way each: what a rule must find. A mutation that does not apply to a request gives undefined.
import type { Json, JsonObject } from '../../src/lib/json/values.ts';

export interface Breakage {
  readonly format: string;
  readonly rule: string;
  readonly name: string;
  /** The broken request, from a copy that may be changed. */
  breaks(request: Body): Body | undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: a request is taken apart and put together at will here.
export type Body = any;

const blocks = (message: Body): Body[] => (Array.isArray(message?.content) ? message.content : []);
const find = (request: Body, type: string): { message: Body; at: number; block: Body } | undefined => {
  for (const [at, message] of request.messages.entries()) {
    const block = blocks(message).find((b) => b.type === type);
    if (block) return { message, at, block };
  }
  return undefined;
};
const withTool = (request: Body): Body => {
  request.tools ??= [{ name: 'lookup', input_schema: { type: 'object', properties: {} } }];
  return request;
};
const set =
  (fields: JsonObject | ((request: Body) => JsonObject)) =>
  (request: Body): Body => ({ ...request, ...(typeof fields === 'function' ? fields(request) : fields) });

const anthropic = (rule: string, name: string, breaks: Breakage['breaks']): Breakage => ({
  format: 'anthropic',
  rule,
  name,
  breaks,
});
const openai = (rule: string, name: string, breaks: Breakage['breaks']): Breakage => ({
  format: 'openai',
  rule,
  name,
  breaks,
});

const sampled = { model: 'claude-sonnet-4-5', thinking: undefined, output_config: undefined };
const plain = { model: 'gpt-4o', reasoning_effort: undefined };
const user = (content: Json): JsonObject => ({ role: 'user', content });
const text = (value: string): JsonObject => ({ type: 'text', text: value });

export const BREAKAGES: readonly Breakage[] = [
  anthropic('answered-calls', 'a result is gone', (r) => {
    const found = find(r, 'tool_result');
    if (!found) return undefined;
    found.message.content = found.message.content.filter((b: Body) => b !== found.block).concat(text('Go on.'));
    return r;
  }),
  anthropic('answered-calls', 'a call is gone', (r) => {
    const found = find(r, 'tool_use');
    if (!found || r.messages.length < found.at + 2) return undefined;
    found.message.content = found.message.content.filter((b: Body) => b !== found.block).concat(text('Hm.'));
    return r;
  }),
  anthropic('answered-calls', 'a result has another id', (r) => {
    const found = find(r, 'tool_result');
    if (found) found.block.tool_use_id = 'toolu_other';
    return found && r;
  }),
  anthropic('answered-calls', 'the assistant speaks before the result', (r) => {
    const found = find(r, 'tool_result');
    if (!found) return undefined;
    r.messages.splice(found.at, 0, user('Wait.'), { role: 'assistant', content: 'I wait.' });
    return r;
  }),
  anthropic('answered-calls', 'two calls have one id', (r) => {
    const found = find(r, 'tool_use');
    if (found) found.message.content.push({ ...found.block });
    return found && r;
  }),
  anthropic('results-first', 'a text stands before the result', (r) => {
    const found = find(r, 'tool_result');
    if (found) found.message.content.unshift(text('Here:'));
    return found && r;
  }),
  anthropic('empty-text', 'a blank text', (r) => ({ ...r, messages: [...r.messages, user([text('  \n')])] })),
  anthropic('empty-text', 'an empty text among others', (r) => ({
    ...r,
    messages: [...r.messages, user([text('a'), text('')])],
  })),
  anthropic('empty-message', 'a message without content', (r) => ({ ...r, messages: [user([]), ...r.messages] })),
  anthropic('empty-result', 'a result with an empty list', (r) => {
    const found = find(r, 'tool_result');
    if (found) found.block.content = [];
    return found && r;
  }),
  anthropic('empty-conversation', 'no messages', set({ messages: [] })),
  anthropic('call-id', 'an id with a colon', (r) => {
    const call = find(r, 'tool_use');
    if (!call) return undefined;
    const old = call.block.id;
    return JSON.parse(JSON.stringify(r).replaceAll(old, 'functions.get:0'));
  }),
  anthropic('tool-name', 'a name with a space', (r) => {
    const own = r.tools?.find((t: Body) => t.input_schema);
    if (own) own.name = 'my tool';
    return own && r;
  }),
  anthropic('tool-name', 'a name that is too long', (r) => {
    const own = r.tools?.find((t: Body) => t.input_schema);
    if (own) own.name = 'x'.repeat(129);
    return own && r;
  }),
  anthropic('tool-name-twice', 'two tools of one name', (r) => {
    const own = r.tools?.find((t: Body) => t.input_schema);
    if (own) r.tools.push({ ...own });
    return own && r;
  }),
  anthropic('unsigned-thinking', 'a thought without a signature', (r) => ({
    ...r,
    messages: [
      user('a'),
      { role: 'assistant', content: [{ type: 'thinking', thinking: 'Hm.' }, text('b')] },
      ...r.messages,
    ],
  })),
  anthropic('unsigned-thinking', 'a signature is gone', (r) => {
    const found = find(r, 'thinking');
    if (found) delete found.block.signature;
    return found && r;
  }),
  anthropic('thinking-first', 'the thought is gone in a tool loop', (r) => {
    const result = find(r, 'tool_result');
    if (r.thinking?.type !== 'enabled' || result === undefined) return undefined;
    const last = r.messages.findLast((m: Body) => m.role === 'assistant');
    if (!blocks(r.messages.at(-1)).some((b) => b.type === 'tool_result')) return undefined;
    last.content = blocks(last).filter((b) => !b.type.includes('thinking'));
    return r;
  }),
  anthropic('cache-breakpoints', 'five breakpoints', (r) => ({
    ...r,
    messages: [
      ...r.messages,
      user(Array.from({ length: 5 }, () => ({ ...text('a'), cache_control: { type: 'ephemeral' } }))),
    ],
  })),
  anthropic('cache-place', 'a breakpoint on a thought', (r) => {
    const found = find(r, 'thinking');
    if (found) found.block.cache_control = { type: 'ephemeral' };
    return found && r;
  }),
  anthropic('cache-ttl', 'an hour behind five minutes', (r) => ({
    ...r,
    messages: [
      ...r.messages,
      user([
        { ...text('a'), cache_control: { type: 'ephemeral' } },
        { ...text('b'), cache_control: { type: 'ephemeral', ttl: '1h' } },
      ]),
    ],
  })),
  anthropic('max-tokens-missing', 'no max_tokens', ({ max_tokens: _, ...r }) => r),
  anthropic('parameter-range', 'temperature above 1', set({ ...sampled, temperature: 1.5 })),
  anthropic('parameter-range', 'temperature below 0', set({ ...sampled, temperature: -0.1 })),
  anthropic('parameter-range', 'top_p above 1', set({ ...sampled, top_p: 1.1 })),
  anthropic('parameter-range', 'max_tokens below 0', set({ max_tokens: -1, thinking: undefined })),
  anthropic('parameter-range', 'max_tokens as text', set({ max_tokens: '100', thinking: undefined })),
  anthropic(
    'model-parameters',
    'temperature for Opus 4.7',
    set({ model: 'claude-opus-4-7', thinking: undefined, temperature: 0.5 }),
  ),
  anthropic('model-parameters', 'temperature and top_p', set({ ...sampled, temperature: 0.5, top_p: 0.5 })),
  anthropic(
    'model-parameters',
    'a budget for Opus 5',
    set({ model: 'claude-opus-5', max_tokens: 8000, thinking: { type: 'enabled', budget_tokens: 2000 } }),
  ),
  anthropic(
    'model-parameters',
    'a small budget',
    set({ ...sampled, max_tokens: 8000, thinking: { type: 'enabled', budget_tokens: 1000 } }),
  ),
  anthropic(
    'model-parameters',
    'a budget above max_tokens',
    set({ ...sampled, max_tokens: 2000, thinking: { type: 'enabled', budget_tokens: 2000 } }),
  ),
  anthropic(
    'model-parameters',
    'thinking and temperature',
    set({ ...sampled, max_tokens: 8000, temperature: 0.2, thinking: { type: 'enabled', budget_tokens: 2000 } }),
  ),
  anthropic('model-parameters', 'thinking and a forced call', (r) =>
    withTool({
      ...r,
      ...sampled,
      max_tokens: 8000,
      thinking: { type: 'enabled', budget_tokens: 2000 },
      tool_choice: { type: 'any' },
    }),
  ),
  anthropic(
    'model-parameters',
    'an effort that the model has not',
    set({ model: 'claude-opus-4-6', output_config: { effort: 'xhigh' } }),
  ),
  anthropic('foreign-parameter', 'a parameter of OpenAI', set({ frequency_penalty: 0.5 })),
  anthropic('blank-stop', 'a blank stop sequence', set({ stop_sequences: ['\n'] })),
  anthropic('tool-choice', 'a choice without tools', ({ tools: _, ...r }) => ({
    ...r,
    tool_choice: { type: 'any' },
    mcp_servers: undefined,
  })),
  anthropic('tool-choice', 'a choice of no tool that there is', (r) => ({
    ...withTool(r),
    tool_choice: { type: 'tool', name: 'nowhere' },
  })),
  anthropic('tool-schema', 'anyOf at the root', (r) => ({
    ...r,
    tools: [{ name: 'a', input_schema: { anyOf: [{ type: 'object' }] } }],
  })),
  anthropic('tool-schema', 'a list at the root', (r) => ({
    ...r,
    tools: [{ name: 'a', input_schema: { type: 'array', items: {} } }],
  })),
  anthropic('tool-schema', 'a strict schema with a maximum', (r) => ({
    ...r,
    tools: [
      {
        name: 'a',
        strict: true,
        input_schema: {
          type: 'object',
          properties: { n: { type: 'integer', maximum: 3 } },
          additionalProperties: false,
        },
      },
    ],
  })),
  anthropic('error-result', 'an image in a failed result', (r) => {
    const found = find(r, 'tool_result');
    if (!found) return undefined;
    found.block.is_error = true;
    found.block.content = [
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
    ];
    return r;
  }),
  anthropic('media-kind', 'a bitmap', (r) => ({
    ...r,
    messages: [
      ...r.messages,
      user([{ type: 'image', source: { type: 'base64', media_type: 'image/bmp', data: 'Qk0=' } }]),
    ],
  })),
  anthropic('media-source', 'a data: URL as data', (r) => ({
    ...r,
    messages: [
      ...r.messages,
      user([
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'data:image/png;base64,iVBO' } },
      ]),
    ],
  })),
  anthropic('image-size', 'a huge image', (r) => ({
    ...r,
    messages: [
      ...r.messages,
      user([{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(7_200_000) } }]),
    ],
  })),
  anthropic('image-count', 'too many images', (r) => ({
    ...r,
    messages: [
      ...r.messages,
      user(
        Array.from({ length: 101 }, () => ({
          type: 'image',
          source: { type: 'url', url: 'https://example.com/a.png' },
        })),
      ),
    ],
  })),
  anthropic('media-place', 'an image of the assistant', (r) => ({
    ...r,
    messages: [
      user('a'),
      { role: 'assistant', content: [{ type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }] },
      ...r.messages,
    ],
  })),
  anthropic('trailing-space', 'white space at the end', (r) => ({
    ...r,
    model: 'claude-sonnet-4-5',
    thinking: undefined,
    messages: [...r.messages, { role: 'assistant', content: 'It is ' }],
  })),
  anthropic('last-turn', 'words to continue for a new model', (r) => ({
    ...r,
    model: 'claude-opus-4-6',
    messages: [...r.messages, { role: 'assistant', content: 'It is' }],
  })),
  anthropic('system-place', 'a system message first', (r) => ({
    ...r,
    model: 'claude-opus-4-8',
    messages: [{ role: 'system', content: 'a' }, ...r.messages],
  })),
  anthropic('system-place', 'a system message behind the assistant', (r) => ({
    ...r,
    model: 'claude-opus-4-8',
    messages: [user('a'), { role: 'assistant', content: 'b' }, { role: 'system', content: 'c' }, ...r.messages],
  })),
  anthropic('role', 'a call of the user', (r) => ({
    ...r,
    messages: [...r.messages, user([{ type: 'tool_use', id: 'x', name: 'y', input: {} }])],
  })),

  openai('answered-calls', 'a result is gone', (r) => {
    const at = r.messages.findIndex((m: Body) => m.role === 'tool');
    if (at >= 0) r.messages.splice(at, 1);
    return at >= 0 ? r : undefined;
  }),
  openai('answered-calls', 'the calls are gone', (r) => {
    const caller = r.messages.find((m: Body) => m.tool_calls?.length > 0);
    if (!caller || !r.messages.some((m: Body) => m.role === 'tool')) return undefined;
    delete caller.tool_calls;
    caller.content = 'Hm.';
    return r;
  }),
  openai('answered-calls', 'the user speaks before the result', (r) => {
    const at = r.messages.findIndex((m: Body) => m.role === 'tool');
    if (at >= 0) r.messages.splice(at, 0, user('Wait.'));
    return at >= 0 ? r : undefined;
  }),
  openai('answered-calls', 'a result with another id', (r) => {
    const result = r.messages.find((m: Body) => m.role === 'tool');
    if (result) result.tool_call_id = 'call_other';
    return result && r;
  }),
  openai('answered-calls', 'a result twice', (r) => {
    const at = r.messages.findIndex((m: Body) => m.role === 'tool');
    if (at >= 0) r.messages.splice(at, 0, { ...r.messages[at] });
    return at >= 0 ? r : undefined;
  }),
  openai('answered-calls', 'parallel calls in two messages', (r) => {
    const at = r.messages.findIndex((m: Body) => m.tool_calls?.length > 1);
    if (at < 0) return undefined;
    const [first, ...rest] = r.messages[at].tool_calls;
    r.messages.splice(
      at,
      1,
      { ...r.messages[at], tool_calls: [first] },
      { role: 'assistant', content: null, tool_calls: rest },
    );
    return r;
  }),
  openai('empty-message', 'a user without content', (r) => ({
    ...r,
    messages: [{ role: 'user', content: null }, ...r.messages],
  })),
  openai('empty-message', 'an assistant with nothing', (r) => ({
    ...r,
    messages: [user('a'), { role: 'assistant', content: null }, ...r.messages],
  })),
  openai('call-id', 'an id that is too long', (r) => {
    const caller = r.messages.find((m: Body) => m.tool_calls?.length > 0);
    return caller && { ...JSON.parse(JSON.stringify(r).replaceAll(caller.tool_calls[0].id, 'c'.repeat(65))), ...plain };
  }),
  openai('tool-name', 'a name with a dot', (r) => {
    const own = r.tools?.find((t: Body) => t.function);
    if (own) own.function.name = 'files.read';
    return own && r;
  }),
  openai('tool-name', 'a name of 65 letters', (r) => {
    const own = r.tools?.find((t: Body) => t.function);
    if (own) own.function.name = 'x'.repeat(65);
    return own && r;
  }),
  openai('parameter-range', 'temperature above 2', set({ ...plain, temperature: 2.1 })),
  openai('parameter-range', 'top_p below 0', set({ ...plain, top_p: -1 })),
  openai('parameter-range', 'a penalty out of bounds', set({ ...plain, presence_penalty: 3 })),
  openai('parameter-range', 'five stop sequences', set({ ...plain, stop: ['a', 'b', 'c', 'd', 'e'] })),
  openai('parameter-range', 'no candidates', set({ n: 0 })),
  openai(
    'parameter-range',
    '129 tools',
    set({ tools: Array.from({ length: 129 }, (_, i) => ({ type: 'function', function: { name: `f${i}` } })) }),
  ),
  openai('model-parameters', 'temperature for o3', set({ model: 'o3', temperature: 0.5 })),
  openai('model-parameters', 'max_tokens for o3', ({ max_completion_tokens: _, ...r }) => ({
    ...r,
    model: 'o3',
    max_tokens: 100,
  })),
  openai('model-parameters', 'stop for o4-mini', set({ model: 'o4-mini', stop: ['a'] })),
  openai(
    'model-parameters',
    'an effort for a model that does not reason',
    set({ model: 'gpt-4o', reasoning_effort: 'low' }),
  ),
  openai('parameter-openai', 'top_logprobs alone', set({ top_logprobs: 3 })),
  openai('parameter-openai', 'a bias out of bounds', set({ logit_bias: { '50256': -101 } })),
  openai(
    'parameter-openai',
    'too much metadata',
    set({ metadata: Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`k${i}`, 'v'])) }),
  ),
  openai('tool-choice', 'a choice without tools', ({ tools: _, ...r }) => ({ ...r, tool_choice: 'required' })),
  openai('tool-choice', 'a choice of no tool that there is', (r) =>
    r.tools?.length > 0 ? { ...r, tool_choice: { type: 'function', function: { name: 'nowhere' } } } : undefined,
  ),
  openai('tool-choice', 'parallel_tool_calls without tools', ({ tools: _, tool_choice: _c, ...r }) => ({
    ...r,
    parallel_tool_calls: true,
  })),
  openai('empty-tools', 'an empty list of tools', ({ tool_choice: _, parallel_tool_calls: _p, ...r }) => ({
    ...r,
    model: 'gpt-4o',
    tools: [],
  })),
  openai('tool-schema', 'a strict tool with an open object', (r) => ({
    ...r,
    model: 'gpt-4o',
    tools: [
      {
        type: 'function',
        function: {
          name: 'a',
          strict: true,
          parameters: { type: 'object', properties: { n: { type: 'string' } }, required: ['n'] },
        },
      },
    ],
  })),
  openai('tool-schema', 'a strict tool with an optional property', (r) => ({
    ...r,
    model: 'gpt-4o',
    tools: [
      {
        type: 'function',
        function: {
          name: 'a',
          strict: true,
          parameters: {
            type: 'object',
            properties: { n: { type: 'string' } },
            required: [],
            additionalProperties: false,
          },
        },
      },
    ],
  })),
  openai(
    'tool-schema',
    'a response format without a name',
    set({ response_format: { type: 'json_schema', json_schema: { schema: { type: 'object' } } } }),
  ),
  openai('media-place', 'an image of the assistant', (r) => ({
    ...r,
    messages: [
      ...r.messages,
      { role: 'assistant', content: [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }] },
    ],
  })),
  openai('media-place', 'an image in a result', (r) => {
    const result = r.messages.find((m: Body) => m.role === 'tool');
    if (result) result.content = [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }];
    return result && r;
  }),
  openai('media-kind', 'audio for a model of texts', (r) => ({
    ...r,
    model: 'gpt-4o',
    messages: [...r.messages, user([{ type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } }])],
  })),
  openai('media-source', 'an address for a file', (r) => ({
    ...r,
    messages: [...r.messages, user([{ type: 'file', file: { file_data: 'https://example.com/a.pdf' } }])],
  })),
  openai('media-source', 'an address that is none', (r) => ({
    ...r,
    messages: [...r.messages, user([{ type: 'image_url', image_url: { url: 'data:undefined;base64,undefined' } }])],
  })),
  openai('system-place', 'a system message for o1-mini', (r) => ({
    ...r,
    model: 'o1-mini',
    messages: [{ role: 'system', content: 'a' }, ...r.messages.filter((m: Body) => m.role !== 'system')],
  })),
  openai('reasoning-missing', 'calls without reasoning for DeepSeek', (r) =>
    r.messages.some((m: Body) => m.tool_calls?.length > 0) ? { ...r, model: 'deepseek-reasoner' } : undefined,
  ),
  openai('user-after-result', 'a user behind a result for Mistral', (r) => {
    const at = r.messages.findLastIndex((m: Body) => m.role === 'tool');
    if (at < 0) return undefined;
    r.messages.splice(at + 1, 0, user('And?'));
    return { ...r, model: 'mistral-large-latest' };
  }),
];
