// ai-grep: finds messages by what is said in them.
import { type Context, defineFilter, type Values } from '../../lib/cli/filter.ts';
import { EXIT, Failure } from '../../lib/failure/failure.ts';
import type { Rec } from '../../lib/json/record.ts';
import { DESCRIPTION, OPTIONS } from './options.ts';
import type { Passage } from './passages.ts';
import { compilePattern, type Pattern } from './pattern.ts';
import { Reporter } from './report.ts';
import { Search } from './search.ts';
import { inputsBelow, Reader, type Source } from './sources.ts';

export default defineFilter({
  name: 'ai-grep',
  summary: 'search the text of conversations for a pattern',
  description: DESCRIPTION,
  operands: ['PATTERN'],
  options: OPTIONS,
  exits: {
    0: 'a match was found',
    1: 'no match was found',
    65: 'a line is invalid, or an input without a match is not a conversation',
  },
  see: ['ai-transform', 'ai-wc'],
  examples: [
    {
      title: 'find the commands that the model ran',
      command: 'ai-grep --kind call "npm (test|run)"',
      stdin: `{"role":"user","content":"run the tests"}
{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"Bash","arguments":"{\\"command\\":\\"npm test\\"}"}}]}
`,
      stdout: '2:assistant: command: npm test\n',
    },
  ],
  async *run(records, options, context) {
    const [pattern = ''] = context.operands;
    const compiled = await compilePattern(pattern, {
      fixed: options['fixed-strings'],
      ignoreCase: options['ignore-case'],
      word: options.word,
    });
    yield* all(inputsBelow(records.inputs, context.open), compiled, options, context);
  },
});

type Given = Values<typeof OPTIONS>;

function* all(sources: Iterable<Source>, pattern: Pattern, options: Given, context: Context): Generator<Rec> {
  const reader = new Reader(context);
  const settings = settingsOf(options);
  const reporter = new Reporter({
    output: options.json ? 'json' : (options.output as 'text' | 'json' | 'records'),
    color: options.color === 'always' || (options.color === 'auto' && isColourful(context)),
    width: options.width,
  });
  let found = 0;
  for (const { input, named } of sources) {
    const search = new Search(pattern, settings);
    for (const said of reader.messages(input)) {
      const out = reader.guarded(said, () => search.push(said, reporter));
      if (search.count > 0 && (options.quiet || options['files-with-matches'])) break;
      if (!options.count && !options['files-with-matches'] && !options.quiet) yield* out;
      if (search.full) break;
    }
    if (search.count === 0 && named) reader.sayUnknown();
    found += search.count;
    yield* summary(input.name, search.count, options);
    if (found > 0 && options.quiet) return;
  }
  context.exit(reader.status !== EXIT.ok ? reader.status : found > 0 ? EXIT.ok : EXIT.no);
}

function* summary(name: string, count: number, options: Given): Generator<Rec> {
  const line = (text: string): Rec => ({ value: undefined, source: `${text}\n` });
  if (options.quiet) return;
  if (options['files-with-matches']) {
    if (count > 0) yield line(name);
  } else if (options.count) yield line(name === '-' ? String(count) : `${name}:${count}`);
}

const isColourful = ({ stdoutIsTerminal, env }: Context): boolean =>
  stdoutIsTerminal && !env.NO_COLOR && env.TERM !== 'dumb';

function settingsOf(options: Given) {
  const roles = new Set(words(options.role, ROLES, 'role'));
  const kinds = new Set(words(options.kind, KINDS, 'kind'));
  const tools = new Set(options.tool.flatMap((each) => each.split(',')));
  const around = options.context;
  return {
    wants: ({ role, kind, tool }: Passage) =>
      (roles.size === 0 || roles.has(role)) &&
      (kinds.size === 0 || kinds.has(kind)) &&
      (tools.size === 0 || (tool !== undefined && tools.has(tool))),
    invert: options['invert-match'],
    before: options['before-context'] ?? around,
    after: options['after-context'] ?? around,
    most: options['max-count'] ?? Number.POSITIVE_INFINITY,
  };
}

const ROLES = ['system', 'developer', 'user', 'assistant', 'tool', 'other'];
const KINDS = ['text', 'reasoning', 'call', 'result'];

function words(given: readonly string[], known: readonly string[], option: string): string[] {
  const all = given.flatMap((each) => each.split(','));
  const strange = all.find((word) => !known.includes(word));
  if (strange === undefined) return all;
  throw new Failure(EXIT.usage, `option --${option} cannot be "${strange}": use ${known.join(', ')}`);
}
