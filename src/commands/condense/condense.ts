// One conversation made to fit.
import { type Conversation, headOf } from '../../lib/conversion/gather.ts';
import { EXIT, Failure } from '../../lib/failure/failure.ts';
import { Condenser, type Subject, type Task, whereOf } from './condenser.ts';
import { imagesOf, sizeBefore, sizeOf, withoutImages } from './limits.ts';
import { entriesIn, headWith, mend } from './mend.ts';
import type { Outcome } from './outcome.ts';
import { condenseSystem } from './system.ts';
import { readTranscript } from './transcript.ts';

/** A conversation as it came. */
const asItCame = (conversation: Conversation): Subject => ({
  conversation,
  transcript: readTranscript(entriesIn(conversation)),
  counted: new Map(),
});

/** The same as its API would take it. */
const asItShould = (subject: Subject): Subject => {
  const { entries } = subject.transcript;
  const { entries: mended, head } = mend(subject.conversation, entries);
  const transcript = mended === entries ? subject.transcript : readTranscript(mended);
  return { ...subject, transcript, ...(head && { head }) };
};

/** A conversation as it is worked on. Throws a Failure (65) where it cannot be read. */
export const subjectOf = (conversation: Conversation): Subject => asItShould(asItCame(conversation));

/** undefined: the conversation fits as it is. Throws a Failure (1) with the floor where nothing makes it fit, or (65) where it cannot be read. */
export function condense(conversation: Conversation, task: Task): Outcome | undefined {
  const came = asItCame(conversation);
  const { bytes, images = Number.POSITIVE_INFINITY } = task.limits;
  const over = !new Condenser(came, task).fits;
  const bare = task.system === 'always' || (task.system === 'over' && over);
  const stays = !over && !bare && imagesOf(came.transcript) <= images;
  if (stays && (bytes === undefined || sizeBefore(conversation) <= bytes)) return undefined;
  const mended = asItShould(came);
  const given = { ...mended, transcript: withoutImages(mended.transcript, images) };
  checkImages(given, images);
  const subject = bare ? withoutTalk(given) : given;
  const condenser = new Condenser(subject, task);
  if (bare) tellSaved(new Condenser(given, task), condenser, task);
  const { outcome } = condenser;
  return bytes === undefined ? outcome : withinBytes(subject, task, bytes, outcome);
}

function tellSaved(before: Condenser, after: Condenser, { note }: Task): void {
  const saved = before.tokensIn(before.unchanged) - after.tokensIn(after.unchanged);
  note(
    saved > 0 ? `the system prompt takes ${Math.round(saved)} tokens less` : 'the system prompt has nothing to remove',
  );
}

function checkImages({ conversation, transcript }: Subject, most: number): void {
  if (imagesOf(transcript) <= most) return;
  throw new Failure(EXIT.no, `cannot reduce the conversation to ${most} images`, { place: whereOf(conversation) });
}

/** Without what a system prompt can spare. */
function withoutTalk(subject: Subject): Subject {
  const { conversation, transcript, head } = subject;
  const entries = transcript.entries.map((entry) => {
    const { message } = entry;
    if (message === undefined || (message.role !== 'system' && message.role !== 'developer')) return entry;
    const made = condenseSystem(message);
    return made === message ? entry : { ...entry, message: made, by: [...(entry.by ?? []), 'system'] };
  });
  const above = head ? { ...conversation, head } : conversation;
  const shorter = headWith(above, headOf(above).messages.map(condenseSystem));
  return { ...subject, transcript: { ...transcript, entries }, ...(shorter && { head: shorter }) };
}

/** How often a smaller number of tokens is tried. */
const TRIES = 40;

/** Fewer images, then fewer and fewer tokens, until the bytes fit too. */
function withinBytes(given: Subject, task: Task, most: number, first: Outcome): Outcome {
  const { conversation } = given;
  let subject = given;
  let condenser = new Condenser(subject, task);
  let outcome: Outcome | undefined = first;
  for (let tries = 0; tries < TRIES && outcome !== undefined; tries++) {
    const size = sizeOf(outcome, conversation);
    if (size <= most) return outcome;
    const images = imagesOf(subject.transcript);
    let { budget } = task.bounds;
    if (images > 0) {
      const left = Math.min(images - 1, Math.floor((images * most) / size));
      subject = { ...given, transcript: withoutImages(subject.transcript, left) };
    } else budget = condenser.tokensIn(outcome) * Math.min(0.97, (0.99 * most) / size);
    condenser = new Condenser(subject, { ...task, bounds: { budget, trigger: budget, batched: budget } });
    outcome = fitting(condenser);
  }
  const { least } = condenser;
  const floor = sizeOf(least, conversation);
  if (floor <= most) return least;
  const why = `cannot fit ${most} bytes: what must be kept takes ${floor} bytes`;
  throw new Failure(EXIT.no, why, { place: whereOf(conversation), hint: 'use a larger --max-bytes' });
}

function fitting(condenser: Condenser): Outcome | undefined {
  try {
    return condenser.outcome;
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== EXIT.no) throw error;
    return undefined;
  }
}
