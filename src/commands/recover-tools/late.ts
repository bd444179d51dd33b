// What does the work, loaded when a text is met that can hold a call: most streams have none.
import { loadLate } from '../../lib/ir/late.ts';
import type * as recovery from './recovery.ts';

export function recoveryModule(): typeof recovery {
  return loadLate(import.meta.url, 'recovery') as typeof recovery;
}
