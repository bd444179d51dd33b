// A small model as the preprocessor: asked by a nested ai-complete, so that it has every provider, key and limit that programs have.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Context } from '../../../lib/cli/filter.ts';
import type { Message, Tool } from '../../../lib/conversation/types.ts';
import { conversations, messageOf } from '../../../lib/conversion/gather.ts';
import { record } from '../../../lib/json/record.ts';
import { isObject, type JsonObject } from '../../../lib/json/values.ts';
import { counterFor } from '../../../lib/tokens/count.ts';
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
  const asked = question(tools, messages);
  const argv = [program(), 'ai-complete', '-n', '-m', model, '--retries', '0', '--timeout', String(PATIENCE)];
  const { status, stdout, stderr, error } = spawnSync(process.execPath, argv, {
    cwd: context.cwd,
    encoding: 'utf8',
    env: context.env as NodeJS.ProcessEnv,
    input: `${JSON.stringify({ messages: asked })}\n`,
    maxBuffer: 1 << 24,
    timeout: (PATIENCE + 5) * 1000,
  });
  if (error || status !== 0) return kept(`${model} did not answer: ${lastLine(stderr) || `exit ${status}`}`);
  const answer = lastMessage(stdout);
  if (answer === undefined) return kept(`${model} gave no answer`);
  const counter = counterFor(model);
  const {
    input = Math.ceil(asked.reduce((sum, { content }) => sum + counter.text(content), 0)),
    output = Math.ceil(answer.parts.reduce((sum, part) => sum + counter.part(part), 0)),
  } = answer.usage ?? {};
  return { verdict: read(textOf(answer), model), tokensIn: input, tokensOut: output };
}

const kept = (why: string): Judged => ({ verdict: { type: 'keep', why }, tokensIn: 0, tokensOut: 0 });

/** Characters of what ai-complete says that are told again. */
const SAID = 200;

const lastLine = (said: string | undefined): string =>
  (said ?? '')
    .trim()
    .split('\n')
    .at(-1)
    ?.replace(/^ai-complete: /, '')
    .slice(0, SAID) ?? '';

/** The built programs' entry, or the sources' one. */
function program(): string {
  const built = fileURLToPath(new URL('./start.cjs', import.meta.url));
  return existsSync(built) ? built : fileURLToPath(new URL('../../../start.ts', import.meta.url));
}

function question(tools: readonly Tool[], messages: readonly Message[]): { role: string; content: string }[] {
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

/** The answer at the end of what ai-complete wrote, in whatever dialect. */
function lastMessage(output: string): Message | undefined {
  try {
    const values = output.split('\n').flatMap((line) => (line === '' ? [] : [record(JSON.parse(line))]));
    const last = [...conversations(values)].at(-1)?.items.at(-1);
    const message = last && messageOf(last);
    return message?.role === 'assistant' ? message : undefined;
  } catch {
    return undefined;
  }
}

function read(text: string, model: string): Verdict {
  const value = objectIn(text);
  if (value?.decision === 'answer') return { type: 'answer', why: `${model} says that no tool is needed` };
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
