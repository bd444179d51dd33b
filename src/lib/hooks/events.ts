// The events that hooks are for, as Claude Code has them. https://code.claude.com/docs/en/hooks
export interface Event {
  readonly name: string;
  /** The field of the input that matchers are about; without one a matcher means nothing. */
  readonly matched?: string;
  /** Seconds that a command may take if it does not say. */
  readonly timeout: number;
  /** What a hook prints is for the model. */
  readonly printsContext: boolean;
  /** Exit status 2 blocks. Elsewhere it is a warning. */
  readonly blocks: boolean;
  /** A hook that fails can be told to block (`onFailure`). */
  readonly failsClosed: boolean;
}

const DEFAULT_TIMEOUT = 600;

const TOOL_EVENTS = 'PreToolUse PostToolUse PostToolUseFailure PermissionRequest PermissionDenied';

const MATCHED = new Map<string, string>([
  ...TOOL_EVENTS.split(' ').map((name): [string, string] => [name, 'tool_name']),
  ['SessionStart', 'source'],
  ['SessionEnd', 'reason'],
  ['Setup', 'trigger'],
  ['Notification', 'notification_type'],
  ['PreCompact', 'trigger'],
  ['PostCompact', 'trigger'],
  ['SubagentStart', 'agent_type'],
  ['SubagentStop', 'agent_type'],
  ['ConfigChange', 'source'],
  ['StopFailure', 'error'],
  ['UserPromptExpansion', 'command_name'],
]);

const CANNOT_BLOCK = new Set(
  'SessionStart SessionEnd Setup Notification PostCompact SubagentStart StopFailure PermissionDenied InstructionsLoaded CwdChanged FileChanged DirectoryAdded MessageDisplay WorktreeRemove PostModelSwitch'.split(
    ' ',
  ),
);

const NEVER_CLOSED = new Set('Stop SubagentStop TaskCompleted TeammateIdle'.split(' '));

const TIMEOUTS = new Map([
  ['UserPromptSubmit', 30],
  ['PreModelSwitch', 30],
  ['PostModelSwitch', 30],
  ['MessageDisplay', 10],
  ['SessionEnd', 60],
]);

const PRINTS_CONTEXT = new Set(['SessionStart', 'UserPromptSubmit', 'UserPromptExpansion', 'PreCompact']);

export const EVENTS: readonly string[] =
  `PreToolUse PostToolUse PostToolUseFailure PostToolBatch Notification UserPromptSubmit UserPromptExpansion
  SessionStart SessionEnd Stop StopFailure SubagentStart SubagentStop PreCompact PostCompact PreModelSwitch PostModelSwitch PermissionRequest
  PermissionDenied Setup TeammateIdle TaskCreated TaskCompleted Elicitation ElicitationResult ConfigChange WorktreeCreate WorktreeRemove
  InstructionsLoaded CwdChanged FileChanged DirectoryAdded MessageDisplay`.split(/\s+/);

/** What is known of an event; undefined if there is none of this name. */
export function eventNamed(name: string): Event | undefined {
  if (!EVENTS.includes(name)) return undefined;
  const matched = MATCHED.get(name);
  return {
    name,
    ...(matched && { matched }),
    timeout: TIMEOUTS.get(name) ?? DEFAULT_TIMEOUT,
    printsContext: PRINTS_CONTEXT.has(name),
    blocks: !CANNOT_BLOCK.has(name),
    failsClosed: !CANNOT_BLOCK.has(name) && !NEVER_CLOSED.has(name),
  };
}
