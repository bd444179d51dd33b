// A chunk of its own, loaded when the first YAML is met.
import { yaml } from '../yaml/package.ts';

export const { parse } = yaml;
