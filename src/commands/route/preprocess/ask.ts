// A small model as the preprocessor: asked by a nested ai-complete, so that it has every provider, key and limit that programs have.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Context } from '../../../lib/cli/filter.ts';
import { isObject, type Json, type JsonObject } from '../../../lib/ir/json.ts';
import type { Message, Tool } from '../../../lib/ir/types.ts';
import { textOf } from '../view.ts';
import type { Judged, Verdict } from './types.ts';

/** Seconds that the small model may take; it is to save time. */
const PATIENCE = 30;

/** Characters of a description, and of what was said before, that the small model gets. */
const BRIEF = 200;
const HISTORY = 2000;

const INSTRUCTIONS = `Decide how the last request is answered. Either one call of one tool does it completely, with arguments that the
conversation states; or a larger model answers it in words. Reply with one JSON object and nothing else:
{"decision":"call","tool":"NAME","input":{...}} or {"decision":"answer"}.
In doubt, reply {"decision":"answer"}.`;

/** Asks the model. Whatever goes wrong is a reason to keep the request as it is. */
export function ask(model: string, tools: readonly Tool[], messages: readonly Message[], context: Context): Judged {
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const argv = [program(), 'ai-complete', '-n', '-m', model, '--retries', '0', '--timeout', String(PATIENCE)];
  const { status, stdout, error } = spawnSync(process.execPath, argv, {
    cwd: context.cwd,
    encoding: 'utf8',
    env: context.env as NodeJS.ProcessEnv,
    input: `${JSON.stringify({ messages: question(tools, messages) })}\n`,
    maxBuffer: 1 << 24,
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: (PATIENCE + 5) * 1000,
  });
  if (error || status !== 0)
    return kept(`${model} could not be asked${status === null ? '' : ` (ai-complete: exit ${status})`}`);
  const answer = lastMessage(stdout);
  if (answer === undefined) return kept(`${model} gave no answer`);
  const usage = isObject(answer._meta) && isObject(answer._meta.usage) ? answer._meta.usage : {};
  const [tokensIn, tokensOut] = [usage.input_tokens, usage.output_tokens].map((n) => (typeof n === 'number' ? n : 0));
  return { verdict: read(answer.content, model), tokensIn: tokensIn ?? 0, tokensOut: tokensOut ?? 0 };
}

const kept = (why: string): Judged => ({ verdict: { type: 'keep', why }, tokensIn: 0, tokensOut: 0 });

/** The built programs' entry, or the sources' one. */
function program(): string {
  const built = fileURLToPath(new URL('./start.cjs', import.meta.url));
  return existsSync(built) ? built : fileURLToPath(new URL('../../../start.ts', import.meta.url));
}

function question(tools: readonly Tool[], messages: readonly Message[]): Json[] {
  const listed = tools.map(({ name, description = '', schema }) =>
    JSON.stringify({ name, description: description.slice(0, BRIEF), input: schema }),
  );
  const said = messages
    .filter(({ role }) => role === 'user' || role === 'assistant')
    .map((message) => `${message.role}: ${textOf(message)}`);
  const last = said.at(-1) ?? '';
  const before = said.slice(0, -1).join('\n').slice(-HISTORY);
  return [
    { role: 'system', content: `${INSTRUCTIONS}\n\nTools:\n${listed.join('\n')}` },
    { role: 'user', content: `${before === '' ? '' : `Said before:\n${before}\n\n`}The last request:\n${last}` },
  ];
}

/** The last record of what ai-complete wrote: the answer, or the conversation that ends with it. */
function lastMessage(output: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(output.trim().split('\n').at(-1) ?? '');
    if (!isObject(value)) return undefined;
    const last: unknown = Array.isArray(value.messages) ? value.messages.at(-1) : value;
    return isObject(last) && last.role === 'assistant' ? last : undefined;
  } catch {
    return undefined;
  }
}

function read(content: Json | undefined, model: string): Verdict {
  const text = typeof content === 'string' ? content : '';
  const value = objectIn(text);
  if (value?.decision === 'answer') return { type: 'answer', why: `${model} sees no need of a tool` };
  if (value?.decision === 'call' && typeof value.tool === 'string' && isObject(value.input))
    return { type: 'call', name: value.tool, input: value.input, why: `${model} sees one call` };
  return { type: 'keep', why: `${model} gave no decision` };
}

/** The JSON object of an answer that may stand in a fence or between words. */
function objectIn(text: string): JsonObject | undefined {
  const open = text.indexOf('{');
  const close = text.lastIndexOf('}');
  if (open < 0 || close < open) return undefined;
  try {
    const value: unknown = JSON.parse(text.slice(open, close + 1));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
