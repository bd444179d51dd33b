// `--show-config`: every value with the layer that it came from.
import { type Layer, origins } from './layers.ts';

/** What may be a secret is not shown. */
const SECRET = /^key$|authorization|secret|password|token$/i;

/** One value a line: its path, the value as JSON, and its place, with tabs between them. */
export function renderConfig(layers: readonly Layer[]): string {
  return origins(layers)
    .map(({ path, value, place, hidden }) => {
      const secret = hidden || path.some((name) => SECRET.test(name)) || path.includes('headers');
      return `${path.map(step).join('.')}\t${secret ? '(not shown)' : JSON.stringify(value)}\t${place}\n`;
    })
    .join('');
}

const step = (name: string): string => (/^[\w-]+$/.test(name) ? name : JSON.stringify(name));
