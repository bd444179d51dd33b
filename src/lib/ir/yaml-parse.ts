// A chunk of its own, loaded when the first YAML is met. https://eemeli.org/yaml/
export type { Document } from 'yaml';
export { isNode, LineCounter, parse, parseDocument } from 'yaml';
