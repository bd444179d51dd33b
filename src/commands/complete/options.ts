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
    summary: 'PROVIDER/MODEL, an alias, a URL, or a built-in model',
  },
  fallback: { type: 'list', arg: 'MODEL', summary: 'a fallback: used if the model cannot answer' },
  credentials: {
    type: 'string',
    arg: 'WHICH',
    choices: ['logins'],
    summary: 'also use the logins of Claude Code, Codex and the Gemini CLI',
  },
  'base-url': {
    type: 'string',
    arg: 'URL',
    summary: "send requests to this server, which must implement the provider's API",
  },
  stream: { type: 'boolean', summary: 'write streaming deltas as they arrive; the complete message still comes last' },
  text: { type: 'boolean', short: 't', summary: 'write only the text of the answer, as it arrives' },
  quiet: { type: 'boolean', short: 'q', summary: 'write no preview, progress or notes to standard error' },

  system: { type: 'string', arg: 'TEXT', summary: 'the system prompt; @FILE reads it from a file' },
  'max-tokens': { type: 'integer', arg: 'N', min: 1, summary: 'the maximum length of the answer, in tokens' },
  temperature: { type: 'number', arg: 'T', min: 0, summary: 'sampling temperature' },
  'top-p': {
    type: 'number',
    arg: 'P',
    min: 0,
    max: 1,
    summary: 'nucleus sampling: use the likeliest tokens whose probabilities sum to P',
  },
  seed: { type: 'integer', arg: 'N', summary: 'sampling seed, for reproducible answers if the model supports it' },
  stop: { type: 'list', arg: 'TEXT', summary: 'stop sequence: end the answer before this text' },
  effort: { type: 'string', arg: 'WORD', summary: 'reasoning effort: off, minimal, low, medium, high …' },
  thinking: { type: 'integer', arg: 'TOKENS', min: 0, summary: 'reasoning budget in tokens; 0 disables reasoning' },
  'tool-choice': { type: 'string', arg: 'WHICH', summary: 'auto, none, required, or the name of a tool' },
  schema: {
    type: 'string',
    arg: 'FILE',
    summary:
      'the answer must be JSON that matches this JSON Schema; if it does not, the model is asked once to repair it',
  },
  attach: {
    type: 'list',
    arg: 'FILE',
    summary: 'attach an image, PDF, audio or text file to the question',
  },
  'cache-prompt': {
    type: 'boolean',
    summary: 'set prompt cache breakpoints, so that the provider caches the beginning of the conversation',
  },
  'condense-on-overflow': {
    type: 'boolean',
    summary: 'if the conversation exceeds the context window, shorten the request with ai-condense and retry',
  },

  retries: { type: 'integer', arg: 'N', default: 2, min: 0, summary: 'maximum number of retries' },
  'max-wait': { type: 'number', arg: 'SECONDS', default: 60, min: 0, summary: 'maximum delay before a retry' },
  timeout: {
    type: 'number',
    arg: 'SECONDS',
    default: 600,
    min: 0.001,
    summary: 'maximum time for one answer, including retries and delays',
  },
  'idle-timeout': {
    type: 'number',
    arg: 'SECONDS',
    min: 0.001,
    summary: 'maximum time without data from the server (default: 120, and 300 before the first data)',
  },
  limit: {
    type: 'list',
    arg: '[WHAT=]RATE',
    summary: 'rate limit shared by all processes: requests=200/s (or 200/s), tokens=80000/min',
  },
  budget: { type: 'list', arg: 'OF=USD', summary: 'spending limit: call=0.10, day=5 or project=100' },

  cache: {
    type: 'optional',
    arg: 'TTL',
    summary: 'cache responses, and answer an identical request from the cache (for 90s, 30m, 12h, 7d …)',
  },
  record: { type: 'string', arg: 'FILE', summary: 'append the exchange to a file for -m replay:FILE' },
  'dry-run': { type: 'boolean', summary: 'print the request with secrets masked, and send nothing' },
  trace: { type: 'string', arg: 'FILE', summary: 'append a line for each HTTP exchange to a file' },

  'allow-empty': { type: 'boolean', summary: 'accept empty input, for shards of a dataset' },
  jobs: {
    type: 'integer',
    short: 'j',
    arg: 'N',
    default: 8,
    min: 1,
    max: 1000,
    summary: 'number of dataset lines to process at the same time',
  },
  unordered: { type: 'boolean', summary: 'write lines in the order in which their answers arrive' },
  resume: {
    type: 'string',
    arg: 'OUT',
    summary: 'resume: skip the lines that OUT, the output of an earlier run, has answers for',
  },
  batch: {
    type: 'string',
    arg: 'STEP',
    choices: ['submit', 'status', 'fetch'],
    summary: "use the provider's batch API: half the price, results within a day",
  },
  costs: { type: 'optional', arg: 'BY', summary: 'print what was spent, grouped by any of day,model,project' },
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
