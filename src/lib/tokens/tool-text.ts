// A tool as OpenAI's models are shown it: a type in TypeScript. https://github.com/openai/openai-cookbook/blob/main/examples/How_to_count_tokens_with_tiktoken.ipynb

import type { Tool } from '../conversation/types.ts';
import { isObject, type Json, type JsonObject } from '../json/values.ts';

/** The definition of a tool as text. It is only counted, so that a part of the schema without a spelling of its own stands as JSON. */
export function toolText({ name, description, schema }: Tool): string {
  const comment = description ? `// ${description.split('\n').join('\n// ')}\n` : '';
  return `${comment}type ${name} = (_: ${typeOf(schema, 0)}) => any;\n\n`;
}

/** Deeper than this a schema is counted as JSON. */
const DEEPEST = 20;

function typeOf(schema: Json | undefined, depth: number): string {
  if (!isObject(schema)) return 'any';
  if (depth > DEEPEST) return JSON.stringify(schema);
  const { type, enum: values, items, properties, anyOf, oneOf, $ref, $defs } = schema;
  const named = isObject($defs) ? JSON.stringify($defs) : '';
  if (typeof $ref === 'string') return $ref;
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ');
  const choices = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : undefined;
  if (choices) return choices.map((choice) => typeOf(choice, depth + 1)).join(' | ');
  if (isObject(properties)) return `${named}{\n${members(properties, schema, depth)}}`;
  if (items !== undefined) return `${typeOf(items, depth + 1)}[]`;
  return type === 'integer'
    ? 'number'
    : typeof type === 'string'
      ? type
      : type === undefined
        ? 'any'
        : JSON.stringify(type);
}

function members(properties: JsonObject, { required }: JsonObject, depth: number): string {
  const needed = new Set(Array.isArray(required) ? required : []);
  const lines = Object.entries(properties).map(([name, schema]) => {
    const about = isObject(schema) && typeof schema.description === 'string' ? `// ${schema.description}\n` : '';
    const fallback =
      isObject(schema) && schema.default !== undefined ? ` // default: ${JSON.stringify(schema.default)}` : '';
    return `${about}${name}${needed.has(name) ? '' : '?'}: ${typeOf(schema, depth + 1)},${fallback}\n`;
  });
  return lines.join('');
}
