// Session logs of Claude Code: ~/.claude/projects/<directory>/<session>.jsonl, and what `claude -p --output-format stream-json` prints.
// https://code.claude.com/docs/en/sessions
import type { LogFormat } from '../../../dialects/types.ts';
import { CLAUDE_CODE } from './name.ts';
import { read } from './read.late.ts';
import { recognise } from './recognise.ts';
import { write } from './write.late.ts';

export const claudeCode: LogFormat = {
  name: CLAUDE_CODE,
  summary: "Claude Code's session log",
  marks: true,
  recognise,
  read,
  write,
};
