// `--check RULES`: the tests that a policy brings along, as TAP (https://testanything.org).
import { anyOf, type GlobCompiler } from '../../lib/config/glob.ts';
import type { PolicyTest } from '../../lib/config/types.ts';
import { type Conversation, conversations } from '../../lib/conversion/gather.ts';
import { EXIT, Failure } from '../../lib/failure/failure.ts';
import { record } from '../../lib/json/record.ts';
import type { Json } from '../../lib/json/values.ts';
import { classify } from './classify.ts';
import { type Decision, nameOf } from './decision.ts';
import type { Router } from './router.ts';
import { takeSwaps } from './swap.ts';
import { View } from './view.ts';

/** Expected of a conversation that no model fits. */
const NONE = 'none';

interface Checked {
  readonly text: string;
  readonly failed: number;
}

/** Runs the tests; throws a Failure (78) if there are none. */
export function runTests(tests: readonly PolicyTest[], router: Router, glob: GlobCompiler, file: string): Checked {
  if (tests.length === 0) throw new Failure(EXIT.config, 'cannot run tests: the file has none', { place: file });
  const lines = tests.map((test, at) => {
    const wrong = problem(test, router, glob, `${file}: tests[${at}]`);
    const name = (test.name ?? test.text ?? 'a conversation').replace(/[\0-\x1f\x7f#\\]/g, ' ').slice(0, 100);
    return wrong === undefined ? `ok ${at + 1} - ${name}` : `not ok ${at + 1} - ${name}\n  # ${wrong}`;
  });
  const failed = lines.filter((line) => line.startsWith('not ok')).length;
  return { text: `1..${tests.length}\n${lines.join('\n')}\n`, failed };
}

function problem(test: PolicyTest, router: Router, glob: GlobCompiler, place: string): string | undefined {
  const { conversation, name } = takeSwaps(conversationOf(test, place));
  const view = new View(conversation);
  const outcome = decide(router, view, name);
  const got = typeof outcome === 'string' ? outcome : `${nameOf(outcome)}: ${outcome.reason}`;
  const expect = typeof test.expect === 'string' ? { model: test.expect } : test.expect;
  const is = (wanted: string) => fits(wanted, outcome, router, glob, place);
  if (expect.model !== undefined && !is(expect.model)) return `expected ${expect.model}, got ${got}`;
  if (expect.not !== undefined && is(expect.not)) return `expected anything but ${expect.not}, got ${got}`;
  const rule = typeof outcome === 'string' ? undefined : outcome.rule;
  if (expect.rule !== undefined && rule !== expect.rule) return `expected the rule ${expect.rule}, got ${got}`;
  const task = view.classified(classify)?.task;
  if (expect.task !== undefined && task !== expect.task)
    return `expected the task ${expect.task}, found ${task ?? 'none'}`;
  return undefined;
}

/** The decision, or why there is none. */
function decide(router: Router, view: View, swap: string | undefined): Decision | string {
  try {
    return (
      router.decide(view, swap === undefined ? undefined : { name: swap, from: 'user' }) ??
      `the model of the head: ${view.requested}`
    );
  } catch (error) {
    if (error instanceof Failure && error.status === EXIT.no) return `${NONE}: ${error.message}`;
    throw error;
  }
}

/** A pattern of PROVIDER/MODEL or of the id, or a name that stands for the model. */
function fits(wanted: string, outcome: Decision | string, router: Router, glob: GlobCompiler, place: string): boolean {
  if (typeof outcome === 'string') return outcome.startsWith(`${wanted}:`);
  const full = nameOf(outcome);
  const matches = anyOf(glob, [wanted], place);
  return matches(full) || matches(outcome.choice.model) || router.standsFor(wanted).includes(full);
}

function conversationOf({ text, conversation }: PolicyTest, place: string): Conversation {
  const values: Json[] = conversation ? (conversation as Json[]) : [{ role: 'user', content: text ?? '' }];
  const [first, ...more] = conversations(values.map((value) => record(value)));
  if (first === undefined || more.length > 0)
    throw new Failure(EXIT.config, 'conversation: expected the records of one conversation', { place });
  return first;
}
