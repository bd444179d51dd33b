// What the tools that edit files do to a text. The same for the tool that does it and for the person who is asked first.
import { isObject, type Json, type JsonObject } from '../json/values.ts';
import { count, EditError, type Edited } from './edited.ts';
import { insertAt } from './insert.ts';
import { replaceExactly } from './replace.ts';
import { searchAndReplace } from './search-replace.ts';

/** One file and what happens to it. */
export interface Edit {
  readonly path: string;
  /** The file is made if it is not there. */
  readonly creates: boolean;
  /** What the file holds does not matter. */
  readonly replaces?: true;
  /** The new text. `before` is undefined if there is no file. Throws an EditError. */
  apply(before: string | undefined): Edited;
}

type Plan = (input: JsonObject) => Edit[];

const PLANS = new Map<string, Plan>([
  ['Write', planWrite],
  ['write_to_file', planWrite],
  ['Edit', (input) => [planReplacements(pathIn(input), [input])]],
  ['MultiEdit', (input) => [planReplacements(pathIn(input), listIn(input, 'edits'))]],
  ['apply_diff', planDiffs],
  ['insert_content', planInsertion],
]);

/** The edits that a call of a tool asks for; undefined if the tool edits no files. Throws an EditError for arguments that cannot be read. */
export function planEdits(tool: string, input: Json | undefined): Edit[] | undefined {
  const plan = PLANS.get(tool);
  if (plan === undefined) return undefined;
  if (!isObject(input)) throw new EditError('the arguments must be an object');
  return plan(input);
}

function planWrite(input: JsonObject): Edit[] {
  const text = textIn(input, 'content');
  const apply = (before: string | undefined): Edited => ({
    text,
    done: `${before === undefined ? 'Created' : 'Replaced'} the file (${count(lines(text), 'line')}).`,
  });
  return [{ path: pathIn(input), creates: true, replaces: true, apply }];
}

/** Replacements one after the other: all of them, or none. */
function planReplacements(path: string, edits: readonly JsonObject[]): Edit {
  const read = edits.map((edit) => ({
    before: textIn(edit, 'old_string'),
    after: textIn(edit, 'new_string'),
    all: edit.replace_all === true,
  }));
  const apply = (before: string | undefined): Edited => {
    let text = before;
    let total = 0;
    for (const [i, edit] of read.entries()) {
      const made = replaceExactly(text, edit, read.length > 1 ? `edit ${i + 1}: ` : '');
      text = made.text;
      total += made.count;
    }
    return {
      text: text ?? '',
      done: before === undefined ? 'Created the file.' : `Replaced ${count(total, 'place')}.`,
    };
  };
  return { path, creates: read[0]?.before === '', apply };
}

/** One file with its blocks (`path`, `diff`), or several (`args.file`, `files`). */
function planDiffs(input: JsonObject): Edit[] {
  const listed = isObject(input.args) ? input.args.file : input.files;
  const files = listed === undefined ? [input] : Array.isArray(listed) ? listed : [listed];
  if (files.length === 0) throw new EditError('"files" is empty');
  return files.map((file) => {
    if (!isObject(file)) throw new EditError('each file must be an object with "path" and "diff"');
    const path = pathIn(file);
    const diffs = (Array.isArray(file.diff) ? file.diff : [file.diff]).map(readDiff);
    return { path, creates: false, apply: (before) => searchAndReplace(existing(before), diffs) };
  });
}

function readDiff(diff: Json | undefined): { content: string; start?: number } {
  if (typeof diff === 'string') return { content: diff };
  if (isObject(diff)) {
    const start = Number(diff.start_line);
    return { content: textIn(diff, 'content'), ...(start > 0 && { start }) };
  }
  throw new EditError('"diff" must be a text with SEARCH/REPLACE blocks');
}

function planInsertion(input: JsonObject): Edit[] {
  const line = Number(input.line);
  if (!Number.isInteger(line) || line < 0)
    throw new EditError('"line" must be the number of a line, or 0 for the end of the file');
  const content = textIn(input, 'content');
  return [{ path: pathIn(input), creates: true, apply: (before) => insertAt(before ?? '', line, content) }];
}

/** The text of a file that has to be there. */
function existing(before: string | undefined): string {
  if (before === undefined) throw new EditError('there is no such file');
  return before;
}

function pathIn(input: JsonObject): string {
  const path = input.file_path ?? input.path;
  if (typeof path !== 'string' || path === '') throw new EditError('the path of the file is missing');
  return path;
}

function textIn(input: JsonObject, field: string): string {
  const text = input[field];
  if (typeof text !== 'string')
    throw new EditError(`"${field}" must be a text${text === undefined ? ': it is missing' : ''}`);
  return text;
}

function listIn(input: JsonObject, field: string): JsonObject[] {
  const list = input[field];
  if (!Array.isArray(list) || list.length === 0 || !list.every(isObject))
    throw new EditError(`"${field}" must be a list of objects, at least one`);
  return list;
}

const lines = (text: string): number => (text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0));
