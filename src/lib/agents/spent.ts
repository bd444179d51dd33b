// What conversations of agents and of their sub-agents have cost: ai-wc counts them.
import { type Dirent, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { readSpent, type Spent, spentTogether } from '../conversation/subagent-costs.ts';
import { isObject } from '../json/values.ts';
import { runProcess } from '../processes/process.ts';

interface Here {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly signal: AbortSignal;
}

/** The folder beside a conversation: `c.d` of `c.jsonl`. */
export const besideOf = (conversation: string): string => `${conversation.replace(/\.jsonl$/, '')}.d`;

/** The conversations that calls with this id have begun: an id may come again, in another turn or after a kill. */
export function begunBy(id: string, { env, cwd }: Pick<Here, 'env' | 'cwd'>): string[] {
  if (!env.AI_CONV) return [];
  const own = besideOf(resolve(cwd, env.AI_CONV));
  const isOwn = (name: string) => name.startsWith(`${id}.`) && /^\.(?:\d+\.)?jsonl$/.test(name.slice(id.length));
  return filesIn(own).flatMap((entry) => (entry.isFile() && isOwn(entry.name) ? [join(own, entry.name)] : []));
}

/**
 * What was spent in a conversation, and in those of all agents below it. Read from their own files, so that what was killed counts too. Where
 * ai-wc cannot say, nothing is known of it.
 */
export async function spentIn(conversation: string, here: Here): Promise<Spent> {
  const files = [conversation, ...below(besideOf(conversation))];
  const name = basename(conversation);
  const out: Uint8Array[] = [];
  const { status } = await runProcess({
    command: 'ai-wc',
    args: ['--json', '--keep-going', '--', ...files],
    cwd: here.cwd,
    env: Object.fromEntries(
      Object.entries(here.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
    stdin: '',
    timeoutMs: 60_000,
    signal: here.signal,
    onStdout: (chunk) => out.push(Buffer.from(chunk)),
    onStderr: () => {},
  });
  const counts = Buffer.concat(out)
    .toString('utf8')
    .split('\n')
    .flatMap((line) => countIn(line) ?? []);
  const lost = status === 0 ? 0 : 1;
  return spentTogether(name, [...counts, { usd: 0, unpriced: lost }]);
}

function below(folder: string): string[] {
  return filesIn(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return below(path);
    return entry.isFile() && entry.name.endsWith('.jsonl') ? [path] : [];
  });
}

function filesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** What one file says of its own answers: those of its sub-agents have files too. */
function countIn(line: string): Pick<Spent, 'usd' | 'unpriced'> | undefined {
  if (line === '') return undefined;
  const value: unknown = JSON.parse(line);
  const all = isObject(value) ? readSpent({ ...value, conversation: '' }) : undefined;
  if (all === undefined || !isObject(value)) return undefined;
  const agents = isObject(value.agents) ? readSpent({ ...value.agents, conversation: '' }) : undefined;
  return { usd: all.usd - (agents?.usd ?? 0), unpriced: all.unpriced - (agents?.unpriced ?? 0) };
}
