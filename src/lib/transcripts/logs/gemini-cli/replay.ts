// What the lines of a log leave: a message whose id comes again takes the place of the earlier one, a patch changes one, a rewind takes the
// last ones away. https://github.com/google-gemini/gemini-cli/blob/main/packages/core/src/services/chatRecordingService.ts

import type { Rec } from '../../../json/record.ts';
import { isObject, type Json, type JsonObject } from '../../../json/values.ts';

export interface State {
  readonly about: JsonObject;
  readonly messages: readonly JsonObject[];
}

export class Replay {
  #about: JsonObject = {};
  #messages: (JsonObject | undefined)[] = [];
  /** The ids in order, and the place of each. */
  #ids: string[] = [];
  #places = new Map<string, number>();
  /** Called before something takes a part of the conversation away, or another log begins; `state` gives it as it stands. */
  readonly #before: (state: () => State, ends: boolean) => void;

  constructor(before: (state: () => State, ends: boolean) => void) {
    this.#before = before;
  }

  state(): State {
    return { about: this.#about, messages: this.#messages.filter((message) => message !== undefined) };
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
    const other = about.sessionId !== this.#about.sessionId && this.#messages.length > 0;
    if (other) {
      this.#before(() => this.state(), true);
      this.#cut(0);
      this.#about = {};
    }
    this.#about = { ...this.#about, ...about };
    for (const message of messages) if (isObject(message)) this.#put(message);
  }

  #put(message: JsonObject): void {
    const id = typeof message.id === 'string' ? message.id : `\0${this.#ids.length}`;
    const place = this.#places.get(id) ?? this.#messages.length;
    this.#messages[place] = message;
    this.#ids[place] = id;
    this.#places.set(id, place);
  }

  /** Takes away all from a place on. */
  #cut(from: number): void {
    for (const id of this.#ids.slice(from)) this.#places.delete(id);
    this.#ids.length = from;
    this.#messages.length = from;
  }

  /** A list of messages is a checkpoint: it replaces them all. */
  #set({ messages, ...about }: JsonObject): void {
    this.#about = { ...this.#about, ...about };
    if (!Array.isArray(messages)) return;
    this.#before(() => this.state(), false);
    this.#cut(0);
    for (const message of messages) if (isObject(message)) this.#put(message);
  }

  /** The message and all behind it. One that is not there takes everything. */
  #rewind(id: string): void {
    this.#before(() => this.state(), false);
    this.#cut(this.#places.get(id) ?? 0);
  }

  #patch({ id, content, toolCalls, removeIds }: JsonObject): void {
    for (const each of Array.isArray(removeIds) ? removeIds : []) {
      const place = this.#places.get(String(each));
      if (place !== undefined) this.#messages[place] = undefined;
    }
    const place = this.#places.get(String(id)) ?? -1;
    const message = this.#messages[place];
    if (message === undefined) return;
    this.#messages[place] = {
      ...message,
      ...(content !== undefined && { content }),
      ...(Array.isArray(toolCalls) && { toolCalls: patched(message.toolCalls, toolCalls) }),
    };
  }
}

function patched(calls: Json | undefined, patches: readonly Json[]): Json | undefined {
  if (!Array.isArray(calls)) return calls;
  const results = new Map(patches.flatMap((patch) => (isObject(patch) ? [[patch.id, patch] as const] : [])));
  return calls.map((call) => (isObject(call) && results.has(call.id) ? { ...call, ...results.get(call.id) } : call));
}
