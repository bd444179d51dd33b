// The events that read nothing: their fields come from the command line.
import type { Context } from '../../lib/cli/filter.ts';
import { EXIT, Failure } from '../../lib/failure/failure.ts';
import type { HookRunner } from '../../lib/hooks/runner.ts';
import type { Rec } from '../../lib/json/record.ts';
import type { Json, JsonObject } from '../../lib/json/values.ts';
import type { Session } from './session.ts';
import { stopRecord, tell } from './tell.ts';

/** The fields that an event has if nobody says otherwise. */
function defaultsOf(event: string, session: Session): JsonObject {
  switch (event) {
    case 'SessionStart':
      return { source: session.begun ? 'resume' : 'startup' };
    case 'SessionEnd':
      return { reason: 'other' };
    case 'Notification':
      return { message: '', notification_type: 'idle_prompt' };
    case 'PreCompact':
      return { trigger: 'manual', custom_instructions: '' };
    case 'PostCompact':
      return { trigger: 'manual', compact_summary: '' };
    default:
      return {};
  }
}

export async function* other(
  event: string,
  fields: JsonObject,
  runner: HookRunner,
  session: Session,
  context: Context,
): AsyncGenerator<Rec> {
  const outcome = await runner.run(event, { ...defaultsOf(event, session), ...fields });
  tell(outcome, context);
  const against = outcome.stop ?? outcome.blocked;
  for (const text of outcome.context) yield* session.note(text, event);
  for (const text of outcome.prompts) yield* session.message(text);
  if (against === undefined) return;
  context.note(`blocked: ${against}`);
  context.exit(EXIT.blocked);
  if (outcome.stop !== undefined) yield stopRecord(event, outcome.stop);
}

/** `NAME=TEXT` and `NAME:=JSON`. Throws a Failure (64) for what is neither. */
export function fieldsFrom(given: readonly string[]): JsonObject {
  return Object.fromEntries(
    given.map((text): [string, Json] => {
      const [, name, json, value = ''] = /^([\w-]+)(:?)=(.*)$/s.exec(text) ?? [];
      if (name === undefined) throw new Failure(EXIT.usage, `option --set needs NAME=VALUE, not "${text}"`);
      return [name, json ? parsed(name, value) : value];
    }),
  );
}

function parsed(name: string, value: string): Json {
  try {
    return JSON.parse(value);
  } catch {
    throw new Failure(EXIT.usage, `option --set: the value of ${name} is not JSON`);
  }
}
