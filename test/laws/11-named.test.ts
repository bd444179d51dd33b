// What a record says, the target says too, or the loss is named: each field of each fixture is taken away, and that must make a difference to what is
// written or to what is said about it.
import { describe, expect, test } from 'vitest';
import { TextSink } from '../../src/commands/transform/sinks.ts';
import { adaptTo } from '../../src/lib/constraints/adapt/adapt.ts';
import { Converter } from '../../src/lib/conversion/convert.ts';
import { Losses } from '../../src/lib/conversion/losses.ts';
import { FORMATS, formatNamed } from '../../src/lib/dialects/table.ts';
import type { Format } from '../../src/lib/dialects/types.ts';
import type { Rec } from '../../src/lib/json/record.ts';
import { isObject, type Json, type JsonObject } from '../../src/lib/json/values.ts';
import { TEXTS } from '../../src/lib/transcripts/text-table.ts';
import { fixture } from '../fixtures.ts';

interface Outcome {
  readonly written: string;
  readonly named: string;
}

type Convert = (value: JsonObject, from: string) => Outcome;

/** Dialects, and texts for models: those for people leave out what nobody reads. */
const TARGETS: [string, Convert][] = [
  ...FORMATS.map((to): [string, Convert] => [
    to.name,
    (value, from) => {
      const losses = new Losses();
      const converter = new Converter({ from, to, losses, adapt: adaptTo() });
      return outcome([...converter.push({ value }), ...converter.end()], losses);
    },
  ]),
  ...TEXTS.filter(({ write, wrap }) => write && wrap).map((text): [string, Convert] => [
    text.name,
    (value, from) => {
      const losses = new Losses();
      const writer = text.write?.(losses.between(from, text.name));
      if (writer === undefined) throw new TypeError(text.name);
      return through(new TextSink(writer, { from, to: text.name, losses }, text, false), value, losses);
    },
  ]),
];

function through(sink: TextSink, value: JsonObject, losses: Losses): Outcome {
  const out: Rec[] = [];
  sink.record({ value }, out);
  return outcome([...out, ...sink.end()], losses);
}

const outcome = (recs: readonly Rec[], { all }: Losses): Outcome => ({
  written: JSON.stringify(recs.map(({ source, value }) => source ?? value)),
  named: JSON.stringify(all.map(({ field, fate, count, why }) => [field, fate, count, why])),
});

/** Ids of items, kinds of records, counts that are sums: they say nothing that would be missed. */
const SPELLING = new RegExp(
  `^(${[
    'id|status|object|index|created|created_at|system_fingerprint',
    '(.*\\.)?(role|type|index)',
    'output\\.(id|status)|.*sources\\.(document\\.)?id|candidates\\.content',
    'usage(Metadata)?\\.(total_?tokens|totalTokenCount)',
    // The same again, under another name.
    'reasoning|reasoning_content|usage\\.(cache(Read|Write)InputTokenCount|num_cached_tokens|prompt_tokens?_details)',
    // The name of the tool stands in the call.
    'name|tool_name|tool_call_id|(.*\\.)?functionCall\\.id|(.*\\.)?tool_calls\\.id|parts\\.id',
    // What the bytes say themselves.
    '.*\\.(media_type|format|mime_?type|mimeType)',
    // Hints for the order of what is generated.
    '.*\\.propertyOrdering',
    // No arguments, and nothing as a result, are spelled in many ways.
    '.*\\.arguments|.*toolResult\\.(status|content)|.*functionResponse\\.response|.*\\.parameters',
    // All its tools say that they stood in it, and its columns are those of a row.
    'tools\\.(name|description)',
    // Named as a whole, by a word for all of it.
    'tools(\\.functionDeclarations)?|tools\\.custom\\.description|tool_choice\\.allowed_tools|annotations\\.url_citation.*|citations\\.(start|end)',
    'generation_?config\\.response_?(json)?schema|candidates(\\.content.*)?|.*\\.function_?(call|response)\\.id|content\\.reference_ids',
    '(prompt_)?eval_count|promptFeedback\\.blockReason|usageMetadata\\.promptTokenCount|parts',
    'content\\.(citationsContent|detail)|output\\.filename|content\\.document\\.name|call_id|execution',
  ].join('|')})$`,
  'i',
);

