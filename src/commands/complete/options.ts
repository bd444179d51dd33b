// The options of ai-complete, and what they mean.
import type { Options, Values } from '../../lib/cli/filter.ts';
import { EXIT, Failure } from '../../lib/failure/failure.ts';
import { readRate } from '../../lib/state/limits.ts';
import type { Budgets, Rates } from '../../lib/state/state.ts';

export const OPTIONS = {
  model: {
    type: 'string',
    short: 'm',
    arg: 'MODEL',
    summary: 'PROVIDER/MODEL, an alias, an address; or one of those that are built in',
  },
  fallback: { type: 'list', arg: 'MODEL', summary: 'asked where the model cannot answer; may be repeated' },
  credentials: {
    type: 'string',
    arg: 'WHICH',
    choices: ['logins'],
    summary: 'also use the log-ins of Claude Code, Codex and the Gemini CLI',
  },
  'base-url': { type: 'string', arg: 'URL', summary: "another server that speaks the provider's API" },
  stream: { type: 'boolean', summary: 'write delta records as they come; the whole message still comes last' },
  text: { type: 'boolean', short: 't', summary: 'write only the text of the answer, as it comes' },
  quiet: { type: 'boolean', short: 'q', summary: 'no preview, no progress, no notes on standard error' },

  system: { type: 'string', arg: 'TEXT', summary: 'the system prompt; @FILE takes it from a file' },
  'max-tokens': { type: 'integer', arg: 'N', min: 1, summary: 'the longest answer' },
  temperature: { type: 'number', arg: 'T', min: 0, summary: 'how far chance may go' },
  'top-p': { type: 'number', arg: 'P', min: 0, max: 1, summary: 'sample from the likeliest tokens of this sum' },
  seed: { type: 'integer', arg: 'N', summary: 'for answers that can be repeated, where the model can' },
  stop: { type: 'list', arg: 'TEXT', summary: 'end the answer before this text; may be repeated' },
  effort: { type: 'string', arg: 'WORD', summary: 'how much to think: off, minimal, low, medium, high …' },
  thinking: { type: 'integer', arg: 'TOKENS', min: 0, summary: 'how much to think, in tokens; 0 for not at all' },
  'tool-choice': { type: 'string', arg: 'WHICH', summary: 'auto, none, required, or the name of a tool' },
  schema: {
    type: 'string',
    arg: 'FILE',
    summary: 'the answer is JSON as this JSON Schema says; checked, and mended once',
  },
  attach: {
    type: 'list',
    arg: 'FILE',
    summary: 'put an image, a PDF, a sound or a text beside the question; may be repeated',
  },
  'cache-prompt': { type: 'boolean', summary: "have the provider cache the conversation's stable beginning" },
  'condense-on-overflow': {
    type: 'boolean',
    summary: 'shorten with ai-condense what is too long for the model, and ask again',
  },

  retries: { type: 'integer', arg: 'N', default: 2, min: 0, summary: 'how often to try again' },
  'max-wait': { type: 'number', arg: 'SECONDS', default: 60, min: 0, summary: 'the longest pause before trying again' },
  timeout: {
    type: 'number',
    arg: 'SECONDS',
    default: 600,
    min: 0.001,
    summary: 'how long one answer may take, pauses and all',
  },
  'idle-timeout': {
    type: 'number',
    arg: 'SECONDS',
    min: 0.001,
    summary: 'how long a server may be silent (default: 120, and 300 before it begins)',
  },
  limit: {
    type: 'list',
    arg: '[WHAT=]RATE',
    summary: 'requests=200/s (or 200/s) and tokens=80000/min, kept by all processes together',
  },
  budget: { type: 'list', arg: 'OF=USD', summary: 'call=0.10, day=5 or project=100: what may be spent' },

  cache: {
    type: 'optional',
    arg: 'TTL',
    summary: 'keep replies, and answer the same request from them (for 90s, 30m, 12h, 7d …)',
  },
  record: { type: 'string', arg: 'FILE', summary: 'add the exchange to a file for -m replay:FILE' },
  'dry-run': { type: 'boolean', summary: 'print the request, with secrets masked, and send nothing' },
  trace: { type: 'string', arg: 'FILE', summary: 'add a line for every HTTP exchange to a file' },

  'allow-empty': { type: 'boolean', summary: 'an input without a conversation is no error: for shards of a dataset' },
  jobs: {
    type: 'integer',
    short: 'j',
    arg: 'N',
    default: 8,
    min: 1,
    max: 1000,
    summary: 'lines of a dataset that are answered at once',
  },
  unordered: { type: 'boolean', summary: 'write lines as their answers come' },
  resume: { type: 'string', arg: 'OUT', summary: 'skip the lines that this output of an earlier run has answered' },
  batch: {
    type: 'string',
    arg: 'STEP',
    choices: ['submit', 'status', 'fetch'],
    summary: "use the provider's batch API: half the price, within a day",
  },
  costs: { type: 'optional', arg: 'BY', summary: 'print what was spent, by day,model,project or some of these' },
} as const satisfies Options;

export type CompleteOptions = Values<typeof OPTIONS> & { readonly new?: boolean };

/** What --limit says. Throws a Failure (64). */
export function ratesOf(limits: readonly string[]): Rates {
  const all = limits.map((text) => {
    const [name = '', value = ''] = text.includes('=') ? text.split(/=(.*)/s) : ['requests', text];
    const rate = readRate(value);
    if ((name !== 'requests' && name !== 'tokens') || rate === undefined)
      throw new Failure(
        EXIT.usage,
        `option --limit cannot be "${text}": use requests=200/s, tokens=80000/min or the like`,
      );
    return [name, rate] as const;
  });
  return Object.fromEntries(all);
}

export type AllBudgets = Budgets & { readonly call?: number };

/** What --budget says. Throws a Failure (64). */
export function budgetsOf(budgets: readonly string[]): AllBudgets {
  const all = budgets.map((text) => {
    const [name = '', value = ''] = text.split(/=(.*)/s);
    if (!['call', 'day', 'project'].includes(name) || !/^\d+(\.\d+)?$/.test(value))
      throw new Failure(EXIT.usage, `option --budget cannot be "${text}": use call=0.10, day=5 or project=100`);
    return [name, Number(value)] as const;
  });
  return Object.fromEntries(all);
}
