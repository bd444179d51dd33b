// Schemas of tools and answers as the API takes them: see the room `schema`.

import type { FormatName, Lose, ResponseFormat, Tool } from '../../conversation/types.ts';
import { type Adaptation, eachMessage } from '../../conversion/adaptation.ts';
import { constraintsOf } from '../../dialects/table.ts';
import type { Json } from '../../json/values.ts';
import { restored, schemaFor } from '../../json-schema/rewrite.ts';
import type { SchemaTarget, Told } from '../../json-schema/targets.ts';

/** Rewrites what the API refuses, and turns back what was rewritten for another. */
export function goodSchemas(to: FormatName): Adaptation {
  return eachMessage((head, lose) => {
    const tools = head.tools?.map((tool) => forTool(tool, to, lose));
    const responseFormat = head.responseFormat && forAnswer(head.responseFormat, to, lose);
    const same =
      responseFormat === head.responseFormat && (tools?.every((tool, i) => tool === head.tools?.[i]) ?? true);
    return same ? head : { ...head, tools, responseFormat };
  });
}

function forTool(tool: Tool, to: FormatName, lose: Lose): Tool {
  if (tool.schema === undefined || tool.type !== 'function') return tool;
  const schema = forApi(tool.schema, targetOf(to, tool.strict === true), `tools: ${tool.name}`, lose);
  return schema === tool.schema ? tool : { ...tool, schema };
}

/** OpenAI keeps to a schema only if it is strict, and needs a name for it; elsewhere a schema is kept to in any case. */
function forAnswer(format: ResponseFormat, to: FormatName, lose: Lose): ResponseFormat {
  if (format.type !== 'schema' || format.schema === undefined) return format;
  const openai = constraintsOf(to).namedSchemas === true;
  const strict = openai ? (format.strict ?? format.name === undefined) : true;
  const schema = forApi(format.schema, targetOf(to, strict), 'response format', lose);
  if (!openai) return schema === format.schema ? format : { ...format, schema };
  if (format.name === undefined) lose('response format', 'the API requires a name: "response"', 'added');
  return { ...format, schema, strict: format.strict ?? (strict || undefined) };
}

function forApi(schema: Json, target: SchemaTarget | undefined, field: string, lose: Lose): Json {
  const tell: Told = (keyword, why, fate) => lose(`${field}: ${keyword}`, why, fate);
  const plain = restored(schema);
  return target === undefined ? plain : schemaFor(target, plain, tell);
}

/** Which of an API's two ways with schemas; undefined for an API that takes them as they are. */
export function targetOf(to: FormatName, strict: boolean): SchemaTarget | undefined {
  const { schemas } = constraintsOf(to);
  return strict ? schemas?.strict : schemas?.usual;
}
