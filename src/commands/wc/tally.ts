// Counting one conversation.

import { readMeta } from '../../lib/conversation/meta.ts';
import { readSpent, type Spent } from '../../lib/conversation/subagent-costs.ts';
import type { FormatName, Head, Message, Role, Usage } from '../../lib/conversation/types.ts';
import { type Conversation, headOf, type Item, messageOf } from '../../lib/conversion/gather.ts';
import { Calls } from '../../lib/dialects/codec/call-ids.ts';
import type { Identity } from '../../lib/dialects/detect.ts';
import { readMessageAt } from '../../lib/dialects/read-record.ts';
import type { Rec } from '../../lib/json/record.ts';
import { isObject, type JsonObject } from '../../lib/json/values.ts';

interface RoleCount {
  readonly messages: number;
}

/** What answers have taken, summed up as far as it is known. */
type Used = { -readonly [K in 'input' | 'cacheRead' | 'cacheWrite' | 'output']: number };

export interface Tally {
  readonly model?: string;
  readonly provider?: string;
  readonly turns: number;
  /** Turns since the last prompt of a person. */
  readonly steps: number;
  readonly messages: number;
  readonly roles: ReadonlyMap<Role, RoleCount>;
  readonly calls: number;
  readonly open: number;
  readonly failed: number;
  readonly used: Used;
  readonly usd: number;
  /** What the last answer and its prompt took, and the messages behind it; undefined if no answer says, or not all of that is sent any more. */
  readonly last?: { readonly tokens: number; readonly after: readonly Message[] };
  /** Why a hook has ended the run. */
  readonly stop?: string;
  readonly head: Head;
  readonly all: readonly Message[];
  readonly format: FormatName;
  /** Answers that say what they took, and not what it cost. */
  readonly toPrice: readonly Message[];
  /** Answers that say neither. */
  readonly silent: number;
  /** What sub-agents spent, by their conversations. */
  readonly agents: ReadonlyMap<string, Spent>;
}

/** Counts. Throws a Failure (65) for a message that cannot be read. */
export function tally(conversation: Conversation): Tally {
  const { head, messages: kept } = headOf(conversation);
  const counting = new Counting(head, conversation.format.name);
  for (const message of kept) counting.message(message);
  for (const item of conversation.items) counting.item(item);
  return counting.end();
}

interface Turn {
  /** Whether it says what it took or cost. */
  told: boolean;
}

class Counting {
  readonly #head: Head;
  readonly #format: FormatName;
  readonly #toPrice: Message[] = [];
  readonly #all: Message[] = [];
  readonly #roles = new Map<Role, { messages: number }>();
  readonly #used: Used = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };
  readonly #open = new Map<string, number>();
  readonly #ids = new Calls();
  #by: Message['by'];
  #turns = 0;
  #steps = 0;
  #speaking = false;
  #calls = 0;
  #failed = 0;
  #usd = 0;
  /** The turn that answers belong to, of those that are sent and of those that are not any more. */
  #turn: Turn = { told: true };
  #past: Turn | undefined;
  #silent = 0;
  readonly #agents = new Map<string, Spent>();
  #last: { tokens: number; at: number } | undefined;
  #stop: string | undefined;
  /** Whether something that answers were given to is not sent any more. */
  #condensed = false;

  constructor(head: Head, format: FormatName) {
    this.#head = head;
    this.#format = format;
  }

  item(item: Item): void {
    if (item.hidden) this.#hidden(item.rec, item.hidden);
    const message = messageOf(item);
    // Some formats have no ids for calls: they get some.
    if (message) this.message(this.#ids.follow(message, item.identity?.format.name ?? ''));
    else this.#record(item.rec.value);
  }

  /** It is in no request any more, but what it took was paid for. */
  #hidden(rec: Rec, identity: Identity): void {
    this.#condensed = true;
    if (identity.kind !== 'message' && identity.kind !== 'reply') return;
    const message = readMessageAt(rec, identity);
    this.#runs(message);
    if (message.role !== 'assistant') this.#past = undefined;
    else {
      this.#past ??= this.#begun();
      this.#answered(message, this.#past);
    }
  }

