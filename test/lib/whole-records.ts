// Bodies that the APIs accept.

// biome-ignore lint/suspicious/noExplicitAny: a body is taken apart at will in the tests.
export type Body = any;

export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
export const schema = { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] };
const A: Body = {
  model: 'claude-sonnet-4-5',
  max_tokens: 1000,
  system: 's',
  tools: [
    { name: 'look', description: 'd', input_schema: schema },
    { name: 'note', input_schema: { type: 'object', properties: {} } },
  ],
  messages: [
    { role: 'user', content: 'Hi' },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'ok' },
        { type: 'tool_use', id: 'toolu_1', name: 'look', input: { q: 'a' } },
        { type: 'tool_use', id: 'toolu_2', name: 'note', input: {} },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'toolu_1', content: 'r1' },
        {
          type: 'tool_result',
          tool_use_id: 'toolu_2',
          content: [
            { type: 'text', text: 'r2' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
          ],
        },
        { type: 'text', text: 'go on' },
      ],
    },
  ],
};
const O: Body = {
  model: 'gpt-4o',
  max_tokens: 1000,
  tools: [
    { type: 'function', function: { name: 'look', parameters: schema } },
    { type: 'function', function: { name: 'note', parameters: { type: 'object', properties: {} } } },
  ],
  messages: [
    { role: 'system', content: 's' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Hi' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
      ],
    },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"q":"a"}' } },
        { id: 'call_2', type: 'function', function: { name: 'note', arguments: '{}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'call_1', content: 'r1' },
    { role: 'tool', tool_call_id: 'call_2', content: 'r2' },
    { role: 'user', content: 'go on' },
  ],
};
const R: Body = {
  model: 'gpt-5',
  instructions: 's',
  max_output_tokens: 1000,
  tools: [{ type: 'function', name: 'look', parameters: schema, strict: false }],
  input: [
    {
      role: 'user',
      content: [
        { type: 'input_text', text: 'Hi' },
        { type: 'input_image', image_url: `data:image/png;base64,${PNG}`, detail: 'auto' },
      ],
    },
    { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' },
    { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'look', arguments: '{"q":"a"}' },
    { type: 'function_call_output', call_id: 'call_1', output: 'r1' },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'so', annotations: [] }] },
    { role: 'user', content: 'go on' },
  ],
};
const G: Body = {
  model: 'gemini-2.5-pro',
  systemInstruction: { parts: [{ text: 's' }] },
  tools: [{ functionDeclarations: [{ name: 'look', parametersJsonSchema: schema }, { name: 'note' }] }],
  toolConfig: { functionCallingConfig: { mode: 'AUTO' } },
  generationConfig: { maxOutputTokens: 100, temperature: 1 },
  contents: [
    { role: 'user', parts: [{ text: 'Hi' }, { inlineData: { mimeType: 'image/png', data: PNG } }] },
    {
      role: 'model',
      parts: [{ functionCall: { name: 'look', args: { q: 'a' } } }, { functionCall: { name: 'note', args: {} } }],
    },
    {
      role: 'user',
      parts: [
        { functionResponse: { name: 'look', response: { output: 'r1' } } },
        { functionResponse: { name: 'note', response: { output: 'r2' } } },
      ],
    },
    { role: 'model', parts: [{ text: 'so' }] },
    { role: 'user', parts: [{ text: 'go on' }] },
  ],
};
const B: Body = {
  modelId: 'anthropic.claude-sonnet-4-5-20250929-v1:0',
  system: [{ text: 's' }],
  inferenceConfig: { maxTokens: 100 },
  toolConfig: { tools: [{ toolSpec: { name: 'look', description: 'd', inputSchema: { json: schema } } }] },
  messages: [
    { role: 'user', content: [{ text: 'Hi' }, { image: { format: 'png', source: { bytes: PNG } } }] },
    { role: 'assistant', content: [{ text: 'ok' }, { toolUse: { toolUseId: 't1', name: 'look', input: { q: 'a' } } }] },
    { role: 'user', content: [{ toolResult: { toolUseId: 't1', content: [{ text: 'r1' }], status: 'success' } }] },
    { role: 'assistant', content: [{ text: 'so' }] },
    { role: 'user', content: [{ text: 'go on' }] },
  ],
};
const M: Body = {
  model: 'mistral-large-latest',
  max_tokens: 100,
  tools: [{ type: 'function', function: { name: 'look', parameters: schema } }],
  messages: [
    { role: 'system', content: 's' },
    { role: 'user', content: 'Hi' },
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ id: 'aaaaaaaa1', type: 'function', function: { name: 'look', arguments: '{"q":"a"}' } }],
    },
    { role: 'tool', tool_call_id: 'aaaaaaaa1', name: 'look', content: 'r1' },
    { role: 'assistant', content: 'so' },
    { role: 'user', content: 'go on' },
  ],
};
const C: Body = {
  model: 'command-a-03-2025',
  max_tokens: 100,
  tools: [{ type: 'function', function: { name: 'look', parameters: schema } }],
  messages: [
    { role: 'system', content: 's' },
    { role: 'user', content: 'Hi' },
    {
      role: 'assistant',
      tool_plan: 'p',
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{"q":"a"}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'r1' },
    { role: 'assistant', content: 'so' },
    { role: 'user', content: 'go on' },
  ],
};

export const BASES: { readonly [api: string]: Body } = {
  anthropic: A,
  openai: O,
  'openai-responses': R,
  gemini: G,
  bedrock: B,
  mistral: M,
  cohere: C,
};
