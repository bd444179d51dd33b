// A chunk of its own, loaded when the first YAML is met. https://eemeli.org/yaml/
export { parse } from 'yaml';
