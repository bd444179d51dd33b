// One text for one JSON value, so that a digest of it means the value and not its spelling. RFC 8785: https://www.rfc-editor.org/rfc/rfc8785
import { isObject, type Json } from './values.ts';

/** The canonical JSON text: keys in the order of their UTF-16 units, no blanks. A field whose value is undefined is absent. */
export function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const fields = Object.keys(value)
    .sort()
    .flatMap((key) => {
      const field = value[key];
      return field === undefined ? [] : [`${JSON.stringify(key)}:${canonical(field)}`];
    });
  return `{${fields.join(',')}}`;
}
