// Where Chat, and the APIs with its shapes, hold JSON Schemas, and whether OpenAI's own servers are meant.
import { modelName } from '../../conversation/model-name.ts';
import { equal, isObject, type JsonObject } from '../../json/values.ts';
import {
  answerSchema,
  type ChangeSchema,
  listOf,
  type NamedSchema,
  objectOf,
  type Records,
  toolSchema,
} from '../record-rules.ts';

/** The models that OpenAI serves, under its own names for them; without a model, one that nobody named yet. */
export function isOpenAIs({ head }: Records): boolean {
  const model = head?.model;
  if (model === undefined) return true;
  return typeof model === 'string' && !model.includes('/') && modelName(model)?.family === 'gpt';
}

export const chatTools = (head: JsonObject): NamedSchema[] =>
  listOf(head.tools).flatMap(({ function: fn }) =>
    toolSchema(objectOf(fn).name, objectOf(fn).parameters, objectOf(fn).strict),
  );

export const chatAnswer = ({ response_format }: JsonObject): NamedSchema[] => {
  const { schema, strict } = objectOf(objectOf(response_format).json_schema);
  return answerSchema(schema, strict);
};

/** A holder of `strict` and, under `field`, a schema. The same object if nothing changes. */
function changed(holder: JsonObject, field: string, change: ChangeSchema): JsonObject {
  const schema = holder[field];
  if (!isObject(schema)) return holder;
  const now = change(schema, holder.strict === true);
  if (equal(now.schema, schema) && now.strict === (holder.strict === true)) return holder;
  return { ...holder, [field]: now.schema, ...(holder.strict === true && { strict: now.strict }) };
}

/** The head with every schema of a function and of the answer changed: those of Chat, and those of Responses. */
export function changeOpenAISchemas(head: JsonObject, change: ChangeSchema): JsonObject {
  const { tools, response_format, text } = head;
  const now = { ...head };
  if (Array.isArray(tools))
    now.tools = tools.map((tool) => {
      if (!isObject(tool)) return tool;
      return isObject(tool.function)
        ? { ...tool, function: changed(tool.function, 'parameters', change) }
        : changed(tool, 'parameters', change);
    });
  if (isObject(response_format) && isObject(response_format.json_schema))
    now.response_format = { ...response_format, json_schema: changed(response_format.json_schema, 'schema', change) };
  if (isObject(text) && isObject(text.format))
    now.text = { ...text, format: changed(objectOf(text.format), 'schema', change) };
  return equal(now, head) ? head : now;
}
