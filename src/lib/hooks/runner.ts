// Running the hooks of one event: all that match, at once, on the same input.

import type { CallRecord } from '../conversation/loop-records.ts';
import type { JsonObject } from '../json/values.ts';
import { Judge } from '../permissions/judge.ts';
import { EMPTY } from '../permissions/policy.ts';
import { knownAs } from '../permissions/rule.ts';
import { type Ended, readAnswer } from './answer.ts';
import type { RunnerOptions } from './command.ts';
import { runCommand } from './command.ts';
import { type Event, eventNamed } from './events.ts';
import { joinAnswers, NOTHING, type Outcome, type Said } from './outcome.ts';
import type { Handler, HookSettings } from './settings.ts';

export class HookRunner {
  readonly #settings: HookSettings;
  readonly #options: RunnerOptions;

  constructor(settings: HookSettings, options: RunnerOptions) {
    this.#settings = settings;
    this.#options = options;
  }

  /** The hooks of an event that its matchers pick for these fields; the same hook counts once. */
  matching(event: string, fields: JsonObject): readonly Handler[] {
    const found = eventNamed(event);
    const groups = this.#settings.get(event) ?? [];
    if (found === undefined || groups.length === 0) return [];
    const names = namesOf(found, fields);
    const all = groups
      .filter(({ matches }) => names === undefined || matches(names))
      .flatMap(({ handlers }) => handlers);
    const once = new Map(all.map((handler) => [identityOf(handler), handler]));
    return [...once.values()];
  }

  /**
   * Runs the hooks of an event. `call` is what conditions (`if`) are about. Never throws for what a hook does; throws the signal's reason if it
   * was aborted, since a hook that was ended has not agreed.
   */
  async run(event: string, fields: JsonObject, call?: CallRecord): Promise<Outcome> {
    const found = eventNamed(event);
    const handlers = await this.#conditioned(this.matching(event, fields), call);
    if (found === undefined || handlers.length === 0) return NOTHING;
    const input = { ...this.#options.base, hook_event_name: event, ...fields };
    const said = await Promise.all(handlers.map((handler) => this.#one(found, handler, input)));
    this.#options.signal.throwIfAborted();
    return joinAnswers(said);
  }

  async #conditioned(handlers: readonly Handler[], call: CallRecord | undefined): Promise<readonly Handler[]> {
    const wanted = await Promise.all(handlers.map((handler) => this.#applies(handler, call)));
    return handlers.filter((_, i) => wanted[i]);
  }

  async #applies({ condition }: Handler, call: CallRecord | undefined): Promise<boolean> {
    if (condition === undefined) return true;
    if (call === undefined) return false;
    const { cwd, env } = this.#options;
    const judge = new Judge({ ...EMPTY, ask: [condition] }, { cwd, home: env.HOME || '/' });
    return (await judge.judge(call)).rule !== undefined;
  }

  async #one(event: Event, handler: Handler, input: JsonObject): Promise<Said> {
    const ended = await this.#end(event, handler, input);
    return { handler, answer: readAnswer(event, ended, handler.onFailure === 'block') };
  }

  async #end(event: Event, handler: Handler, input: JsonObject): Promise<Ended> {
    const seconds = handler.timeout ?? event.timeout;
    if (handler.type === 'command') return runCommand(handler, input, seconds, this.#options);
    if (handler.type === 'http') {
      const { runHttp } = await import('./http.ts');
      return runHttp(handler, input, seconds, this.#options);
    }
    return { stdout: '', stderr: '', failure: `hooks of the type "${handler.kind}" are not supported` };
  }
}

/** What matchers are tried on: a tool's own name and the one that Claude Code knows it by. */
function namesOf({ matched }: Event, fields: JsonObject): readonly string[] | undefined {
  if (matched === undefined) return undefined;
  const name = fields[matched];
  if (typeof name !== 'string') return [''];
  return matched === 'tool_name' ? [name, knownAs(name)] : [name];
}

function identityOf(handler: Handler): string {
  if (handler.type === 'command')
    return JSON.stringify(['command', handler.command, handler.args, handler.condition?.text]);
  return handler.type === 'http' ? JSON.stringify(['http', handler.url]) : handler.place;
}
