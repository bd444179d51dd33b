// One call: whether it may run, running it, and what it gave.

import { type CallRecord, digestOf, plainId } from '../../lib/conversation/loop-records.ts';
import { writeSpent } from '../../lib/conversation/subagent-costs.ts';
import type { Content, Result } from '../../lib/dialects/codec/tool-results.ts';
import { isObject, type Json, type JsonObject } from '../../lib/json/values.ts';
import { allowedEnvironment } from '../../lib/processes/environment.ts';
import { type Ended, runProcess } from '../../lib/processes/process.ts';
import { quoted, withoutControls } from '../../lib/text/control-characters.ts';
import type { Narrowing } from './narrowing.ts';
import { Capture, type Captured, cut, Keep } from './output.ts';
import type { Tool, Toolbox } from './toolbox.ts';

interface RunOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Seconds that a tool may take, if its file does not say, and at most. */
  readonly timeout: number | undefined;
  /** Bytes of one output that the model gets. */
  readonly most: number;
  /** Where longer ones are kept. */
  readonly spool: string | undefined;
  readonly signal: AbortSignal;
  /** What an agent may not do with the tools that it has. */
  readonly narrowing?: Pick<Narrowing, 'objection' | 'env'>;
}

/** What is to be done for a call. */
export interface Plan {
  /** It changes nothing, and may run beside others. */
  readonly parallel: boolean;
  /** It must be written down before it starts. */
  readonly ahead: boolean;
  run(): Promise<Result>;
}

const DEFAULT_TIMEOUT = 120;

/** A structured output is read whole, up to here. */
const MOST_STRUCTURED = 32 * 1024 * 1024;

const STDERR = 16 * 1024;

export class Runner {
  readonly #tools: Toolbox;
  readonly #options: RunOptions;

  constructor(tools: Toolbox, options: RunOptions) {
    this.#tools = tools;
    this.#options = options;
  }

  plan(call: CallRecord): Plan {
    const { result } = call;
    if (result !== undefined) return refusal(async () => earlier(call, result));
    const objection = this.#objection(call);
    if (objection !== undefined) return refusal(() => this.#withAgents(call, refused(call, objection)));
    const tool = this.#tools.find(call.name);
    if (typeof tool !== 'object') return refusal(async () => failed(call, this.#missing(call.name, tool)));
    const { readOnly, idempotent, parallel } = tool;
    return {
      parallel,
      ahead: !readOnly && !idempotent,
      run: async () => this.#withAgents(call, await this.#run(call, tool)),
    };
  }

  /** Why a call may not run. */
  #objection(call: CallRecord): string | undefined {
    if (call.decision === 'deny') return call.reason ?? 'it was denied';
    if (call.decision !== 'allow') return 'nobody has allowed it';
    if (call.digest !== digestOf(call)) return 'the call was changed after it was allowed';
    if (call.started && !call.rerun) return 'it had started before, and it is not allowed to run again';
    return this.#options.narrowing?.objection(call);
  }

  #missing(name: string, why: string | undefined): string {
    if (why !== undefined) return `The tool ${name} cannot be used: ${why}.`;
    const names = this.#tools.names;
    const some = names.length > 0 ? ` There are: ${names.slice(0, 60).join(', ')}.` : '';
    return `There is no tool named ${quoted(name)}.${some}`;
  }

  async #run(call: CallRecord, tool: Tool): Promise<Result> {
    if (this.#options.signal.aborted) return notStarted(call);
    if (call.text !== undefined && !call.custom) return failed(call, 'The arguments are not JSON. Send them again.');
    const { env, cwd, spool, signal, timeout } = this.#options;
    const id = plainId(call.id);
    const structured = tool.output === 'mcp';
    const out = new Capture(structured ? MOST_STRUCTURED : this.#options.most, new Keep(spool, id));
    const err = new Capture(STDERR, new Keep(undefined, id));
    const seconds = Math.min(tool.timeout ?? timeout ?? DEFAULT_TIMEOUT, timeout ?? Number.POSITIVE_INFINITY);
    const ended = await runProcess({
      command: tool.executable,
      cwd,
      env: allowedEnvironment(env, tool.env, this.#given(call, tool)),
      stdin: `${JSON.stringify(call.text === undefined ? (call.input ?? {}) : { input: call.text })}\n`,
      timeoutMs: seconds * 1000,
      signal,
      terminal: tool.terminal,
      onStdout: (chunk) => out.push(chunk),
      onStderr: (chunk) => err.push(chunk),
    });
    return this.#result(call, tool, ended, { out: out.end(), err: err.end(), seconds });
  }

  /** With what the sub-agents of the call spent, also those of an earlier run that was killed. */
  async #withAgents(call: CallRecord, result: Result): Promise<Result> {
    const { env, cwd } = this.#options;
    const id = plainId(call.id);
    if (!env.AI_CONV) return result;
    const { begunBy, spentIn } = await import('../../lib/agents/spent.ts');
    const signal = new AbortController().signal;
    const begun = begunBy(id, { env, cwd });
    if (begun.length === 0) return result;
    const agents = await Promise.all(begun.map((file) => spentIn(file, { env, cwd, signal })));
    return { ...result, facts: { ...result.facts, agents: agents.map(writeSpent) } };
  }

  /** What a tool learns of its call besides the arguments. */
  #given({ id, hide }: CallRecord, tool: Tool): Record<string, string> {
    const { spool } = this.#options;
    return {
      AI_CALL_ID: plainId(id),
      AI_TOOL: tool.name,
      ...this.#options.narrowing?.env,
      ...(spool && { AI_SPOOL: spool }),
      ...(hide && hide.length > 0 && { AI_HIDE: JSON.stringify(hide) }),
    };
  }

  #result(call: CallRecord, tool: Tool, ended: Ended, said: { out: Captured; err: Captured; seconds: number }): Result {
    const { err, seconds } = said;
    const { most, spool } = this.#options;
    const structured = tool.output === 'mcp' ? readStructured(said.out.text) : undefined;
    const out =
      tool.output === 'mcp' && !structured ? cut(said.out.text, most, new Keep(spool, plainId(call.id))) : said.out;
    const trouble = troubleOf(ended, seconds);
    const error = trouble !== undefined || structured?.isError === true;
    const facts = {
      ...(ended.status !== undefined && { status: ended.status }),
      ...(ended.signal !== undefined && { signal: ended.signal }),
      ms: ended.ms,
      ...(out.kept && { kept: out.kept, bytes: out.bytes }),
      ...(tool.tainting && { tainted: true as const }),
    };
    const content =
      structured && trouble === undefined ? this.#blocks(call, structured) : textOf(out.text, err.text, ended, trouble);
    return result(call, content, error, facts);
  }

