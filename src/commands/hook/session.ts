// The conversation that hooks belong to: what they are told of it, and what is looked up in it.
import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Context } from '../../lib/cli/filter.ts';
import { conversations, messageOf } from '../../lib/conversion/gather.ts';
import { Calls } from '../../lib/dialects/codec/call-ids.ts';
import { identify } from '../../lib/dialects/detect.ts';
import { isAboutData } from '../../lib/dialects/read-record.ts';
import { FORMATS, formatNamed } from '../../lib/dialects/table.ts';
import type { Format } from '../../lib/dialects/types.ts';
import { EXIT, Failure } from '../../lib/failure/failure.ts';
import { baseFields } from '../../lib/hooks/base.ts';
import { type Rec, record } from '../../lib/json/record.ts';
import type { Json, JsonObject } from '../../lib/json/values.ts';
import { readRecords } from '../../lib/jsonl/read.ts';

export interface Called {
  readonly name: string;
  readonly input: Json;
}

/** Records to look at before the dialect of a conversation is given up. */
const LOOKED_AT = 200;

export class Session {
  readonly file: string | undefined;
  readonly #context: Context;
  readonly #dialect: string | undefined;
  #format: Format | undefined;
  #calls: ReadonlyMap<string, Called> | undefined;

  constructor(context: Context, file: string | undefined, dialect: string | undefined) {
    this.#context = context;
    this.file = file === undefined || file === '' ? undefined : resolve(context.cwd, file);
    this.#dialect = dialect;
    if (dialect !== undefined && formatNamed(dialect) === undefined)
      throw new Failure(EXIT.usage, `there is no dialect "${dialect}"`, {
        hint: FORMATS.map(({ name }) => name).join(', '),
      });
  }

  /** The fields that every event has. */
  get base(): JsonObject {
    return baseFields(this.#context, this.file);
  }

  /** Whether something has been said already. */
  get begun(): boolean {
    return this.file !== undefined && existsSync(this.file) && statSync(this.file).size > 0;
  }

  /** The dialect of the conversation. */
  get format(): Format {
    this.#format ??= formatNamed(this.#dialect ?? '') ?? this.#find() ?? (FORMATS[0] as Format);
    return this.#format;
  }

  /** A message to the model that is no person's. */
  note(text: string, event: string, format: Format = this.format): Rec[] {
    return this.message(text, format).map(({ value }) =>
      record({ ...(value as JsonObject), _meta: { source: `hook:${event}` } }),
    );
  }

  message(text: string, format: Format = this.format): Rec[] {
    const natives = format.writeMessages([{ role: 'user', parts: [{ type: 'text', text }] }], () => {});
    return natives.map((native) => record(native));
  }

  /** The call that an id stands for, of the last turns that made one; undefined if the conversation is not known or has none. */
  callOf(id: string): Called | undefined {
    this.#calls ??= this.#readCalls();
    return this.#calls.get(id);
  }

  #find(): Format | undefined {
    let looked = 0;
    for (const rec of this.#records()) {
      const identity = identify(rec.value);
      if (identity?.sure) return identity.format;
      looked += 1;
      if (looked > LOOKED_AT) break;
    }
    return undefined;
  }

  #readCalls(): ReadonlyMap<string, Called> {
    const calls = new Map<string, Called>();
    for (const conversation of conversations(this.#records())) {
      const ids = new Calls();
      for (const item of conversation.items) {
        const message = this.#read(() => messageOf(item));
        const parts = message && ids.follow(message, item.identity?.format.name ?? '').parts;
        for (const part of parts ?? [])
          if (part.type === 'tool_call') calls.set(part.id, { name: part.name, input: part.input ?? part.text ?? {} });
      }
    }
    return calls;
  }

  #read<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!isAboutData(error)) throw error;
      return undefined;
    }
  }

  /** The records of the file; a line that cannot be read is skipped, since others complain of it. */
  *#records(): Generator<Rec> {
    if (!this.begun || this.file === undefined) return;
    yield* readRecords([this.#context.open(this.file)], () => {});
  }
}
