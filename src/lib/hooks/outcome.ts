// What all hooks of an event have said together.
import type { Json, JsonObject } from '../json/values.ts';
import type { Answer, Permission } from './answer.ts';
import type { Handler } from './settings.ts';

/** A hook and what it said. */
export interface Said {
  readonly handler: Handler;
  readonly answer: Answer;
}

export interface Outcome {
  readonly permission?: Permission;
  /** Why, of the hooks that decided. */
  readonly reason?: string;
  /** The hook that decided, for `by`. */
  readonly by?: string;
  readonly blocked?: string;
  readonly stop?: string;
  readonly updatedInput?: JsonObject;
  readonly updatedOutput?: Json;
  readonly context: readonly string[];
  readonly prompts: readonly string[];
  /** For the person. */
  readonly messages: readonly string[];
  readonly warnings: readonly string[];
}

export const NOTHING: Outcome = { context: [], prompts: [], messages: [], warnings: [] };

/** The strictest first. */
const ORDER: readonly Permission[] = ['deny', 'defer', 'ask', 'allow'];

/** Deny before defer, defer before ask, ask before allow; any block blocks; of changed inputs the last one counts. */
export function joinAnswers(all: readonly Said[]): Outcome {
  const answers = all.map(({ answer }) => answer);
  const permission = ORDER.find((each) => answers.some((answer) => answer.permission === each));
  const deciding = all.filter(({ answer }) => permission !== undefined && answer.permission === permission);
  const last = <K extends keyof Answer>(key: K): Answer[K] =>
    answers.findLast((each) => each[key] !== undefined)?.[key];
  const each = (key: 'context' | 'prompt' | 'message' | 'blocked' | 'stop'): string[] =>
    answers.flatMap((answer) => answer[key] ?? []);
  const reasons = deciding.flatMap(({ answer }) => answer.reason ?? []);
  const updatedInput = last('updatedInput');
  const updatedOutput = last('updatedOutput');
  const blocked = each('blocked');
  const [stop] = each('stop');
  return {
    ...(permission && { permission, by: deciding[0]?.handler.place }),
    ...(reasons.length > 0 && { reason: reasons.join('\n') }),
    ...(blocked.length > 0 && { blocked: blocked.join('\n') }),
    ...(stop !== undefined && { stop }),
    ...(updatedInput && { updatedInput }),
    ...(updatedOutput !== undefined && { updatedOutput }),
    context: each('context'),
    prompts: each('prompt'),
    messages: each('message'),
    warnings: all.flatMap(({ handler, answer }) => (answer.warning ? [`${handler.place}: ${answer.warning}`] : [])),
  };
}