/** What every API does without being told. */
const DEFAULTS: readonly (readonly [RegExp, RegExp])[] = [
  [/^(text|response_format|generationConfig\.responseMimeType)$/, /"text/],
  [/(service_tier|tool_choice|mode)$/i, /auto|none/i],
  [/toolConfig|toolChoice|think|stream|strict|candidateCount|choice\.count|output_config|systemInstruction/, /./],
  [/(stop_?reason|finish_?reason|done_reason)$/i, /./],
  // What stands beside a document alone is a filler.
  [/^content$/, /See the document|citationsContent/],
  [/usage/i, /^(0|\{("\w+":0,?)*\})$/],
];

function* fields(value: Json, path: readonly (string | number)[] = []): Generator<[(string | number)[], Json]> {
  const entries: [string | number, Json][] = Array.isArray(value)
    ? value.map((item, i) => [i, item])
    : isObject(value)
      ? (Object.entries(value) as [string, Json][]).filter(([key]) => key !== '_meta')
      : [];
  for (const [key, inner] of entries) if (!isNothing(inner)) yield [[...path, key], inner];
}

const isNothing = (value: Json): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);

function without(value: Json, [key, ...rest]: readonly (string | number)[]): Json {
  if (Array.isArray(value))
    return rest.length === 0
      ? value.filter((_, i) => i !== key)
      : value.map((item, i) => (i === key ? without(item, rest) : item));
  const entries = Object.entries(value as JsonObject) as [string, Json][];
  return Object.fromEntries(
    rest.length === 0
      ? entries.filter(([name]) => name !== key)
      : entries.map(([name, inner]) => [name, name === key ? without(inner, rest) : inner]),
  );
}

/** Of a message that only its own API can read, each part is named as a whole. */
function isOwn(record: JsonObject, from: string): boolean {
  const format = formatNamed(from) as Format;
  if (format.recognise(record)?.kind !== 'message') return false;
  const { parts } = format.readMessage(record);
  return parts.every((part) => part.type === 'native' || ('by' in part && part.by === 'provider'));
}

/** Fields whose absence nobody notices. What is named as a whole need not be named field by field. */
function vanished(record: JsonObject, from: string, convert: Convert): string[] {
  const before = convert(record, from);
  if (saysNothing(before) || (before.named !== '[]' && isOwn(record, from))) return [];
  const found: string[] = [];
  const look = (value: Json, path: readonly (string | number)[]): void => {
    for (const [at, inner] of fields(value, path)) {
      const after = trying(() => convert(without(record, at) as JsonObject, from));
      if (after && after.written === before.written && after.named !== before.named) continue;
      if (after?.written !== before.written) look(inner, at);
      else if (!isExcused(from, at, inner, before))
        found.push(`${at.join('.')}: ${JSON.stringify(inner).slice(0, 60)}`);
    }
  };
  look(record, []);
  return found;
}

/** A record of which nothing is left was named as a whole. */
const saysNothing = ({ written, named }: Outcome): boolean =>
  named !== '[]' &&
  /^\[(\{"role":"assistant",("content":""|"parts":\[\])(,"_meta":\{[^{}]*\})?\}|\{"from":"gpt".*"value":""\})?\]$/.test(
    written,
  );

function isExcused(from: string, path: readonly (string | number)[], value: Json, { written }: Outcome): boolean {
  const name = path.filter((key) => typeof key === 'string').join('.');
  const text = JSON.stringify(value);
  if ((formatNamed(from) as Format).echoes?.has(name)) return true;
  if (typeof value === 'string' && value.length > 3 && written.includes(text.slice(1, -1))) return true;
  return SPELLING.test(name) || DEFAULTS.some(([field, said]) => field.test(name) && said.test(text));
}

/** undefined where the record cannot be read without the field. */
function trying(act: () => Outcome): Outcome | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

for (const from of FORMATS)
  describe(from.name, () => {
    const records = (['messages', 'heads', 'replies'] as const).flatMap((kind) =>
      fixture(from.name, kind).map((record, i) => ({ name: `${kind} ${i + 1}`, record })),
    );
    for (const [to, convert] of TARGETS.filter(([name]) => name !== from.name))
      test(`→ ${to}: nothing vanishes unnamed`, () => {
        const found = records.flatMap(({ name, record }) =>
          vanished(record, from.name, convert).map((field) => `${name}: ${field}`),
        );
        expect(found).toEqual([]);
      });
  });