  #blocks({ id }: CallRecord, { content }: { content: readonly JsonObject[] }): Content {
    const { most, spool } = this.#options;
    const blocks = content.map((block) => {
      if (typeof block.text !== 'string') return block;
      return { ...block, text: cut(withoutControls(block.text), most, new Keep(spool, plainId(id))).text };
    });
    const [only] = blocks;
    return blocks.length === 1 && only?.type === 'text' && typeof only.text === 'string' ? only.text : blocks;
  }
}

const refusal = (run: () => Promise<Result>): Plan => ({ parallel: true, ahead: false, run });

function result(call: CallRecord, content: Content, error: boolean, facts: JsonObject): Result {
  const { id, name, custom } = call;
  return { id, name, ...(custom && { custom }), content, error, facts: { id, name, ...facts } };
}

const refused = (call: CallRecord, why: string): Result =>
  result(call, `Not run: ${withoutControls(why)}.`, true, { decision: 'deny' });

const failed = (call: CallRecord, text: string): Result => result(call, text, true, {});

/** A call that was still waiting when the program was stopped. */
export const notStarted = (call: CallRecord): Result => failed(call, 'Not run: the run was stopped before it started.');

/** What a run that was stopped had written down already. */
function earlier(call: CallRecord, { content, is_error, run }: JsonObject): Result {
  const said = typeof content === 'string' ? content : Array.isArray(content) ? content.filter(isObject) : '';
  return result(call, said, is_error === true, isObject(run) ? run : {});
}

/** Why a run failed that did; undefined for one that went well. */
function troubleOf({ status, signal, by, failure }: Ended, seconds: number): string | undefined {
  if (failure !== undefined) return `The tool could not be started: ${failure}.`;
  if (by === 'timeout') return `Timeout: killed after ${seconds} s, with all processes that it had started.`;
  if (by === 'interrupt') return 'Stopped while it was running; it is unknown what it did until then.';
  if (signal !== undefined) return `Ended by ${signal}.`;
  return status === 0 ? undefined : `(exit status ${status})`;
}

/** Output, then what was said on standard error, then how it ended: the last two only if it failed. */
function textOf(out: string, err: string, { status }: Ended, trouble: string | undefined): string {
  if (trouble === undefined) return out === '' ? '(no output)' : out;
  const told = status === 1 && err.trim() !== '' ? [] : [trouble];
  return [out, err, ...told]
    .map((text) => text.replace(/\n+$/, ''))
    .filter((text) => text !== '')
    .join('\n');
}

/** A CallToolResult; undefined if the output is none. */
function readStructured(text: string): { content: readonly JsonObject[]; isError: boolean } | undefined {
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const { content, structuredContent, isError } = value;
  const blocks = Array.isArray(content) ? content.filter(isObject) : [];
  if (blocks.length === 0 && structuredContent === undefined) return undefined;
  const shown = blocks.length > 0 ? blocks : [{ type: 'text', text: JSON.stringify(structuredContent) }];
  return { content: shown, isError: isError === true };
}
