// The parameters of a request: what is required, and between which bounds.

import type { FormatName, Head } from '../../conversation/types.ts';
import type { Range } from '../../dialects/constraints.ts';
import { constraintsOf, demanding } from '../../dialects/table.ts';
import { clamped, inside, isBlankStop, RANGES } from '../adapt/ranges.ts';
import { headRule, quoted } from './build.ts';
import type { Problem, Rule } from './types.ts';

/** What another API spells so would only be in the way. `max_tokens: Field required`. */
const required = headRule({
  name: 'max-tokens-missing',
  formats: demanding(({ maxTokens }) => maxTokens?.required),
  find: ({ maxTokens }) =>
    maxTokens === undefined || maxTokens === null
      ? [{ what: 'there is no max_tokens', mend: 'set a limit for the answer' }]
      : [],
  mend: (head) => ({ now: { ...head, maxTokens: DEFAULT }, did: `added max_tokens: ${DEFAULT}` }),
});

/** What the writers supply, too: every current model allows it. */
const DEFAULT = 4096;

/** `temperature: range: 0..1`; `Invalid 'temperature': decimal below minimum value`, recorded. */
const range = headRule({
  name: 'parameter-range',
  formats: demanding(({ maxTokens }) => maxTokens),
  find: (head, { format }) => [...RANGES.flatMap((row) => outside(head, format, row)), ...limits(head, format)],
  mend(head, { format }) {
    const beyond = clamped(head, format);
    const did = beyond.map(({ name, was, now }) => `${name} from ${was} to ${now}`);
    const within = Object.fromEntries(beyond.map(({ field, now }) => [field, now]));
    const stops = constraintsOf(format).stops;
    const many = stops !== undefined && (head.stop?.length ?? 0) > stops;
    if (many) did.push(`kept ${stops} of ${head.stop?.length} stop sequences`);
    if (did.length === 0) return undefined;
    const stop = many ? head.stop?.slice(0, stops) : head.stop;
    return {
      now: { ...head, ...within, ...(many && { stop: stops === 0 ? undefined : stop }) },
      did: `set ${did.join(', ')}`,
    };
  },
});

function outside(head: Head, format: FormatName, [field, limit, name]: (typeof RANGES)[number]): Problem[] {
  const bounds = constraintsOf(format)[limit];
  const value: unknown = head[field];
  if (value === undefined || value === null) return [];
  if (typeof value !== 'number') return [{ what: `${name} is ${quoted(value)}`, mend: 'give a number' }];
  if (bounds === undefined || inside(value, bounds)) return [];
  return [{ what: `${name} is ${value}`, mend: `it must be ${spoken(bounds)}` }];
}

const spoken = ([least, most]: Range): string =>
  most === Number.MAX_SAFE_INTEGER ? `at least ${least}` : `between ${least} and ${most}`;

function limits({ maxTokens, stop, tools, candidates }: Head, format: FormatName): Problem[] {
  const { maxTokens: least, stops, tools: most } = constraintsOf(format);
  const found: Problem[] = [];
  if (
    maxTokens !== undefined &&
    maxTokens !== null &&
    least &&
    !(Number.isInteger(maxTokens) && maxTokens >= least.least)
  )
    found.push({
      what: `the token limit of the answer is ${quoted(maxTokens)}`,
      mend: `it must be a whole number, at least ${least.least}`,
    });
  if (stops !== undefined && stop && stop.length > stops)
    found.push({
      what: `there are ${stop.length} stop sequences, but at most ${stops} are allowed`,
      mend: 'remove some',
    });
  if (most !== undefined && tools && tools.length > most)
    found.push({ what: `there are ${tools.length} tools, but at most ${most} are allowed`, mend: 'remove some' });
  if (typeof candidates === 'number' && !(Number.isInteger(candidates) && candidates >= 1))
    found.push({ what: `n is ${candidates}`, mend: 'it must be a whole number, at least 1' });
  return found;
}

/** `stop_sequences: each stop sequence must contain non-whitespace` */
const blankStops = headRule({
  name: 'blank-stop',
  formats: demanding(({ blankStopsRefused }) => blankStopsRefused),
  find: ({ stop = [] }) =>
    stop.filter(isBlankStop).map((text) => ({ what: `the stop sequence ${quoted(text)} is blank`, mend: 'remove it' })),
  mend(head) {
    const stop = head.stop?.filter((text) => !isBlankStop(text));
    return {
      now: { ...head, stop: stop && stop.length > 0 ? stop : undefined },
      did: 'removed a blank stop sequence',
    };
  },
});

/** https://platform.openai.com/docs/api-reference/chat/create */
const openaiOnly = headRule({
  name: 'parameter-openai',
  formats: ['openai'],
  find({ ext, metadata, user }) {
    const { logprobs, top_logprobs, logit_bias } = ext?.openai ?? {};
    const found: Problem[] = [];
    if (typeof top_logprobs === 'number' && logprobs !== true)
      found.push({ what: 'top_logprobs is set without logprobs', mend: 'set logprobs to true' });
    if (typeof top_logprobs === 'number' && !inside(top_logprobs, [0, 20]))
      found.push({ what: `top_logprobs is ${top_logprobs}`, mend: 'it must be between 0 and 20' });
    const biases = Object.values((logit_bias ?? {}) as object);
    if (biases.some((bias) => typeof bias !== 'number' || !inside(bias, [-100, 100])))
      found.push({ what: 'a value of logit_bias is out of range', mend: 'it must be between -100 and 100' });
    if (typeof user === 'string' && user.length > 128)
      found.push({ what: 'the user id is too long', mend: 'at most 128 characters are allowed' });
    const pairs = Object.entries(metadata ?? {});
    if (
      pairs.length > 16 ||
      pairs.some(([key, value]) => key.length > 64 || typeof value !== 'string' || value.length > 512)
    )
      found.push({
        what: 'metadata is too large',
        mend: 'at most 16 pairs of strings, of at most 64 and 512 characters',
      });
    return found;
  },
});

/** Parameters of other APIs: `n: Extra inputs are not permitted`. */
const foreign = headRule({
  name: 'foreign-parameter',
  formats: ['anthropic'],
  find: ({ ext }) =>
    foreignIn(ext?.anthropic).map((name) => ({ what: `the API has no parameter "${name}"`, mend: 'remove it' })),
  mend(head) {
    const names = foreignIn(head.ext?.anthropic);
    const kept = Object.entries(head.ext?.anthropic ?? {}).filter(([name]) => !names.includes(name));
    return {
      now: { ...head, ext: { ...head.ext, anthropic: Object.fromEntries(kept) } },
      did: `took ${names.join(', ')} away`,
    };
  },
});

/** OpenAI's and Gemini's names for what goes into a body. */
const OTHERS = new Set(
  `frequency_penalty function_call functions generationConfig logit_bias logprobs max_completion_tokens max_output_tokens modalities n
  parallel_tool_calls prediction presence_penalty prompt_cache_key reasoning reasoning_effort response_format safetySettings seed stop store
  stream_options systemInstruction toolConfig top_logprobs user verbosity`.split(/\s+/),
);

const foreignIn = (fields: object | undefined): string[] =>
  Object.keys(fields ?? {}).filter((name) => OTHERS.has(name));

export const parameters: readonly Rule[] = [required, range, blankStops, openaiOnly, foreign];
