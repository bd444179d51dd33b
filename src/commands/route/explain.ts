// `--explain`: a decision as tables, for people. The only file that knows the library that draws them.
import type * as CliTable from 'cli-table3';
import { usd } from './constraints.ts';
import { type Decision, nameOf } from './decision.ts';

type Table = typeof CliTable.default;

export const loadTable = async (): Promise<Table> => (await import('cli-table3')).default;

/** No border, one space between the columns: a table that can be searched and cut. */
const PLAIN = {
  chars: {
    top: '',
    'top-mid': '',
    'top-left': '',
    'top-right': '',
    bottom: '',
    'bottom-mid': '',
    'bottom-left': '',
    'bottom-right': '',
    left: '',
    'left-mid': '',
    mid: '',
    'mid-mid': '',
    right: '',
    'right-mid': '',
    middle: '  ',
  },
  style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
};

/** Rows of cells as text; control characters of data show as a question mark. */
function drawTable(table: Table, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const drawn = new table({ ...PLAIN, ...(head.length > 0 && { head: [...head] }) });
  for (const row of rows) drawn.push(row.map(clean));
  return `${drawn.toString().replace(/[ \t]+$/gm, '')}\n`;
}

const clean = (text: string): string => text.replace(/[\0-\x1f\x7f-\x9f]/g, '?');

/** A conversation that keeps the model of its head. */
export interface Kept {
  readonly model: string;
  readonly reason: string;
}

export function explain(table: Table, place: string, decision: Decision | Kept): string {
  if (!('choice' in decision)) return `${place}\n${drawTable(table, [], Object.entries(decision))}\n`;
  const { choice, reason, estimate, requested, rule, task, strategy, fallbacks, rejected, unmet, agent, credential } =
    decision;
  const facts: (readonly [string, string | undefined])[] = [
    ['model', nameOf(decision)],
    ['address', choice.url],
    ['credential', credential ?? (choice.provider.kind === 'local' ? undefined : 'none at hand')],
    ['requested', requested],
    ['reason', reason],
    ['rule', rule],
    ['task', task],
    ['strategy', strategy],
    ['agent', agent && `${agent.agent.name} (${agent.agent.file}): ${agent.why}`],
    ['prompt', `${estimate.input} tokens (from ${estimate.basis})`],
    ['answer', `${estimate.output} tokens`],
    ['cost', estimate.cost === undefined ? 'unknown' : `$${usd(estimate.cost)}`],
    ['fallbacks', fallbacks.join(', ') || undefined],
  ];
  const said = facts.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  const out = [...rejected, ...unmet.map((one) => ({ ...one, constraint: `${one.constraint} (not met)` }))];
  const rows = out.map(({ model, constraint, why }) => [model, constraint, why]);
  const losers = rows.length === 0 ? '' : `\n${drawTable(table, ['rejected', 'constraint', 'why'], rows)}`;
  return `${place}\n${drawTable(table, [], said)}${losers}\n`;
}
