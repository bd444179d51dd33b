// Whether a call failed: what its result says by its flag, or in the form in which programs that run commands tell it. Words in what a tool
// printed say nothing: a file about errors was read well.

import type { ToolCallPart, ToolResultPart } from '../../lib/conversation/types.ts';
import { isObject } from '../../lib/json/values.ts';
import { textOf } from './clip.ts';
import { firstError } from './digest/errors.ts';

/** What such tools are called: Bash, run_shell_command, execute_bash, exec_command, local_shell, terminal … */
const RUNS = /bash|shell|exec|terminal|command|cmd|(?:^|_)run(?:_|$)|process/i;

/** The line with the exit status, as agents write it. */
const FORMS: readonly RegExp[] = [
  // Claude Code, Codex, Gemini CLI
  /^exit code:? (-?\d+)$/i,
  // OpenHands, pi, Codex' unified exec
  /^\[?(?:the )?(?:command|process) (?:completed|finished|exited|failed)(?: with)? (?:exit )?(?:code|status):? (-?\d+)\.?\]?$/i,
  // Copilot
  /^<?exited with (?:exit )?(?:code|status) (-?\d+)>?$/i,
  // Roo Code
  /^command executed in terminal .*\. exit code: (-?\d+)$/i,
  // ai-exec
  /^\(exit status (\d+)\)$/,
];

/** Its place is the first line, or one of the last. */
const LAST = 6;
/** Of a long text no more is looked at. Characters. */
const ENDS = 2000;

/** What went wrong, in one line; undefined: nothing says that it failed. */
export function failureOf(result: ToolResultPart, call: ToolCallPart | undefined): string | undefined {
  const text = textOf(result.parts);
  if (result.error === true) return firstError(text, true) ?? 'the result says so';
  const status = call !== undefined && RUNS.test(call.name) ? exitStatus(text) : undefined;
  if (status === undefined || status === 0) return undefined;
  return [`exit code ${status}`, firstError(text, false) ?? []].flat().join(': ');
}

function exitStatus(text: string): number | undefined {
  const noted = text.startsWith('{') ? notedStatus(text) : undefined;
  if (noted !== undefined) return noted;
  const lines = `${text.slice(0, ENDS)}\n`.split('\n', 1).concat(lastLines(text.slice(-ENDS)));
  for (const line of lines)
    for (const form of FORMS) {
      const status = form.exec(line.trim())?.[1];
      if (status !== undefined) return Number(status);
    }
  return undefined;
}

const lastLines = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-LAST);

/** Codex: `{"output":…,"metadata":{"exit_code":1}}`. */
function notedStatus(text: string): number | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const metadata = isObject(value) && typeof value.output === 'string' ? value.metadata : undefined;
    return isObject(metadata) && typeof metadata.exit_code === 'number' ? metadata.exit_code : undefined;
  } catch {
    return undefined;
  }
}
