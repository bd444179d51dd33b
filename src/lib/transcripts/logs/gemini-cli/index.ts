// Session logs of Gemini CLI: ~/.gemini/tmp/<project>/chats/session-*.jsonl, and the single JSON objects of before.
// https://github.com/google-gemini/gemini-cli/blob/main/packages/core/src/services/chatRecordingTypes.ts
import type { LogFormat } from '../../../dialects/types.ts';
import { GEMINI_CLI } from './name.ts';
import { read } from './read.late.ts';
import { recognise } from './recognise.ts';

export const geminiCli: LogFormat = {
  name: GEMINI_CLI,
  summary: "Gemini CLI's session log",
  recognise,
  read,
};
