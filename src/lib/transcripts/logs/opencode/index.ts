// Sessions of opencode: ~/.local/share/opencode/storage/{session,message,part}/…, and what `opencode export` prints.
// https://github.com/sst/opencode/blob/dev/packages/opencode/src/session/message-v2.ts
import type { LogFormat } from '../../../dialects/types.ts';
import { OPENCODE } from './name.ts';
import { recognise } from './objects.ts';
import { read } from './read.late.ts';

export const opencode: LogFormat = {
  name: OPENCODE,
  summary: "opencode's session, message and part objects",
  unit: 'files',
  recognise,
  read,
};
