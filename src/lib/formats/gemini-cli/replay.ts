// What the lines of a log leave: a message whose id comes again takes the place of the earlier one, a patch changes one, a rewind takes the
// last ones away. https://github.com/google-gemini/gemini-cli/blob/main/packages/core/src/services/chatRecordingService.ts
import { isObject, type Json, type JsonObject } from '../../ir/json.ts';
import type { Rec } from '../../ir/record.ts';

export interface State {
  readonly about: JsonObject;
  readonly messages: readonly JsonObject[];
}

export class Replay {
  #about: JsonObject = {};
  #messages = new Map<string, JsonObject>();
  #nameless = 0;
  /** Called with the state before something takes a part of it away, or another log begins. */
  readonly #before: (state: State, ends: boolean) => void;

  constructor(before: (state: State, ends: boolean) => void) {
    this.#before = before;
  }

  get state(): State {
    return { about: this.#about, messages: [...this.#messages.values()] };
  }

  push({ value }: Rec): void {
    if (!isObject(value)) return;
    const { $set, $rewindTo, $patch, type, messages, history } = value;
    if (isObject($set)) this.#set($set);
    else if (typeof $rewindTo === 'string') this.#rewind($rewindTo);
    else if (isObject($patch)) this.#patch($patch);
    else if (type !== undefined) this.#put(value);
    else this.#begin(value, Array.isArray(messages) ? messages : Array.isArray(history) ? history : []);
  }

  #begin(header: JsonObject, messages: readonly Json[]): void {
    const { messages: _, history: __, ...about } = header;
    const other = about.sessionId !== this.#about.sessionId && this.#messages.size > 0;
    if (other) {
      this.#before(this.state, true);
      this.#messages = new Map();
      this.#about = {};
    }
    this.#about = { ...this.#about, ...about };
    for (const message of messages) if (isObject(message)) this.#put(message);
  }

  #put(message: JsonObject): void {
    const id = typeof message.id === 'string' ? message.id : `\0${this.#nameless++}`;
    this.#messages.set(id, message);
  }

  /** A list of messages is a checkpoint: it replaces them all. */
  #set({ messages, ...about }: JsonObject): void {
    this.#about = { ...this.#about, ...about };
    if (!Array.isArray(messages)) return;
    this.#before(this.state, false);
    this.#messages = new Map();
    for (const message of messages) if (isObject(message)) this.#put(message);
  }

  /** The message and all behind it. One that is not there takes everything. */
  #rewind(id: string): void {
    this.#before(this.state, false);
    const kept = new Map<string, JsonObject>();
    if (this.#messages.has(id))
      for (const [each, message] of this.#messages) {
        if (each === id) break;
        kept.set(each, message);
      }
    this.#messages = kept;
  }

  #patch({ id, content, toolCalls, removeIds }: JsonObject): void {
    for (const each of Array.isArray(removeIds) ? removeIds : []) this.#messages.delete(String(each));
    const message = typeof id === 'string' ? this.#messages.get(id) : undefined;
    if (message === undefined || typeof id !== 'string') return;
    this.#messages.set(id, {
      ...message,
      ...(content !== undefined && { content }),
      ...(Array.isArray(toolCalls) && { toolCalls: patched(message.toolCalls, toolCalls) }),
    });
  }
}

function patched(calls: Json | undefined, patches: readonly Json[]): Json | undefined {
  if (!Array.isArray(calls)) return calls;
  const results = new Map(patches.flatMap((patch) => (isObject(patch) ? [[patch.id, patch] as const] : [])));
  return calls.map((call) => (isObject(call) && results.has(call.id) ? { ...call, ...results.get(call.id) } : call));
}
