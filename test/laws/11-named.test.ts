// Law 11: what a record says, the target says too, or the loss is named: each field of each fixture is taken away, and that must make a difference to what is
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

interface Excuse {
  /** The dialects of the records that need it. */
  readonly from: string;
  readonly fields: RegExp;
  readonly value?: RegExp;
  readonly why: string;
}

/** Fields whose absence need not be noticed, each with the reason. One that nothing needs any more fails the last test. */
const EXCUSES: readonly Excuse[] = [
  {
    from: 'openai-responses',
    fields: /^(id|output\.id)$/,
    why: 'each target gives ids of its own to messages, and a call is known by its call_id',
  },
  {
    from: 'openai-responses',
    fields: /^(status|output\.status)$/,
    why: 'whether an item is complete says the reply as a whole',
  },
  { from: 'openai mistral', fields: /^(object)$/, why: 'the same word in every reply' },
  {
    from: 'openai openai-responses mistral ollama',
    fields: /^(created|created_at)$/,
    why: 'when it was made is no part of the conversation',
  },
  { from: 'openai', fields: /^(system_fingerprint)$/, why: 'a mark of the server for a build of its own' },
  {
    from: 'anthropic bedrock cohere gemini mistral ollama openai openai-responses otel sharegpt',
    fields: /^((.*\.)?(role|type|index))$/,
    why: 'it follows from where the value stands, and readers take a value without it for the same',
  },
  {
    from: 'cohere',
    fields: /^(.*sources\.(document\.)?id)$/,
    why: 'a number for a source within one reply; the source itself is written or named',
  },
  {
    from: 'bedrock gemini mistral openai openai-responses',
    fields: /^(usage(Metadata)?\.(total_?tokens|totalTokens|totalTokenCount))$/,
    why: 'a sum of counts that are written',
  },
  {
    from: 'openai',
    fields: /^(reasoning|reasoning_content)$/,
    why: 'the same text under two names: one of them is enough',
  },
  {
    from: 'bedrock mistral',
    fields: /^(usage\.(cache(Read|Write)InputTokenCount|num_cached_tokens|prompt_tokens?_details))$/,
    why: 'the same count under two names',
  },
  {
    from: 'openai openai-responses mistral',
    fields: /^(name)$/,
    why: 'the author of a message is named once for the conversation, and a result is known by its call',
  },
  { from: 'ollama', fields: /^(tool_name)$/, why: 'the name of the tool stands in the call' },
  { from: 'mistral ollama', fields: /^(tool_call_id)$/, why: 'a lone result answers the open call' },
  {
    from: 'cohere mistral ollama otel',
    fields: /^((.*\.)?tool_calls\.id|parts\.id)$/,
    why: 'a call without an id gets one',
  },
  {
    from: 'gemini',
    fields: /^(parts\.(functionCall|functionResponse|function_call|function_response)\.id)$/,
    why: 'a call without an id gets one, and its result is found by name',
  },
  {
    from: 'anthropic bedrock gemini openai openai-responses otel',
    fields: /^(.*\.(media_type|format|mime_?[tT]ype))$/,
    why: 'the first bytes of a file say its type',
  },
  { from: 'gemini', fields: /^(.*\.propertyOrdering)$/, why: 'a hint for the order of generation' },
  {
    from: 'cohere mistral openai',
    fields: /^(.*\.arguments)$/,
    value: /^"?(\{\}|null)/,
    why: 'no arguments and empty arguments are the same call',
  },
  {
    from: 'bedrock gemini',
    fields: /^(.*toolResult\.content|.*functionResponse\.response)$/,
    value: /output/,
    why: 'an empty output is the same as none',
  },
  {
    from: 'bedrock',
    fields: /^(.*toolResult\.status)$/,
    why: 'success is what a result says without a status, and an unknown status is named with the part',
  },
  { from: 'gemini mistral', fields: /^(.*\.parameters)$/, why: 'a tool without parameters takes none' },
  {
    from: 'openai-responses',
    fields: /^(tools\.(name|description))$/,
    why: 'a namespace: its tools are written one by one, and the namespace is named once',
  },
  {
    from: 'gemini mistral openai',
    fields: /^(tools(\.functionDeclarations)?)$/,
    why: 'one of several tools that are named by one word, or one without a name that no target takes',
  },
  {
    from: 'openai',
    fields: /^(tools\.custom\.description)$/,
    why: 'a custom tool that the target cannot have is named as a whole',
  },
  {
    from: 'openai',
    fields: /^(tool_choice\.allowed_tools)$/,
    why: 'a choice among tools that the target cannot express is named as a whole',
  },
  {
    from: 'openai',
    fields: /^(annotations\.url_citation.*)$/,
    why: 'citations that the target cannot have are named as a whole',
  },
  {
    from: 'cohere',
    fields: /^(citations\.(start|end))$/,
    why: 'citations that the target cannot have are named as a whole',
  },
  {
    from: 'gemini',
    fields: /^((generationConfig|generation_config)\.(responseJsonSchema|response_schema))$/,
    why: 'a schema counts only beside the MIME type of JSON',
  },
  {
    from: 'gemini',
    fields: /^(candidates(\.content)?)$/,
    value: /^\{("content":\{"role":"model"\}|"finishReason"|"role":"model"\})/,
    why: 'a candidate without content says no more than its finish reason',
  },
  {
    from: 'gemini',
    fields: /^(promptFeedback\.blockReason)$/,
    why: 'a blocked prompt and a reply without candidates end alike',
  },
  {
    from: 'gemini',
    fields: /^(usageMetadata\.promptTokenCount)$/,
    why: 'a reply without content: its counts say nothing that is kept',
  },
  { from: 'gemini', fields: /^(parts)$/, value: /functionResponse/, why: 'a result without its call' },
  {
    from: 'mistral',
    fields: /^(content\.reference_ids)$/,
    why: 'references that the target cannot have are named as a whole',
  },
  {
    from: 'ollama',
    fields: /^((prompt_)?eval_count)$/,
    why: 'some targets have no place for usage in a message, and name the usage once',
  },
  { from: 'openai-responses', fields: /^(content\.detail)$/, why: 'the detail of an image that is named as a whole' },
  {
    from: 'openai-responses',
    fields: /^(output\.filename)$/,
    why: 'the file is named as a whole where the target has no files in results',
  },
  { from: 'bedrock', fields: /^(content\.document\.name)$/, why: 'a document without a name gets one' },
  {
    from: 'openai cohere mistral gemini',
    fields: /^(response_format|generationConfig\.responseMimeType)$/,
    value: /"text/,
    why: 'text is what every API answers by default',
  },
  {
    from: 'anthropic',
    fields: /^(service_tier|tool_choice)$/,
    value: /auto|none/,
    why: 'what the API does by default: with no tools, the choice none changes nothing',
  },
  {
    from: 'bedrock',
    fields: /^(toolConfig\.(tools|toolChoice))$/,
    value: /systemTool|auto/,
    why: 'a tool of the server is named as a whole; auto is the default',
  },
  {
    from: 'gemini',
    fields: /^(toolConfig(\.functionCallingConfig\.(mode|streamFunctionCallArguments))?)$/,
    why: 'what the API does by default, or without tools',
  },
  {
    from: 'anthropic mistral',
    fields: /^((content\.)?thinking(\.type)?)$/,
    why: 'reasoning that is on as it is without the field, or is named as a whole',
  },
  { from: 'ollama', fields: /^(stream)$/, why: 'how the reply is sent is decided by the program that asks' },
  {
    from: 'cohere mistral openai openai-responses',
    fields: /^((.*\.)?(strict|strict_tools))$/,
    why: 'a target without strict mode names it once, and false is the default',
  },
  {
    from: 'gemini otel',
    fields: /^(generationConfig\.candidateCount|gen_ai\.request\.choice\.count)$/,
    value: /^1$/,
    why: 'one answer is the default',
  },
  { from: 'anthropic', fields: /^(output_config)$/, value: /null/, why: 'an effort of null is none' },
  {
    from: 'gemini',
    fields: /^(systemInstruction(\.role)?)$/,
    why: 'a system prompt without text says nothing, and its role is always the same',
  },
  {
    from: 'anthropic bedrock gemini mistral ollama openai otel',
    fields: /^((.*\.)?(stop_?[rR]eason|finish_?[rR]eason|done_reason))$/,
    why: 'some targets have no place for it in a message',
  },
  {
    from: 'bedrock',
    fields: /^(content)$/,
    value: /See the document|citationsContent/,
    why: 'a filler beside a document, or citations without content',
  },
  {
    from: 'anthropic bedrock cohere gemini openai',
    fields: /^(usage.*)$/,
    value: /^(0|\{("\w+":0,?)*\})$/,
    why: 'nothing was counted',
  },
  { from: 'sharegpt', fields: /^tools$/, value: /^"\[\]"$/, why: 'an empty list of tools is none' },
  {
    from: 'gemini',
    fields: /^candidates\.content\.parts\.functionCall\.args$/,
    why: 'a call that a reply of the target cannot keep is named as a whole',
  },
];

/** The excuses that some field of a dialect needs, since no other one covers it. */
const needed = new Set<string>();

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
  const excuses = EXCUSES.filter(
    ({ from: dialects, fields, value: said }) =>
      dialects.split(' ').includes(from) && fields.test(name) && (said?.test(text) ?? true),
  );
  if (excuses.length === 1) needed.add(`${from}: ${excuses[0]?.why}`);
  return excuses.length > 0;
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

test('every excuse is needed, for each of its dialects', () => {
  const all = EXCUSES.flatMap(({ from, why }) => from.split(' ').map((dialect) => `${dialect}: ${why}`));
  expect(all.filter((excuse) => !needed.has(excuse))).toEqual([]);
});
