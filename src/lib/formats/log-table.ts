// Every session log. Apart from table.ts, so that the programs that need none do not load them.
import type { JsonObject } from '../ir/json.ts';
import type { FormatName } from '../ir/types.ts';
import { atif } from './atif/index.ts';
import { claudeCode } from './claude-code/index.ts';
import { codex } from './codex/index.ts';
import { geminiCli } from './gemini-cli/index.ts';
import { opencode } from './opencode/index.ts';
import { pi } from './pi/index.ts';
import type { LogFormat } from './types.ts';

export const LOGS: readonly LogFormat[] = [claudeCode, codex, pi, geminiCli, opencode, atif];

export function logNamed(name: FormatName): LogFormat | undefined {
  return LOGS.find((log) => log.name === name);
}

/** The log that a record is a line of, if it is one. */
export function logOf(value: JsonObject): LogFormat | undefined {
  return LOGS.find((log) => log.recognise(value));
}