  #record(value: unknown): void {
    if (!isObject(value)) return;
    if (value.type === 'result') this.#run(value.run);
    if (value.type !== 'stop') return;
    this.#stop = typeof value.reason === 'string' ? value.reason : 'a hook stopped it';
  }

  message(message: Message): void {
    this.#past = undefined;
    this.#all.push(message);
    const condensed = condensedOf(message);
    if (condensed) this.#summarised(condensed);
    const role = roleOf(message);
    const count = this.#roles.get(role) ?? { messages: 0 };
    count.messages += 1;
    this.#roles.set(role, count);
    if (message.role === 'assistant') this.#answer(message);
    else if (isPrompt(message)) this.#prompt();
    this.#speaking = message.role === 'assistant';
    this.#runs(message);
    this.#parts(message);
  }

  #runs({ meta }: Message): void {
    const runs = isObject(meta) ? meta.runs : undefined;
    if (Array.isArray(runs)) for (const run of runs) this.#run(run);
  }

  /** What sub-agents of a call spent. A conversation is named again by whoever reads it again: the last word counts. */
  #run(run: unknown): void {
    if (!isObject(run) || !Array.isArray(run.agents)) return;
    for (const agent of run.agents) {
      const spent = readSpent(agent);
      if (spent) this.#agents.set(spent.conversation, spent);
    }
  }

  #prompt(): void {
    this.#steps = 0;
    this.#stop = undefined;
  }

  #answer(message: Message): void {
    if (!this.#speaking) {
      this.#turns += 1;
      this.#steps += 1;
      this.#turn = this.#begun();
    }
    this.#by = { ...this.#by, ...message.by };
    const { usage } = message;
    const tokens = usage === undefined ? 0 : wholeOf(usage);
    if (tokens > 0) this.#last = { tokens, at: this.#all.length };
    // What it stands for is hidden, and counted there.
    if (condensedOf(message)?.stands_in === true) this.#tell(this.#turn);
    else this.#answered(message, this.#turn);
  }

  #begun(): Turn {
    this.#silent += 1;
    return { told: false };
  }

  /** Of the messages of one turn, one says for all what they took. */
  #tell(turn: Turn): void {
    if (!turn.told) this.#silent -= 1;
    turn.told = true;
  }

  #answered(message: Message, turn: Turn): void {
    const { usage, by } = message;
    if (usdOf(message) !== undefined || usage !== undefined || FREE.has(by?.provider ?? '')) this.#tell(turn);
    this.#spend(message);
  }

  #spend(message: Message): void {
    const { usage } = message;
    const usd = usdOf(message);
    if (usd !== undefined) this.#usd += usd;
    else if (usage !== undefined) this.#toPrice.push(message);
    for (const key of ['input', 'cacheRead', 'cacheWrite', 'output'] as const) this.#used[key] += usage?.[key] ?? 0;
  }

  /** A summary has its own usage and cost, by its own model. */
  #summarised(condensed: JsonObject): void {
    this.#condensed = true;
    if (!isObject(condensed.summary)) return;
    const { provider, model, usage, cost } = condensed.summary;
    const said = readMeta({ provider, model, usage });
    this.#spend({ role: 'assistant', parts: [], ...said, meta: { cost } });
  }

  #parts({ parts }: Message): void {
    for (const part of parts) {
      if (part.type === 'tool_call' && part.by !== 'provider') {
        this.#calls += 1;
        this.#open.set(part.id, (this.#open.get(part.id) ?? 0) + 1);
      } else if (part.type === 'tool_result' && part.by !== 'provider') {
        if (part.error === true) this.#failed += 1;
        const open = this.#open.get(part.callId);
        if (open !== undefined && open > 1) this.#open.set(part.callId, open - 1);
        else this.#open.delete(part.callId);
      }
    }
  }

  end(): Tally {
    const { model = this.#by?.model } = this.#head;
    const provider = this.#by?.provider;
    return {
      ...(model !== undefined && { model }),
      ...(provider !== undefined && { provider }),
      turns: this.#turns,
      steps: this.#steps,
      messages: this.#all.length,
      roles: this.#roles,
      calls: this.#calls,
      open: [...this.#open.values()].reduce((sum, count) => sum + count, 0),
      failed: this.#failed,
      used: this.#used,
      usd: this.#usd,
      toPrice: this.#toPrice,
      silent: this.#silent,
      agents: this.#agents,
      format: this.#format,
      ...(this.#last &&
        !this.#condensed && { last: { tokens: this.#last.tokens, after: this.#all.slice(this.#last.at) } }),
      ...(this.#stop !== undefined && { stop: this.#stop }),
      head: this.#head,
      all: this.#all,
    };
  }
}

/** What ai-complete answers without any server. */
const FREE = new Set(['echo', 'extract', 'gguf']);

/** Results are the tools', whatever message they stand in. */
export const roleOf = ({ role, parts }: Message): Role =>
  parts.length > 0 && parts.every(({ type }) => type === 'tool_result') ? 'tool' : role;

/** Something that a person said: no result, and nothing of a hook's. */
function isPrompt(message: Message): boolean {
  const source = isObject(message.meta) ? message.meta.source : undefined;
  return roleOf(message) === 'user' && !(typeof source === 'string' && source.startsWith('hook:'));
}

/** What ai-condense noted of a message that it made. */
const condensedOf = ({ meta }: Message): JsonObject | undefined =>
  isObject(meta) && isObject(meta.condensed) ? meta.condensed : undefined;

const wholeOf = ({ input = 0, cacheRead = 0, cacheWrite = 0, output = 0 }: Usage): number =>
  input + cacheRead + cacheWrite + output;

/** What ai-complete noted of the cost. */
function usdOf({ meta }: Message): number | undefined {
  const cost: JsonObject | undefined = isObject(meta) && isObject(meta.cost) ? meta.cost : undefined;
  return typeof cost?.usd === 'number' ? cost.usd : undefined;
}
