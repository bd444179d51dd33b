// The items that are calls and results, beside the functions: where each keeps its name, its id, its input and its output.
import type { ItemType } from './types.ts';

export interface CallKind {
  /** What the tool is called; undefined if the item has a `name`. */
  readonly name?: string;
  readonly id: 'call_id' | 'id';
  /** The fields that may hold the input: the first one present does. */
  readonly input: readonly string[];
  /** The input is JSON as text. */
  readonly text?: true;
  /** Who runs it; `execution` and `environment` say it of each call. */
  readonly by: 'client' | 'provider' | 'execution' | 'environment';
}

const CALLS = {
  local_shell_call: { name: 'local_shell', id: 'call_id', input: ['action'], by: 'client' },
  shell_call: { name: 'shell', id: 'call_id', input: ['action'], by: 'environment' },
  apply_patch_call: { name: 'apply_patch', id: 'call_id', input: ['operation'], by: 'client' },
  computer_call: { name: 'computer', id: 'call_id', input: ['actions', 'action'], by: 'client' },
  tool_search_call: { name: 'tool_search', id: 'call_id', input: ['arguments'], by: 'execution' },
  web_search_call: { name: 'web_search', id: 'id', input: ['action'], by: 'provider' },
  file_search_call: { name: 'file_search', id: 'id', input: ['queries'], by: 'provider' },
  code_interpreter_call: { name: 'code_interpreter', id: 'id', input: ['code'], by: 'provider' },
  mcp_call: { id: 'id', input: ['arguments'], text: true, by: 'provider' },
  program: { name: 'program', id: 'call_id', input: ['code'], by: 'provider' },
} as const satisfies { readonly [T in ItemType]?: CallKind };

export interface ResultKind {
  /** The fields that may name the call: the first one that is a string does. */
  readonly id: readonly ('call_id' | 'id')[];
  readonly output: string;
  /** `content`: text or content parts. `text`: a string or null. `json`: a value, told as JSON text. `screenshot`: an image. */
  readonly shape: 'content' | 'text' | 'json' | 'screenshot';
  readonly by: 'client' | 'provider' | 'execution';
}

const RESULTS = {
  function_call_output: { id: ['call_id'], output: 'output', shape: 'content', by: 'client' },
  custom_tool_call_output: { id: ['call_id'], output: 'output', shape: 'content', by: 'client' },
  local_shell_call_output: { id: ['call_id', 'id'], output: 'output', shape: 'text', by: 'client' },
  shell_call_output: { id: ['call_id'], output: 'output', shape: 'json', by: 'client' },
  apply_patch_call_output: { id: ['call_id'], output: 'output', shape: 'text', by: 'client' },
  computer_call_output: { id: ['call_id'], output: 'output', shape: 'screenshot', by: 'client' },
  tool_search_output: { id: ['call_id'], output: 'tools', shape: 'json', by: 'execution' },
  program_output: { id: ['call_id'], output: 'result', shape: 'text', by: 'provider' },
} as const satisfies { readonly [T in ItemType]?: ResultKind };

type Role = 'assistant' | 'user' | 'developer';

/** Items that mean something to this API alone, and whose turn they belong to. */
const OWN = {
  compaction: 'assistant',
  compaction_trigger: 'user',
  configuration_update: 'developer',
  additional_tools: 'developer',
  image_generation_call: 'assistant',
  item_reference: 'assistant',
  mcp_approval_request: 'assistant',
  mcp_approval_response: 'user',
  mcp_list_tools: 'assistant',
} as const satisfies { readonly [T in ItemType]?: Role };

type Named = 'message' | 'reasoning' | 'function_call' | 'custom_tool_call';
type Told = Named | keyof typeof CALLS | keyof typeof RESULTS | keyof typeof OWN;

/** Every type of item that the API names. A type that no table has does not compile. */
export const ITEM_TYPES: ReadonlySet<string> = new Set<ItemType>([
  ...(['message', 'reasoning', 'function_call', 'custom_tool_call'] as const satisfies readonly Named[]),
  ...keysOf(CALLS),
  ...keysOf(RESULTS),
  ...keysOf(OWN),
] satisfies [Exclude<ItemType, Told>] extends [never] ? ItemType[] : never);

function keysOf<T extends object>(table: T): (keyof T)[] {
  return Object.keys(table) as (keyof T)[];
}

export const callKind = (type: unknown): CallKind | undefined => calls.get(type);
export const resultKind = (type: unknown): ResultKind | undefined => results.get(type);
export const ownRole = (type: unknown): Role | undefined => roles.get(type);

const calls = new Map<unknown, CallKind>(Object.entries(CALLS));
const results = new Map<unknown, ResultKind>(Object.entries(RESULTS));
const roles = new Map<unknown, Role>(Object.entries(OWN));
