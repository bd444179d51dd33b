// Calls that are shown, not said: every format in every way in which people quote.

const HERMES = '<tool_call>\n{"name": "search", "arguments": {"query": "x"}}\n</tool_call>';

/** One call of `search({"query": "x"})` in each format, as its model writes it. */
export const CALLS: Readonly<Record<string, string>> = {
  hermes: HERMES,
  qwenCoder: '<tool_call>\n<function=search>\n<parameter=query>\nx\n</parameter>\n</function>\n</tool_call>',
  glm: '<tool_call>search\n<arg_key>query</arg_key>\n<arg_value>x</arg_value>\n</tool_call>',
  invoke:
    '<function_calls>\n<invoke name="search">\n<parameter name="query">x</parameter>\n</invoke>\n</function_calls>',
  minimax:
    '<minimax:tool_call>\n<invoke name="search">\n<parameter name="query">x</parameter>\n</invoke>\n</minimax:tool_call>',
  dsml: '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="search">\n<｜DSML｜parameter name="query" string="true">x</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>',
  deepseek:
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>search<｜tool▁sep｜>{"query": "x"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  kimi: '<|tool_calls_section_begin|><|tool_call_begin|>functions.search:0<|tool_call_argument_begin|>{"query": "x"}<|tool_call_end|><|tool_calls_section_end|>',
  mistral: '[TOOL_CALLS][{"name": "search", "arguments": {"query": "x"}}]',
  mistralV11: '[TOOL_CALLS]search[ARGS]{"query": "x"}',
  llama: '<|python_tag|>{"name": "search", "parameters": {"query": "x"}}',
  llama3: '<function=search>{"query": "x"}</function>',
  pythonic: '[search(query="x")]',
  call: 'search(query="x")',
  gemma: '```tool_code\nsearch(query="x")\n```',
  gemma4: '<|tool_call>call:search{query:<|"|>x<|"|>}<tool_call|>',
  harmony:
    '<|start|>assistant<|channel|>commentary to=functions.search <|constrain|>json<|message|>{"query": "x"}<|call|>',
  seed: '<seed:tool_call><function=search><parameter=query>x</parameter></function></seed:tool_call>',
  cline: '<search>\n<query>x</query>\n</search>',
  commandR: 'Action: ```json\n[{"tool_name": "search", "parameters": {"query": "x"}}]\n```',
  react: 'Thought: I look.\nAction: search\nAction Input: {"query": "x"}',
  bare: '{"name": "search", "arguments": {"query": "x"}}',
  openai:
    '{"tool_calls": [{"type": "function", "function": {"name": "search", "arguments": "{\\"query\\": \\"x\\"}"}}]}',
  qwenAgent: '✿FUNCTION✿: search\n✿ARGS✿: {"query": "x"}\n✿RESULT✿',
  bold: '**Tool Call:**\n```json\n{"name": "search", "arguments": {"query": "x"}}\n```',
  langchain: '<tool>search</tool><tool_input>x</tool_input>',
};

const each = (text: string, before: string): string => text.replace(/^/gm, before);

/** Ways to quote. */
export const CONTEXTS: Readonly<Record<string, (call: string) => string>> = {
  plain: (call) => call,
  behindText: (call) => `Let me look.\n\n${call}`,
  beforeText: (call) => `${call}\n\nThat was it.`,
  fence: (call) => `A call looks like this:\n\n\`\`\`\n${call}\n\`\`\`\n\nThat is all.`,
  fenceAtEnd: (call) => `For example:\n\n\`\`\`xml\n${call}\n\`\`\``,
  twoFences: (call) => `\`\`\`json\n${call}\n\`\`\`\n\n\`\`\`json\n${call}\n\`\`\`\n`,
  nestedFence: (call) => `Write:\n\n\`\`\`\`markdown\nSee:\n\`\`\`\n${call}\n\`\`\`\n\`\`\`\`\n\nDone.`,
  tildes: (call) => `So:\n\n~~~\n${call}\n~~~\n\nDone.`,
  fenceInList: (call) => `1. Write this:\n\n   \`\`\`\n${each(call, '   ')}\n   \`\`\`\n\n2. Send it.`,
  fenceBesideBullet: (call) => `- \`\`\`\n${each(call, '  ')}\n  \`\`\`\n- and so on`,
  deepList: (call) => `- a\n    - b\n\n      \`\`\`\n${each(call, '      ')}\n      \`\`\`\n\nDone.`,
  indented: (call) => `For example:\n\n${each(call, '    ')}\n\nThat is all.`,
  inline: (call) => `The model writes \`${call}\` and waits.`,
  double: (call) => `The model writes \`\` ${call} \`\` and waits.`,
  quotes: (call) => `He wrote "${call}" and waited.`,
  curly: (call) => `He wrote “${call}” and waited.`,
  block: (call) => `He said:\n\n${each(call, '> ')}\n\nI did not.`,
  pre: (call) => `<pre>\n${call}\n</pre>\nis what it looks like.`,
  code: (call) => `<code>${call}</code> is what it looks like.`,
  example: (call) => `<example>\n${call}\n</example>\nis an example.`,
  comment: (call) => `<!-- ${call} -->\nNothing here.`,
  response: (call) => `<tool_response>\n${call}\n</tool_response>\nThe file documents it.`,
  result: (call) => `<function_results>\n${call}\n</function_results>\nThe file documents it.`,
  sentence: (call) => `The form ${call} is what older models write.`,
  unclosed: (call) => `See:\n\`\`\`xml\n${call}\nand it goes on`,
  thought: (call) => `<think>\nI could write ${call} or not.\n</think>\nI will not.`,
  openThought: (call) => `<think>\nI could write\n${call}`,
  lateThought: (call) => `I could write ${call} or not.\n</think>\nI will not.`,
  heredoc: (call) => `\`\`\`bash\ncat <<'E'\n${call}\nE\n\`\`\`\n`,
  table: (call) => `| form | who |\n|---|---|\n| ${call.replaceAll('\n', ' ')} | old models |\n`,
};
