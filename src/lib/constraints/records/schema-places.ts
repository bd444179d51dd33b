// Where a request to OpenAI holds schemas, to write them anew.

import { objectOf } from '../../dialects/record-rules.ts';
import { equal, isObject, type Json, type JsonObject } from '../../json/values.ts';

type Change = (schema: Json, strict: boolean) => { readonly schema: Json; readonly strict: boolean };

/** A holder of `strict` and, under `field`, a schema. The same object if nothing changes. */
function changed(holder: JsonObject, field: string, change: Change): JsonObject {
  const schema = holder[field];
  if (!isObject(schema)) return holder;
  const now = change(schema, holder.strict === true);
  if (equal(now.schema, schema) && now.strict === (holder.strict === true)) return holder;
  return { ...holder, [field]: now.schema, ...(holder.strict === true && { strict: now.strict }) };
}

/** The head with every schema of a function and of the answer changed: those of Chat, and those of Responses. */
export function eachSchema(head: JsonObject, change: Change): JsonObject {
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
