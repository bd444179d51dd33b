// Write, Edit, MultiEdit and their like: plan, read, change, write.
import { type ToolContext, ToolError } from '../lib/cli/tool.ts';
import { type Edit, planEdits } from '../lib/editing/edit.ts';
import { EditError } from '../lib/editing/edited.ts';
import type { JsonObject } from '../lib/json/values.ts';
import { readText, writeWhole } from './files.ts';
import { shown, writable } from './roots.ts';

/** The tool of this name: it changes every file that it was asked to, or none if there is only one and that fails. */
export function editor(name: string): (input: JsonObject, context: ToolContext) => string {
  return (input, context) => {
    const edits = planned(name, input);
    const [only] = edits;
    if (edits.length === 1 && only) return apply(only, context);
    const told = edits.map((edit) => attempt(edit, context));
    if (told.every(({ failed }) => failed)) throw new ToolError(told.map(({ says }) => says).join('\n'));
    return told.map(({ says }) => says).join('\n');
  };
}

function planned(name: string, input: JsonObject): Edit[] {
  try {
    return planEdits(name, input) ?? [];
  } catch (error) {
    throw asToolError(error, '');
  }
}

function attempt(edit: Edit, context: ToolContext): { says: string; failed: boolean } {
  try {
    return { says: apply(edit, context), failed: false };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { says: error.message, failed: true };
  }
}

function apply({ path, creates, replaces, apply: change }: Edit, context: ToolContext): string {
  const real = writable(path, context);
  const before = replaces ? existing(real, path) : readText(real, path);
  if (before === undefined && !creates) throw new ToolError(`${path}: there is no such file`);
  try {
    const { text, done } = change(before?.text);
    writeWhole(real, path, (before?.mark ?? '') + text, context.random());
    return `${shown(real, context)}: ${done}`;
  } catch (error) {
    throw asToolError(error, `${path}: `);
  }
}

/** Of a file that is replaced it only counts that it is there. */
function existing(real: string, path: string): { text: string; mark: string } | undefined {
  const { statSync } = process.getBuiltinModule('node:fs');
  const stat = statSync(real, { throwIfNoEntry: false });
  if (stat?.isDirectory()) throw new ToolError(`${path} is a directory`);
  return stat && { text: '', mark: '' };
}

const asToolError = (error: unknown, where: string): unknown =>
  error instanceof EditError ? new ToolError(where + error.message) : error;
