// Arguments in YAML.
import { isObject, type JsonObject } from '../json/values.ts';
import { parseYaml } from './yaml-parse.late.ts';

/** Longer texts are not read: no call in YAML is that long. */
const LONGEST = 1 << 16;

/** The mapping that a text is in YAML; undefined if it is none. */
export function readYaml(text: string): JsonObject | undefined {
  if (text.length > LONGEST || !/^[ \t]*[\w.-]+[ \t]*:/m.test(text)) return undefined;
  try {
    const value = parseYaml(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
