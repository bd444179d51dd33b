// Law 4: edit any field, write: the edit shows. The residual speaks only where it agrees with the view.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Message, Part } from '../../src/lib/conversation/types.ts';
import { FORMATS } from '../../src/lib/dialects/table.ts';
import type { Format } from '../../src/lib/dialects/types.ts';
import type { Json, JsonObject } from '../../src/lib/json/values.ts';
import { fixture } from '../fixtures.ts';
import { asJson } from './same.ts';

const lose = () => {};
const write = (format: Format, message: Message) => format.writeMessages([message], lose);

for (const format of FORMATS)
  describe(format.name, () => {
    const natives = fixture(format.name, 'messages');

    test('any string, number or flag of the native message', () => {
      fc.assert(
        fc.property(fc.constantFrom(...natives), fc.nat(), fc.string(), fc.integer(), (native, at, text, number) => {
          const leaves = leavesOf(native).filter((path) => !NAMES_A_KIND.has(String(path.at(-1))));
          const path = leaves[at % Math.max(1, leaves.length)];
          if (path === undefined) return;
          const edited = editAt(native, path, text, number) as JsonObject;
          expect(asJson(write(format, format.readMessage(edited)))).toEqual(asJson([edited]));
        }),
        { numRuns: 2000 },
      );
    });

    test('any text, name, id or input of the view', () => {
      fc.assert(
        fc.property(fc.constantFrom(...natives), fc.nat(), fc.string({ minLength: 1 }), (native, at, text) => {
          const message = format.readMessage(native);
          const index = at % Math.max(1, message.parts.length);
          const part = message.parts[index];
          const changed = part && edit(part, text);
          if (!changed) return;
          const edited = { ...message, parts: message.parts.with(index, changed) };
          const again = write(format, edited).map((n) => format.readMessage(n));
          expect(asJson(again.flatMap((m) => m.parts).map(view))).toEqual(asJson(edited.parts.map(view)));
        }),
        { numRuns: 2000 },
      );
    });
  });

/** Fields whose value decides how the rest is read, and data whose form is fixed. */
const NAMES_A_KIND = new Set([
  'type',
  'role',
  'from',
  'media_type',
  'mode',
  'url',
  'format',
  'image_url',
  'file_data',
  'arguments',
  '_raw',
  'ttl',
]);

type Path = readonly (string | number)[];

function leavesOf(value: Json | undefined, path: Path = []): Path[] {
  if (Array.isArray(value)) return value.flatMap((item, i) => leavesOf(item, [...path, i]));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, item]) => leavesOf(item, [...path, key]));
  return value === null || value === undefined ? [] : [path];
}

function editAt(value: Json | undefined, [key, ...rest]: Path, text: string, number: number): Json {
  if (key === undefined) return typeof value === 'string' ? text : typeof value === 'number' ? number : !value;
  if (Array.isArray(value)) return value.with(Number(key), editAt(value[Number(key)], rest, text, number));
  const object = value as JsonObject;
  return Object.fromEntries(
    Object.entries(object).map(([k, v]) => [k, k === key ? editAt(v, rest, text, number) : v]),
  ) as JsonObject;
}

/** The part with its main content changed; undefined for one that has none of its own. */
function edit(part: Part, text: string): Part | undefined {
  if (part.type === 'text' || part.type === 'refusal') return { ...part, text };
  if (part.type === 'reasoning' && part.text !== undefined) return { ...part, text };
  if (part.type === 'tool_call' && part.input !== undefined) return { ...part, input: { edited: text } };
  if (part.type === 'tool_call') return { ...part, text: `<${text}` };
  return undefined;
}

/** What a part says; the older function calls have no ids but those that we derive. */
function view(part: Part): unknown {
  const { ext, form, ...rest } = part as Part & { ext?: unknown; form?: unknown };
  return rest;
}
