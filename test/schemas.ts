// JSON Schemas of what the four APIs take and send, made of the types of their official clients (test/types/wire.ts) when they are first needed, and
// kept beside the packages that they were made of.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';

const ROOT = join(import.meta.dirname, '..');
const TYPES = join(import.meta.dirname, 'types', 'wire.ts');
const MADE_OF = ['@anthropic-ai/sdk', '@google/genai', 'openai', 'ts-json-schema-generator'];

type Schema = { readonly [field: string]: unknown };

const NAMES = { anthropic: 'Anthropic', openai: 'OpenAI', 'openai-responses': 'Responses', gemini: 'Gemini' } as const;
export type ApiName = keyof typeof NAMES;
export const API_NAMES = Object.keys(NAMES) as ApiName[];

/** Checks bodies of one API: requests, or whole replies. Each type has a function of its own, since V8 takes gigabytes to optimise one of them all. */
export async function validator(api: ApiName, kind: 'Request' | 'Reply'): Promise<ValidateFunction> {
  const schema = (await schemas())[`${NAMES[api]}${kind}`] as Schema;
  return new Ajv({ strict: false, logger: false, inlineRefs: false }).compile(
    kind === 'Reply' ? withoutNulls(schema) : schema,
  );
}

/** The places where a value does not fit, the deepest first: in a union each branch has something to say. */
export function complaints({ errors }: ValidateFunction): string[] {
  const depth = (path: string) => path.split('/').length;
  return [...(errors ?? [])]
    .sort((a, b) => depth(b.instancePath) - depth(a.instancePath))
    .map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`);
}

let made: Promise<{ readonly [type: string]: Schema }> | undefined;

function schemas(): Promise<{ readonly [type: string]: Schema }> {
  made ??= cached();
  return made;
}

async function cached(): Promise<{ readonly [type: string]: Schema }> {
  const path = join(ROOT, 'node_modules', '.cache', 'ai-coreutils', `schemas-${key()}.json`);
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8'));
  const { createGenerator } = await import('ts-json-schema-generator');
  const generator = createGenerator({
    path: TYPES,
    type: '*',
    skipTypeCheck: true,
    expose: 'all',
    topRef: false,
    additionalProperties: false,
    jsDoc: 'none',
  });
  const types = Object.values(NAMES).flatMap((name) => [`${name}Request`, `${name}Reply`]);
  const all = Object.fromEntries(types.map((type) => [type, generator.createSchema(type)]));
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, JSON.stringify(all));
  return JSON.parse(JSON.stringify(all));
}

function key(): string {
  const hash = createHash('sha256')
    .update(readFileSync(TYPES))
    .update(readFileSync(import.meta.filename));
  for (const name of MADE_OF) hash.update(readFileSync(join(ROOT, 'node_modules', name, 'package.json')));
  return hash.digest('hex').slice(0, 16);
}

/** In a reply, a field that may be null may be absent: the APIs leave such fields out themselves, whatever the types say. */
function withoutNulls(schema: unknown): Schema {
  if (Array.isArray(schema)) return schema.map(withoutNulls) as unknown as Schema;
  if (typeof schema !== 'object' || schema === null) return schema as Schema;
  const { required, ...rest } = schema as { required?: unknown };
  const fields = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, withoutNulls(value)])) as Schema;
  if (!Array.isArray(required)) return required === undefined ? fields : { ...fields, required };
  const properties = fields.properties as { readonly [name: string]: Schema } | undefined;
  return { ...fields, required: required.filter((name) => !mayBeNull(properties?.[name])) };
}

function mayBeNull(schema: Schema | undefined): boolean {
  const { type, anyOf } = schema ?? {};
  if (Array.isArray(anyOf)) return anyOf.some(mayBeNull);
  return type === 'null' || (Array.isArray(type) && type.includes('null'));
}
