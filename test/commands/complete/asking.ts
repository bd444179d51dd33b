// What the tests of ai-complete share: a conversation, a place of its own, records out of a text.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Result, run } from '../../run.ts';

export const ASK = '{"role":"user","content":"hello"}\n';

// biome-ignore lint/suspicious/noExplicitAny: records of any shape
export const records = (text: string): any[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

export const fresh = (): string => mkdtempSync(join(tmpdir(), 'complete-'));

export interface Asking {
  readonly model?: string;
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** `ai-complete -n` with a model of OpenAI's at the server of this address. */
export const complete = (
  url: string,
  argv: readonly string[],
  { model = 'openai/gpt-4o', stdin = ASK, env }: Asking = {},
): Promise<Result> => run('ai-complete', ['-n', '-m', model, '--base-url', url, ...argv], { stdin, env: env ?? {} });

export const reply = (content: string, usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }) => ({
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-4o',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  usage,
});
