// What a conversion could not keep: counted, and said.

import type { FormatName, Head, Lose, Message, Part } from '../ir/types.ts';
import { replyOf } from './residual.ts';

export interface Loss {
  readonly from: FormatName;
  readonly to: FormatName;
  readonly field: string;
  readonly why: string;
  count: number;
}

/** Counts losses by pair of dialects, field and reason, in the order in which they first appeared. */
export class Losses {
  readonly #found = new Map<string, Loss>();

  /** A `lose` for one pair of dialects. */
  between(from: FormatName, to: FormatName): Lose {
    return (field, why) => {
      const key = `${from}\0${to}\0${field}\0${why}`;
      const loss = this.#found.get(key);
      if (loss) loss.count += 1;
      else this.#found.set(key, { from, to, field, why, count: 1 });
    };
  }

  get all(): readonly Loss[] {
    return [...this.#found.values()];
  }
}

/** `anthropic → openai: lost cache_control (12 times): tools have no breakpoints` */
export function describe(loss: Loss): string {
  const times = loss.count === 1 ? '' : ` (${loss.count} times)`;
  return `${loss.from} → ${loss.to}: lost ${loss.field}${times}: ${loss.why}`;
}

/** Says what stays behind in the residuals of `from`: fields that no other format has. */
export function sayResiduals(messages: readonly Message[], from: FormatName, lose: Lose): void {
  for (const message of messages) {
    sayFields(message.ext?.[from], from, lose);
    sayFields(message.ext?.[replyOf(from)], from, lose);
    for (const part of message.parts) sayPart(part, from, lose);
  }
}

function sayPart(part: Part, from: FormatName, lose: Lose): void {
  if (part.type === 'native' || ('by' in part && part.by === 'provider')) return;
  sayFields(part.ext?.[from], from, lose);
  if (part.type === 'tool_result') for (const inner of part.parts) sayPart(inner, from, lose);
}

export function sayHeadResiduals(head: Head, from: FormatName, lose: Lose): void {
  sayFields(head.ext?.[from], from, lose);
  for (const tool of head.tools ?? []) if (tool.type !== 'provider') sayFields(tool.ext?.[from], from, lose);
  sayFields(head.responseFormat?.ext?.[from], from, lose);
  sayFields(head.reasoning?.ext?.[from], from, lose);
}

/** A null or an empty list says nothing, and what only names the record's own kind is no loss. */
function sayFields(fields: { readonly [field: string]: unknown } | undefined, from: FormatName, lose: Lose): void {
  for (const field in fields) {
    const value = fields[field];
    if (value === null || value === undefined || KIND.has(field) || (Array.isArray(value) && value.length === 0))
      continue;
    lose(field, `only ${from} has it`);
  }
}

const KIND = new Set(['type', 'object', 'index', 'created', 'created_at', 'done', 'choices', 'system_fingerprint']);
