// A call as a person sees it before it runs: what it would do, with every control character spelled out.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CallRecord } from '../../lib/conversation/loop-records.ts';
import { planEdits } from '../../lib/editing/edit.ts';
import { EditError } from '../../lib/editing/edited.ts';
import { isObject, type Json } from '../../lib/json/values.ts';
import { visible } from '../../lib/text/control-characters.ts';

/** More lines are shown when they are asked for. */
const LINES = 200;

interface Preview {
  readonly lines: readonly string[];
  /** Lines that were left out of the middle. */
  readonly hidden: number;
}

/** Each line begins with a bar, so that nothing in the call can look like a line of ours. */
export async function preview(call: CallRecord, cwd: string, whole = false): Promise<Preview> {
  const text = (await diffOf(call, cwd)) ?? spelled(call.input ?? call.text ?? null);
  const lines = text.split('\n').map((line) => `  | ${visible(line).replaceAll('\t', '    ')}`);
  if (whole || lines.length <= LINES) return { lines, hidden: 0 };
  const half = LINES / 2;
  const hidden = lines.length - LINES;
  return { lines: [...lines.slice(0, half), `  … ${hidden} lines are not shown …`, ...lines.slice(-half)], hidden };
}

/** The change that an edit would make now; why it cannot be made; undefined for other calls. */
async function diffOf({ name, input }: CallRecord, cwd: string): Promise<string | undefined> {
  try {
    const edits = planEdits(name, input);
    if (edits === undefined) return undefined;
    const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import('diff');
    const patches = edits.map(({ path, apply }) => {
      const before = textAt(resolve(cwd, path));
      const { text } = apply(before);
      const from = before === undefined ? '/dev/null' : path;
      const options = { context: 3, timeout: 3000, headerOptions: FILE_HEADERS_ONLY };
      return createTwoFilesPatch(from, path, before ?? '', text, undefined, undefined, options) ?? `${path}:\n${text}`;
    });
    return patches.join('\n').trimEnd();
  } catch (error) {
    if (!(error instanceof EditError)) throw error;
    return `${spelled(input ?? null)}\n(it would fail: ${error.message})`;
  }
}

function textAt(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Arguments, one to a line; texts as they are, since that is how they will be used. */
function spelled(input: Json): string {
  if (!isObject(input)) return JSON.stringify(input, null, 2);
  return Object.entries(input)
    .map(([key, value]) => {
      if (typeof value !== 'string') return `${key}: ${JSON.stringify(value, null, 2)}`;
      return value.includes('\n') ? `${key}:\n${value.replace(/^/gm, '    ')}` : `${key}: ${value}`;
    })
    .join('\n');
}
