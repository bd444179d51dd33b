// Reads the input: records, or a text as one question. Loads nothing that works on conversations: that is loaded when there is one.
import type { Context } from '../../lib/cli/filter.ts';
import { badInput } from '../../lib/failure/failure.ts';
import { type Records, readRecords } from '../../lib/jsonl/read.ts';
import { textAsRecord } from '../../lib/jsonl/text.ts';

/** The records of the inputs; a text becomes one message of the user. */
export const readInput = ({ inputs }: Records, context: Context): Records =>
  readRecords(
    inputs.map((input) => textAsRecord(input, (content) => ({ role: 'user', content }))),
    (failure) => context.bad(failure),
  );

/** The Failure for an input without a conversation. */
export const emptyInput = () =>
  badInput(
    undefined,
    'cannot answer: the input is empty',
    'an earlier program in the pipe may have failed; to accept empty input, use --allow-empty',
  );
