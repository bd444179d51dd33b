// A Jupyter notebook as text: its cells and what they printed. https://nbformat.readthedocs.io/en/latest/format_description.html
import { ToolError } from '../lib/cli/tool.ts';
import { isObject, type JsonObject } from '../lib/json/values.ts';

/** The cells of a notebook, each with its number and kind. */
export function cells(source: string, path: string): string {
  const notebook = parse(source);
  if (!Array.isArray(notebook?.cells)) throw new ToolError(`${path} is not a notebook`);
  return notebook.cells
    .filter(isObject)
    .map((cell, i) =>
      [`[${i + 1}] ${String(cell.cell_type)}`, joined(cell.source), ...outputs(cell)]
        .filter((part) => part !== '')
        .join('\n'),
    )
    .join('\n\n');
}

function parse(source: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(source);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const joined = (value: unknown): string =>
  Array.isArray(value) ? value.join('') : typeof value === 'string' ? value : '';

function outputs({ outputs: all }: JsonObject): string[] {
  if (!Array.isArray(all)) return [];
  return all.filter(isObject).map((output) => {
    const data = isObject(output.data) ? joined(output.data['text/plain']) : '';
    const trouble = output.output_type === 'error' ? `${String(output.ename)}: ${String(output.evalue)}` : '';
    return `→ ${joined(output.text) || data || trouble}`.trimEnd();
  });
}
