// Arguments in YAML.
import { isObject, type JsonObject } from '../ir/json.ts';
import { late } from './late.ts';

/** Longer texts are not read: no call in YAML is that long. */
const LONGEST = 1 << 16;

/** The mapping that a text is in YAML; undefined if it is none. */
export function readYaml(text: string): JsonObject | undefined {
  if (text.length > LONGEST || !/^[ \t]*[\w.-]+[ \t]*:/m.test(text)) return undefined;
  try {
    // Aliases could make a small text large; dates and the like stay strings.
    const value: unknown = late('yaml-parse').parse(text, { schema: 'core', maxAliasCount: 0, logLevel: 'silent' });
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
