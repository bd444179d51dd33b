// A value that explains a call, in the formats whose values are text: it is whole, or the call is left. It is never cut, and what it explains never runs.
import { describe, expect, test } from 'vitest';
import { Toolset } from '../../../src/lib/grammars/toolset.ts';
import { ofWhole } from './beside.ts';
import { CALLS } from './quoting.ts';

const text = (...keys: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(keys.map((key) => [key, { type: 'string' }])),
});
const TOOLS = new Toolset([
  { type: 'function', name: 'write', schema: text('path', 'content') },
  { type: 'function', name: 'search', schema: text('query') },
  { type: 'function', name: 'Bash', schema: text('command') },
]);

const CLAUDE = 'antml:';
const DSML = '｜DSML｜';

function invoke(name: string, parameters: Readonly<Record<string, string>>, space = '', attributes = ''): string {
  const all = Object.entries(parameters).map(
    ([key, value]) => `<${space}parameter name="${key}"${attributes}>${value}</${space}parameter>\n`,
  );
  return `<${space}invoke name="${name}">\n${all.join('')}</${space}invoke>`;
}

const within = (wrapper: string, call: string): string => `<${wrapper}>\n${call}\n</${wrapper}>`;

const pairs = (content: string): string =>
  `<arg_key>path</arg_key>\n<arg_value>a.md</arg_value>\n<arg_key>content</arg_key>\n<arg_value>${content}</arg_value>`;

const elements = (content: string): string =>
  `<function=write>\n<parameter=path>\na.md\n</parameter>\n<parameter=content>\n${content}\n</parameter>\n</function>`;

/** `write({"path": "a.md", "content": …})`, as the templates of these models render it. */
const OUTER: Readonly<Record<string, (content: string) => string>> = {
  invoke: (content) => invoke('write', { path: 'a.md', content }),
  functionCalls: (content) => within('function_calls', invoke('write', { path: 'a.md', content })),
  claude: (content) => within(`${CLAUDE}function_calls`, invoke('write', { path: 'a.md', content }, CLAUDE)),
  minimax: (content) => within('minimax:tool_call', invoke('write', { path: 'a.md', content })),
  dsml: (content) => within(`${DSML}tool_calls`, invoke('write', { path: 'a.md', content }, DSML, ' string="true"')),
  qwenCoder: (content) => within('tool_call', elements(content)),
  seed: (content) => within('seed:tool_call', elements(content)),
  glm: (content) => `<tool_call>write\n${pairs(content)}\n</tool_call>`,
  cline: (content) => `<write>\n<path>a.md</path>\n<content>\n${content}\n</content>\n</write>`,
  gemma4: (content) => `<|tool_call>call:write{path:<|"|>a.md<|"|>,content:<|"|>${content}<|"|>}<tool_call|>`,
};

const INNER: Readonly<Record<string, string>> = {
  ...CALLS,
  bash: invoke('Bash', { command: 'ls' }),
  bashOfClaude: invoke('Bash', { command: 'ls' }, CLAUDE),
  bashOfDeepSeek: invoke('Bash', { command: 'ls' }, DSML),
  opener: 'Say <invoke name="Bash"> and then go on',
  openCall: '<invoke name="Bash">\n<parameter name="command">ls',
  closers: 'It ends with </parameter>\n</invoke> and so on',
  parameterCloser: 'It ends with </parameter> always',
  callCloser: 'It ends with </invoke> always',
  wrapperCloser: 'It ends with </tool_call> always',
  valueCloser: 'It ends with </arg_value> always',
};

/** No end of the value can be told from these: the call is left. */
const AMBIGUOUS = new Set(['openCall', 'closers']);

describe('a call explained in a value', () => {
  for (const [outer, write] of Object.entries(OUTER))
    test.each(Object.entries(INNER))(`${outer}: %s`, (inner, explained) => {
      const content = `# Calls\n\nSo:\n\n${explained}\n\nThat is it.`;
      const calls = ofWhole(write(content), TOOLS).filter(([type]) => type === 'call');
      const left = calls.length === 0 && (AMBIGUOUS.has(inner) || outer === inner);
      if (!left) expect(calls).toEqual([['call', ['write', { path: 'a.md', content }]]]);
    });
});

describe('formats of which only a part is known', () => {
  test.each([
    '<tool>search</tool><tool_input>x</tool_input>',
    '<tool>search</tool>\n<tool_input>x',
    '<function>search</function><arguments>{"query": "x"}</arguments>',
    '<tool_call>search</tool_call><input>x</input>',
    '<tool_call>\n{"name": "search", "arguments": {}}\n<code>\nprint(1)\n</code>\n</tool_call>',
    '{"name": "search", "arguments": {"query": ""}}\n<code>print(1)</code>',
  ])('%s is left', (said) => {
    expect(ofWhole(said, TOOLS)).toEqual([['text', said]]);
    expect(ofWhole(said, new Toolset(undefined))).toEqual([['text', said]]);
  });

  test("Gemini's quotes are no part of a value", () => {
    const said = 'call:default_api:write{path:<ctrl46>a, b: c.md<ctrl46>,content:<ctrl46>x<ctrl46>}';
    expect(ofWhole(said, TOOLS)).toEqual([['call', ['write', { path: 'a, b: c.md', content: 'x' }]]]);
  });
});
