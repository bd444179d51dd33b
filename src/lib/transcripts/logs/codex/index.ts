// Session logs of Codex: ~/.codex/sessions/YYYY/MM/DD/rollout-<time>-<id>.jsonl, and what `codex exec --json` prints.
// https://github.com/openai/codex/blob/main/codex-rs/protocol/src/protocol.rs
import type { LogFormat } from '../../../dialects/types.ts';
import { CODEX } from './name.ts';
import { read } from './read.late.ts';
import { recognise } from './recognise.ts';
import { write } from './write.late.ts';

export const codex: LogFormat = {
  name: CODEX,
  summary: "Codex's session log",
  recognise,
  read,
  write,
};
