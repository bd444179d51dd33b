// Counts for people.
import { visible } from '../../lib/text/control-characters.ts';
import { type Count, isUnknown } from './count.ts';
import { percent } from './limits.ts';

/** A conversation and where it came from. */
export interface Counted {
  readonly name: string;
  readonly count: Count;
}

const grouped = (value: number): string => String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',');

/** 1234567 as 1.2M. */
function short(value: number): string {
  if (value >= 999_500) return `${Number((value / 1_000_000).toFixed(1))}M`;
  return value >= 1000 ? `${Math.round(value / 1000)}k` : String(Math.round(value));
}

const dollars = (usd: number): string => (usd >= 0.01 || usd === 0 ? usd.toFixed(2) : usd.toPrecision(2));

/** What is known of a cost: never 0.00 for what is not. */
const costCell = (cost: Pick<Count, 'usd' | 'unpriced'>): string => (isUnknown(cost) ? 'unknown' : dollars(cost.usd));

const answers = (count: number): string => (count === 1 ? '1 answer' : `${grouped(count)} answers`);

function costNote(count: Count): string {
  const { unpriced, agents } = count;
  const { conversations } = agents;
  const by = conversations === 1 ? '1 sub-agent' : `${conversations} sub-agents`;
  return [
    conversations > 0 && `${costCell(agents)} of it by ${by}`,
    unpriced > 0 && !isUnknown(count) && `without what ${answers(unpriced)} cost`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** One conversation, a line for each thing that is counted. */
export function block({ count }: Counted): string {
  const { turns, steps, messages, roles, calls, open, failed, sizes, window, model, stop } = count;
  const tokens = sizes?.context;
  const by = [...roles].map(([role, each]) => `${role} ${each.messages}`).join(', ');
  const notes = [open > 0 && `${open} open`, failed > 0 && `${failed} failed`].filter(Boolean).join(', ');
  const rows: (readonly [string, string, string])[] = [
    ['turns', grouped(turns), steps === turns ? '' : `${steps} since the last prompt`],
    ['messages', grouped(messages), by],
    ['calls', grouped(calls), notes],
    ['tokens', grouped(sumOf(sizes)), tokensBy(sizes)],
    ['context', grouped(tokens ?? 0), contextOf(tokens, window, model)],
    ['usd', costCell(count), costNote(count)],
    ...(stop === undefined ? [] : [['stopped', '', visible(stop)] as const]),
  ];
  const width = Math.max(...rows.map(([, value]) => value.length));
  return rows.map(([name, value, more]) => `${name.padEnd(9)}${value.padStart(width)}  ${more}`.trimEnd()).join('\n');
}

const sumOf = (sizes: Count['sizes']): number =>
  sizes === undefined ? 0 : [...sizes.roles.values()].reduce((sum, tokens) => sum + tokens, sizes.head);

function tokensBy(sizes: Count['sizes']): string {
  if (sizes === undefined) return '';
  const roles = [...sizes.roles].map(([role, tokens]) => `${role} ${grouped(tokens)}`);
  return (
    [...roles, ...(sizes.head > 0 ? [`head ${grouped(sizes.head)}`] : [])].join(', ') +
    (sizes.exact ? '' : ' (estimated)')
  );
}

function contextOf(tokens: number | undefined, window: number | undefined, model?: string): string {
  if (window === undefined)
    return `(context window unknown: ${model === undefined ? 'no model named' : visible(model)})`;
  return `${tokens === undefined ? '' : `${percent(tokens / window)} `}of ${grouped(window)} (${visible(model ?? 'unnamed model')})`;
}

/** Several conversations, a line each, and their sum. */
export function table(all: readonly Counted[]): string {
  const head = ['turns', 'messages', 'calls', 'context', 'usd'];
  const sum = (of: (count: Count) => number) => all.reduce((total, { count }) => total + of(count), 0);
  const rows = all.map(({ name, count }) => [
    ...[count.turns, count.messages, count.calls].map(grouped),
    grouped(count.sizes?.context ?? 0),
    costCell(count),
    visible(name),
  ]);
  const whole = { usd: sum((count) => count.usd), unpriced: sum((count) => count.unpriced) };
  const total = [
    ...[sum((count) => count.turns), sum((count) => count.messages), sum((count) => count.calls)].map(grouped),
    '',
    costCell(whole),
    whole.unpriced > 0 ? `total, without the unknown cost of ${answers(whole.unpriced)}` : 'total',
  ];
  const lines = [head, ...rows, total];
  const widths = head.map((_, i) => lines.reduce((most, line) => Math.max(most, line[i]?.length ?? 0), 0));
  const shown = lines.map((line) =>
    line.map((cell, i) => (i < head.length ? cell.padStart(widths[i] ?? 0) : cell)).join('  '),
  );
  return shown.join('\n');
}

/** One line for a prompt or a status bar. */
export function status({ count }: Counted): string {
  const { model, turns, open, sizes, window, usd } = count;
  const tokens = sizes?.context ?? 0;
  const context =
    count.messages === 0
      ? []
      : [window === undefined ? short(tokens) : `${short(tokens)}/${short(window)} ${percent(tokens / window)}`];
  const parts = [
    ...(model === undefined ? [] : [visible(model)]),
    `${turns} ${turns === 1 ? 'turn' : 'turns'}`,
    ...(open > 0 ? [`${open} open`] : []),
    ...context,
    ...(usd > 0 ? [`$${dollars(usd)}${count.unpriced > 0 ? ' + unknown' : ''}`] : []),
    ...(isUnknown(count) ? ['cost unknown'] : []),
  ];
  return parts.join(' · ');
}
