// What comes in: records, or a text as the question that it is. Without what works on conversations, which is loaded when there is one.
import type { Context } from '../../lib/cli/filter.ts';
import { badInput } from '../../lib/failure/failure.ts';
import { type Records, readRecords } from '../../lib/jsonl/read.ts';
import { textAsRecord } from '../../lib/jsonl/text.ts';

/** The records of the inputs; a text is one message of the user. */
export const recordsIn = ({ inputs }: Records, context: Context): Records =>
  readRecords(
    inputs.map((input) => textAsRecord(input, (content) => ({ role: 'user', content }))),
    (failure) => context.bad(failure),
  );

/** No record has come where one is needed. */
export const nothing = () =>
  badInput(
    undefined,
    'cannot answer: the input is empty',
    'an earlier program in the pipe may have failed; to accept empty input, use --allow-empty',
  );
