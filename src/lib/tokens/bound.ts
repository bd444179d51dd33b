// No model takes more tokens than this: what can be said of a request without counting.
import type { Tool } from '../conversation/types.ts';
import { Counter } from './count.ts';
import { DEAREST } from './families.ts';
import { toolText } from './tool-text.ts';

/** No token is less than a byte of the text. */
const bytes = (text: string): number => Buffer.byteLength(text);

class Bound extends Counter {
  constructor() {
    super(DEAREST, 1, bytes);
  }

  /** Whichever spelling a family's models are shown. */
  override tool(tool: Tool): number {
    return Math.max(super.tool(tool), this.text(toolText(tool)) + 8);
  }
}

/** Counts like any counter, and never less than that of any family. */
export const BOUND: Counter = new Bound();
