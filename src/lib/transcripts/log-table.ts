// Every session log. Apart from table.ts, so that the programs that need none do not load them.

import type { FormatName } from '../conversation/types.ts';
import type { LogFormat } from '../dialects/types.ts';
import type { JsonObject } from '../json/values.ts';
import { claudeCode } from './logs/claude-code/index.ts';
import { codex } from './logs/codex/index.ts';
import { geminiCli } from './logs/gemini-cli/index.ts';
import { opencode } from './logs/opencode/index.ts';
import { pi } from './logs/pi/index.ts';
import { atif } from './texts/atif/index.ts';

export const LOGS: readonly LogFormat[] = [claudeCode, codex, pi, geminiCli, opencode, atif];

export function logNamed(name: FormatName): LogFormat | undefined {
  return LOGS.find((log) => log.name === name);
}

/** The log that a record is a line of, if it is one. */
export function logOf(value: JsonObject): LogFormat | undefined {
  return LOGS.find((log) => log.recognise(value));
}
