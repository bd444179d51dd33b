// What one hook has said: exit status, JSON, plain text. https://code.claude.com/docs/en/hooks

import { isObject, type Json, type JsonObject } from '../json/values.ts';
import { withoutControls } from '../text/control-characters.ts';
import type { Event } from './events.ts';

/** How a hook ended. */
export interface Ended {
  /** Undefined if it never ended by itself. */
  readonly status?: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Why it counts as failed, whatever it printed: it could not start, took too long, was killed. */
  readonly failure?: string;
}

export type Permission = 'deny' | 'defer' | 'ask' | 'allow';

/** What a hook wants. */
export interface Answer {
  readonly permission?: Permission;
  /** Why the event may not go on (or, behind a tool, what the model must know). */
  readonly blocked?: string;
  /** Everything ends: the reason. */
  readonly stop?: string;
  readonly reason?: string;
  readonly updatedInput?: JsonObject;
  readonly updatedOutput?: Json;
  readonly context?: string;
  readonly prompt?: string;
  /** For the person. */
  readonly message?: string;
  readonly warning?: string;
}

/** Characters of a text that count. */
const MOST = 10_000;

const capped = (text: string): string => {
  const clean = withoutControls(text);
  return clean.length > MOST ? `${clean.slice(0, MOST)}\n(truncated)` : clean;
};

const textIn = (value: Json | undefined): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? capped(value) : undefined;

/** Reads the end of a hook. `failsClosed`: its failure blocks. */
export function readAnswer(event: Event, ended: Ended, failsClosed: boolean): Answer {
  const { status, stdout, stderr, failure } = ended;
  const said = jsonIn(stdout);
  const answer = said === undefined ? plainAnswer(event, ended) : jsonAnswer(event, said);
  if (status === 2 && failure === undefined) return exitTwo(event, answer, stderr);
  if (status === 0 && failure === undefined) return answer;
  const why = failure ?? `it ended with status ${status}`;
  const warning = [why, firstLine(stderr)].filter(Boolean).join(': ');
  if (failsClosed && event.failsClosed) return { ...answer, ...blocking(event, `a hook failed: ${warning}`), warning };
  return { ...answer, warning };
}

function exitTwo(event: Event, answer: Answer, stderr: string): Answer {
  const why = textIn(stderr)?.trimEnd() ?? answer.blocked ?? answer.reason ?? 'a hook blocked it and gave no reason';
  if (!event.blocks) return { ...answer, permission: undefined, blocked: undefined, warning: firstLine(why) };
  return { ...answer, ...blocking(event, why) };
}

const blocking = (event: Event, why: string): Answer =>
  event.name === 'PreToolUse' ? { permission: 'deny', reason: why } : { blocked: why };

function plainAnswer(event: Event, { status, stdout }: Ended): Answer {
  const context = event.printsContext && status === 0 ? textIn(stdout)?.trimEnd() : undefined;
  return context === undefined ? {} : { context };
}

/** JSON counts if it is all that was printed. */
function jsonIn(stdout: string): JsonObject | undefined {
  const text = stdout.trim();
  if (!text.startsWith('{') || !text.endsWith('}')) return undefined;
  try {
    const value: Json = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const PERMISSIONS = new Set(['deny', 'defer', 'ask', 'allow']);

function jsonAnswer(event: Event, said: JsonObject): Answer {
  const specific = isObject(said.hookSpecificOutput) ? said.hookSpecificOutput : {};
  const own = specific.hookEventName === undefined || specific.hookEventName === event.name ? specific : {};
  const reason = textIn(said.reason);
  const context = textIn(own.additionalContext);
  const prompt = textIn(own.initialUserMessage);
  const message = textIn(said.systemMessage);
  const { updatedToolOutput, updatedMCPToolOutput } = own;
  const updatedOutput = updatedToolOutput ?? updatedMCPToolOutput;
  return {
    ...decision(event, said, own, reason),
    ...(said.continue === false && { stop: textIn(said.stopReason) ?? reason ?? 'a hook ended it and gave no reason' }),
    ...(isObject(own.updatedInput) && { updatedInput: own.updatedInput }),
    ...(updatedOutput !== undefined && { updatedOutput }),
    ...(context !== undefined && { context }),
    ...(prompt !== undefined && { prompt }),
    ...(message !== undefined && { message }),
  };
}

function decision(event: Event, said: JsonObject, own: JsonObject, reason: string | undefined): Answer {
  if (event.name !== 'PreToolUse')
    return said.decision === 'block' ? { blocked: reason ?? 'a hook blocked it and gave no reason' } : {};
  const why = textIn(own.permissionDecisionReason) ?? reason;
  const old = said.decision === 'block' ? 'deny' : said.decision === 'approve' ? 'allow' : undefined;
  const word = typeof own.permissionDecision === 'string' ? own.permissionDecision : old;
  if (word === undefined || !PERMISSIONS.has(word)) return {};
  return { permission: word as Permission, ...(why !== undefined && { reason: why }) };
}

const firstLine = (text: string): string => withoutControls(text).trim().split('\n')[0]?.slice(0, 500) ?? '';
