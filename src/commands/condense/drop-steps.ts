// The oldest steps go first. A step is a message of the user, or one of the assistant with the results of its calls.
import { type Conversation, type Item, messageOf } from '../../lib/formats/conversation.ts';
import type { Message } from '../../lib/ir/types.ts';

interface Step {
  readonly items: Item[];
  readonly kind: 'system' | 'ask' | 'work';
  size: number;
}

/** The items that fit `limit` tokens; or none, and the floor: what the steps that must stay take. Other records stay with their step. */
export function dropSteps(conversation: Conversation, limit: number): { items?: readonly Item[]; floor: number } {
  const steps = stepsOf(conversation.items);
  const stays = pinned(steps);
  let total = steps.reduce((sum, step) => sum + step.size, conversation.head ? sizeOf(conversation.head) : 0);
  if (total <= limit) return { items: conversation.items, floor: 0 };
  const kept = steps.filter((step) => {
    if (stays.has(step) || total <= limit) return true;
    total -= step.size;
    return false;
  });
  return total <= limit ? { items: kept.flatMap((step) => step.items), floor: 0 } : { floor: total };
}

/** The system prompt, the first and the last thing that the user says, and the last step. */
function pinned(steps: readonly Step[]): Set<Step> {
  const asks = steps.filter((step) => step.kind === 'ask');
  const stays = [...steps.filter((step) => step.kind === 'system'), asks[0], asks.at(-1), steps.at(-1)];
  return new Set(stays.filter((step) => step !== undefined));
}

function stepsOf(items: readonly Item[]): Step[] {
  const steps: Step[] = [];
  const open = new Set<string>();
  for (const item of items) {
    const message = messageOf(item);
    const kind = message && kindOf(message);
    const continues = message === undefined || kind === 'result' || (kind === 'work' && open.size > 0);
    const last = steps.at(-1);
    if (continues && last) {
      last.items.push(item);
      last.size += sizeOf(item);
    } else steps.push({ items: [item], kind: kind === 'system' || kind === 'ask' ? kind : 'work', size: sizeOf(item) });
    if (message) follow(message, open);
  }
  return steps;
}

function kindOf({ role, parts }: Message): 'system' | 'ask' | 'work' | 'result' {
  if (role === 'system' || role === 'developer') return 'system';
  if (parts.some((part) => part.type === 'tool_result' && part.by !== 'provider')) return 'result';
  return role === 'user' ? 'ask' : 'work';
}

function follow({ parts }: Message, open: Set<string>): void {
  for (const part of parts) {
    if (part.type === 'tool_call' && part.by !== 'provider') open.add(part.id);
    if (part.type === 'tool_result') open.delete(part.callId);
  }
}

/** Three bytes of JSON to a token: close for Claude, a little high for others. */
function sizeOf({ rec }: Item): number {
  if (rec.value === undefined) return 0;
  return Math.ceil(Buffer.byteLength(typeof rec.source === 'string' ? rec.source : JSON.stringify(rec.value)) / 3);
}
