// The form of the answer: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_OutputConfig.html

import type { Form, Head, Lose, ResponseFormat } from '../../conversation/types.ts';
import { equal, isObject, type Json, type JsonObject } from '../../json/values.ts';
import { optional } from '../codec/fields.ts';
import { own, residual } from '../codec/residual.ts';
import { effortIsModels } from './model-fields.ts';
import { BEDROCK } from './name.ts';
import type { JsonSchemaFields, OutputConfigFields, OutputFormatFields } from './types.ts';

interface Output {
  readonly format?: ResponseFormat;
  readonly effort?: string;
  readonly form?: Form;
  readonly rest?: JsonObject;
}

/** The schema as it was spelled: a text of JSON. */
const SCHEMA = `${BEDROCK}:schema`;

export function readOutputConfig(native: unknown): Output {
  if (!isObject(native)) return {};
  const { textFormat, effort, ...more } = native as OutputConfigFields;
  const read = readFormat(textFormat);
  const kept = { textFormat: read ? undefined : textFormat, effort: typeof effort === 'string' ? undefined : effort };
  return {
    format: read?.format,
    effort: typeof effort === 'string' ? effort : undefined,
    form: read && { [SCHEMA]: read.spelled },
    rest: residual(BEDROCK, more, kept)?.[BEDROCK],
  };
}

/** undefined for a format that is no schema. */
function readFormat(native: unknown): { format: ResponseFormat; spelled: string } | undefined {
  if (!isObject(native)) return undefined;
  const { type, structure, ...rest } = native as OutputFormatFields;
  const definition = isObject(structure) && Object.keys(structure).length === 1 ? structure.jsonSchema : undefined;
  if (type !== 'json_schema' || !isObject(definition)) return undefined;
  const { schema: spelled, name, description, ...more } = definition as JsonSchemaFields;
  const schema = typeof spelled === 'string' ? parsed(spelled) : undefined;
  if (spelled === undefined || schema === undefined) return undefined;
  const inner = residual(BEDROCK, more)?.[BEDROCK];
  const ext = residual(BEDROCK, rest, { jsonSchema: inner });
  return { format: { type: 'schema', name, description, schema, ext }, spelled };
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function writeOutputConfig(head: Head, kept: JsonObject, lose: Lose): JsonObject | undefined {
  const { responseFormat, reasoning, form } = head;
  if (responseFormat?.type === 'json') lose('response_format', 'the API has no JSON without a schema');
  const effort = effortIsModels(head) || reasoning?.effort === 'none' ? undefined : (reasoning?.effort ?? undefined);
  const textFormat = responseFormat?.type === 'schema' ? writeFormat(responseFormat, form?.[SCHEMA], lose) : undefined;
  return optional({ ...kept, ...optional({ effort, textFormat }) });
}

function writeFormat(format: ResponseFormat, spelled: string | undefined, lose: Lose): JsonObject {
  const { name, description, schema = {}, strict } = format;
  const { jsonSchema: inner, ...kept } = own(format.ext, BEDROCK) ?? {};
  if (strict === false) lose('response_format.strict', 'schemas are always strict');
  const same = spelled !== undefined && equal(parsed(spelled), schema);
  const definition = { schema: same ? spelled : JSON.stringify(schema), ...optional({ name, description }) };
  return { ...kept, type: 'json_schema', structure: { jsonSchema: { ...(inner as JsonObject), ...definition } } };
}
