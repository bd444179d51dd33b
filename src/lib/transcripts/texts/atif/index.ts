// ATIF, the Agent Trajectory Interchange Format (versions 1.4 and 1.5): one JSON object for a whole run, for evaluation and training.
// https://github.com/laude-institute/harbor/blob/main/docs/rfcs/0001-trajectory-format.md
import type { LogFormat } from '../../../dialects/types.ts';
import { ATIF } from './name.ts';
import { read } from './read.late.ts';
import { write } from './write.late.ts';

export const atif: LogFormat = {
  name: ATIF,
  summary: 'agent trajectories (ATIF)',
  unit: 'record',
  recognise: ({ schema_version, steps }) =>
    typeof schema_version === 'string' && schema_version.startsWith('ATIF') && Array.isArray(steps),
  read,
  write,
};
