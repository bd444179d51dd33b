// No text costs more than its length: every opener, alone and with what begins a call, repeated without end.
import { describe, expect, test } from 'vitest';
import { recoverText } from '../../../src/commands/recover-tools/text.ts';
import { TextStream } from '../../../src/commands/recover-tools/text-stream.ts';
import { GRAMMARS } from '../../../src/lib/grammars/table.ts';
import { Toolset } from '../../../src/lib/grammars/toolset.ts';

const TOOLS = new Toolset([
  { type: 'function', name: 'f', schema: { type: 'object', properties: { a: { type: 'string' } } } },
]);
const RULES = {
  tools: TOOLS,
  strict: false,
  trustQuotes: false,
  copied: () => false,
  inReasoning: false,
  salvage: false,
  last: true,
};

/** What begins a call behind an opener, and never ends it. */
const BEGINNINGS = ['', '{', '{"name":"f","arguments":{', '[', '[{', 'f', 'f(', 'f(a="', 'f\n{', '\n', '<'];
const OTHERS = [
  '<f>',
  '<f a="',
  '<f><a>',
  '<function=f><parameter=a>',
  '<invoke name="f"><parameter name="a">',
  '<tool_call>f<arg_key>a</arg_key><arg_value>',
  '<|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{',
  '[TOOL_CALLS]f[ARGS]{',
  'call:f{a:<|"|>',
  'Thought: x\nAction: f\nAction Input: ',
  'TOOL_NAME: f\nBEGIN_ARG: a\n',
  '<think>',
  '</think>',
  '<tool_response>',
  '```json\n{',
  '```\n',
  '`',
  '> ',
  '"',
  '\\',
  '[[',
  '{"a":',
  '{"name":"f","arguments":{}}',
  '[f(a=1)]',
  'f(a="x")\n',
  '    ',
  '\t\n',
  'hello world[A(A=\t)A(A=,\t\t)A(A=,\t',
];

/** So long that what grows with the square does not end before the test does. */
const SIZE = 200_000;

/** How much text comes out of it: what is found is told in no more. */
function recovered(piece: string): number {
  const { length } = JSON.stringify(recoverText(piece.repeat(Math.ceil(SIZE / piece.length)), RULES) ?? '');
  return length / SIZE;
}

describe('what is repeated without end', () => {
  const openers = [...new Set(GRAMMARS.flatMap((grammar) => grammar.openers))];
  test.each(openers)(
    '%s',
    (opener) => {
      for (const beginning of BEGINNINGS) expect(recovered(opener + beginning), opener + beginning).toBeLessThan(40);
    },
    60_000,
  );
  test.each(OTHERS)('%s', (piece) => expect(recovered(piece)).toBeLessThan(40), 60_000);
});

test.each(['{"id": 1, "name": "x"}, ', 'text < and { more\n', '\n    ', '<think>a</think>', '[[', 'search('])(
  'in a stream: %s',
  (piece) => {
    const stream = new TextStream(RULES);
    const text = `{"name": "f", "list": [${piece.repeat(Math.ceil(SIZE / piece.length))}`;
    let told = 0;
    for (let at = 0; at < text.length; at += 4) told += stream.feed(text.slice(at, at + 4)).length;
    expect(told + stream.finish(true).length).toBeLessThan(text.length);
  },
  20_000,
);
