// Constraints that an API refuses, kept in the description: a last line `Constraints: {"minimum":1}`. Models read it, and we read it back.
import { isObject, type Json, type JsonObject } from '../json/values.ts';

const MARK = 'Constraints: ';

/** The node with constraints in its description instead of in keywords. */
export function withNote(node: JsonObject, constraints: JsonObject): JsonObject {
  if (Object.keys(constraints).length === 0) return node;
  const [text, before] = apart(node.description);
  const note = `${MARK}${JSON.stringify({ ...before, ...constraints })}`;
  return { ...node, description: text === '' ? note : `${text}\n${note}` };
}

/** The node with the constraints of its description as keywords again, and the description as it was. */
export function withoutNote(node: JsonObject): JsonObject {
  const [text, constraints] = apart(node.description);
  if (constraints === undefined) return node;
  const { description: _, ...rest } = node;
  const { optional: _o, ...keywords } = constraints;
  return { ...rest, ...(text !== '' && { description: text }), ...keywords };
}

/** Whether the note says that the property may be left out: strict modes require it, and take null for it. */
export const isOptional = (node: Json | undefined): boolean =>
  isObject(node) && apart(node.description)[1]?.optional === true;

/** The text of a description, and the constraints behind it. */
function apart(description: Json | undefined): [text: string, constraints?: JsonObject] {
  if (typeof description !== 'string') return [''];
  const at = description.lastIndexOf(MARK);
  if (at < 0 || (at > 0 && description[at - 1] !== '\n') || !description.endsWith('}')) return [description];
  try {
    const constraints: unknown = JSON.parse(description.slice(at + MARK.length));
    if (isObject(constraints) && Object.keys(constraints).every((key) => RESTORED.has(key)))
      return [description.slice(0, Math.max(0, at - 1)), constraints];
  } catch {
    // Somebody's own words.
  }
  return [description];
}

/** Keywords that a note may hold: https://json-schema.org/draft/2020-12 */
const RESTORED = new Set(
  `$ref additionalProperties allOf anyOf contains default dependentRequired dependentSchemas discriminator else enum examples exclusiveMaximum
  exclusiveMinimum format if maxContains maxItems maxLength maxProperties maximum minContains minItems minLength minProperties minimum
  multipleOf not oneOf optional pattern patternProperties prefixItems propertyNames then title unevaluatedItems unevaluatedProperties
  uniqueItems const`.split(/\s+/),
);
