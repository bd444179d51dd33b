// Loaded when the first YAML is met.
import { yaml } from '../yaml/parser.ts';

/** Aliases could make a small text large; dates and the like stay strings. Throws for a text that is no YAML. */
export function parseYaml(text: string): unknown {
  return yaml.parse(text, { schema: 'core', maxAliasCount: 0, logLevel: 'silent' });
}
