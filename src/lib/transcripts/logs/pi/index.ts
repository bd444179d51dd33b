// Session logs of pi: ~/.pi/agent/sessions/--<directory>--/<time>_<id>.jsonl
// https://github.com/badlogic/pi-mono/blob/main/packages/coding-agent/docs/session.md
import type { LogFormat } from '../../../dialects/types.ts';
import { PI } from './name.ts';
import { read } from './read.late.ts';
import { recognise } from './recognise.ts';
import { write } from './write.late.ts';

export const pi: LogFormat = {
  name: PI,
  summary: "pi's session log",
  recognise,
  read,
  write,
};
