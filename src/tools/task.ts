// Task, new_task: a sub-agent, which is ai-agent on a conversation of its own.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Tool, type ToolContext, ToolError } from '../lib/cli/tool.ts';
import type { JsonObject } from '../lib/json/values.ts';
import { runProcess } from '../lib/processes/process.ts';
import { optionalText, text } from './fields.ts';
import { writePrivate } from './private.ts';
import { sideDirectory } from './side.ts';
import { watchParent } from './watch-parent.ts';

/** How deep agents may start agents, unless AI_MAX_DEPTH says otherwise. */
const DEPTH = 2;

/** Longer texts do not fit an argument of a program: they go through a file. */
const LONGEST = 100_000;

/** What a sub-agent gets in the place of its parent's, where it is set: fewer tools, other rules, a smaller budget. */
const NARROWER = {
  AI_TASK_TOOLS: 'AI_TOOLS',
  AI_TASK_RULES: 'AI_RULES',
  AI_TASK_MAX: 'AI_MAX',
  AI_TASK_MODEL: 'AI_MODEL',
};

const task: Tool = async (input, context) => {
  const prompt = text(input, 'prompt', 'message');
  const { env } = context;
  const depth = whole(env.AI_DEPTH, 0);
  const most = whole(env.AI_MAX_DEPTH, DEPTH);
  if (depth >= most)
    throw new ToolError(
      `no further sub-agent is started: this one is ${depth} deep, and AI_MAX_DEPTH is ${most}. Do it yourself`,
    );
  const limits = await leftOf(context);
  const conversation = newFile(join(sideDirectory(context), env.AI_CALL_ID ?? `task-${process.pid}`));
  watchParent(context);
  return agent(
    [...who(input), '--', conversation, ...said(prompt, conversation, context)],
    { ...narrowed(env, limits), AI_DEPTH: String(depth + 1) },
    context,
  );
};

export default task;

/** Ids of calls may come again, in another turn: then the conversation gets a number. */
function newFile(path: string): string {
  for (let n = 1; ; n++) {
    const file = `${path}${n === 1 ? '' : `.${n}`}.jsonl`;
    if (!existsSync(file)) return file;
  }
}

function whole(value: string | undefined, otherwise: number): number {
  const number = Number(value);
  return value !== undefined && value !== '' && Number.isInteger(number) && number >= 0 ? number : otherwise;
}

/** The agent or the mode that is wanted. Names of agents are plain words: anything else could be an option or a path. */
function who(input: JsonObject): string[] {
  const agentName = optionalText(input, 'subagent_type');
  const mode = optionalText(input, 'mode');
  const name = agentName ?? mode;
  if (name === undefined || name === '' || name === 'general-purpose') return [];
  if (!/^[\w][\w.:-]{0,63}$/.test(name)) throw new ToolError('the name of an agent is letters, digits and dashes');
  return [agentName === undefined ? '--mode' : '--agent', name];
}

/** The prompt as an argument. A long one is put into a file that the sub-agent is told to read. */
function said(prompt: string, conversation: string, { random }: ToolContext): string[] {
  if (Buffer.byteLength(prompt) <= LONGEST) return [prompt];
  const file = conversation.replace(/\.jsonl$/, '.prompt.md');
  writePrivate(file, prompt, random());
  return [`Your task is in the file ${file}. Read all of it first.`];
}

function narrowed(env: ToolContext['env'], limits: string | undefined): Record<string, string> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[0] !== 'AI_CALL_ID',
  );
  const given = Object.entries(NARROWER).flatMap(([from, to]) => (env[from] ? [[to, env[from]] as const] : []));
  const { AI_CONV: _parent, AI_SPOOL: _spool, ...rest } = Object.fromEntries(kept);
  return { ...rest, ...(limits && { AI_MAX: half(limits) }), ...Object.fromEntries(given) };
}

const USD = /\busd=(\d+(?:\.\d+)?)/;

/** The limits of this agent, of which its dollars are those that it and its sub-agents have left. Throws a ToolError where there are none. */
async function leftOf({ env, cwd, signal }: ToolContext): Promise<string | undefined> {
  const { AI_MAX: limits, AI_CONV: conversation } = env;
  const [, most] = USD.exec(limits ?? '') ?? [];
  if (limits === undefined || most === undefined || !conversation) return limits;
  const { spentIn } = await import('../lib/agents/spent.ts');
  const { usd } = await spentIn(resolve(cwd, conversation), { env, cwd, signal });
  const left = Number((Number(most) - usd).toPrecision(12));
  if (left <= 0)
    throw new ToolError(`no sub-agent is started: $${usd} of $${most} are spent. Do what is left yourself, or answer`);
  return limits.replace(USD, `usd=${left}`);
}

/** Half of each limit, `turns=50,usd=2`; a share of the model's window stays what it is. Turns are whole. */
function half(limits: string): string {
  const each = limits.split(',').map((limit) => {
    const [, name, number, unit] = /^(\w+=)(\d+(?:\.\d+)?)([kM]?)$/.exec(limit.trim()) ?? [];
    if (name === undefined) return limit;
    const amount = Number(number) / 2;
    return `${name}${name === 'usd=' || unit !== '' ? amount : Math.ceil(amount)}${unit}`;
  });
  return each.join(',');
}

/** Runs ai-agent; what it prints is the answer. */
async function agent(
  args: readonly string[],
  env: Record<string, string>,
  { cwd, signal, print }: ToolContext,
): Promise<{ status: number }> {
  const errors: string[] = [];
  let any = false;
  const ended = await runProcess({
    command: 'ai-agent',
    args,
    cwd,
    env,
    stdin: '',
    timeoutMs: 24 * 3600 * 1000,
    signal,
    // In our own group: what ends us ends it.
    terminal: true,
    onStdout: (chunk) => {
      any = true;
      print(Buffer.from(chunk).toString('utf8'));
    },
    onStderr: (chunk) => errors.push(Buffer.from(chunk).toString('utf8')),
  });
  if (ended.failure !== undefined)
    throw new ToolError(`the sub-agent cannot be started: ai-agent: ${ended.failure} (it must be on the PATH)`);
  if (ended.status !== 0)
    throw new ToolError(
      `the sub-agent failed (${ended.signal ?? `exit status ${ended.status}`})\n${errors.join('').slice(-4000)}`,
    );
  if (!any) throw new ToolError('the sub-agent ended without an answer');
  return { status: 0 };
}
