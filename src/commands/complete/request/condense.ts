// --condense-on-overflow: shortens a conversation by running ai-condense on it.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Context } from '../../../lib/cli/filter.ts';
import { type Conversation, conversations, emit } from '../../../lib/conversion/gather.ts';
import { EXIT, Failure } from '../../../lib/failure/failure.ts';
import { record } from '../../../lib/json/record.ts';
import type { Json } from '../../../lib/json/values.ts';

/** The share of the context window for the conversation; the rest is for the answer. */
const SHARE = 0.75;
/** Tokens, where the context window is unknown. */
const DEFAULT_WINDOW = 16_000;

/**
 * The conversation in at most three quarters of `limit` tokens. Throws a Failure (65) if ai-condense cannot make it shorter.
 */
export async function condenseConversation(
  conversation: Conversation,
  limit: number | undefined,
  context: Context,
): Promise<Conversation> {
  const budget = Math.floor((limit ?? DEFAULT_WINDOW) * SHARE);
  const input = `${[...emit(conversation)].map(({ value }) => JSON.stringify(value)).join('\n')}\n`;
  const output = await runProgram('ai-condense', ['--budget', String(budget)], input, context);
  const records = output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => record(JSON.parse(line) as Json));
  const [shorter] = conversations(records);
  if (shorter && output.length < input.length)
    return { ...shorter, format: conversation.format, decided: conversation.decided };
  throw new Failure(
    EXIT.badInput,
    'cannot complete: the conversation is too long for the model, and ai-condense cannot shorten it',
  );
}

/** Runs a program of the suite on an input, as a pipe would, and returns its output. Throws a Failure with the program's status and message. */
async function runProgram(name: string, argv: readonly string[], input: string, context: Context): Promise<string> {
  const { spawn } = process.getBuiltinModule('node:child_process');
  const started = spawn(process.execPath, [entry(), name, ...argv], {
    cwd: context.cwd,
    env: context.env as NodeJS.ProcessEnv,
    stdio: 'pipe',
    signal: context.signal,
  });
  const [out, err]: [Uint8Array[], Uint8Array[]] = [[], []];
  started.stdout.on('data', (chunk) => out.push(chunk));
  started.stderr.on('data', (chunk) => err.push(chunk));
  started.stdin.on('error', () => {});
  started.stdin.end(input);
  const status = await new Promise<number | null>((done, fail) => {
    started.on('error', fail);
    started.on('close', done);
  });
  if (status === 0) return Buffer.concat(out).toString('utf8');
  const message = Buffer.concat(err).toString('utf8').trim().split('\n').at(-1) ?? '';
  throw new Failure(status ?? EXIT.interrupted, message || `${name} ended with status ${status}`);
}

/** The built programs' entry, or the sources' one. */
function entry(): string {
  const built = fileURLToPath(new URL('./start.cjs', import.meta.url));
  return existsSync(built) ? built : fileURLToPath(new URL('../../../start.ts', import.meta.url));
}
