// Alerts when a share of a budget is spent: a note and the user's command, once for each share.
import type { Context } from '../../../lib/cli/filter.ts';
import type { BudgetSettings } from '../../../lib/config/types.ts';
import { dayOf } from '../../../lib/state/ledger.ts';
import type { Spent, State } from '../../../lib/state/state.ts';
import type { AllBudgets } from '../options.ts';

interface AlertSettings {
  readonly settings: BudgetSettings;
  readonly budgets: AllBudgets;
  readonly state: State;
  readonly project: string;
  readonly context: Context;
}

/** The variables that the user's command gets: none with keys. */
const PASSED = [
  'PATH',
  'HOME',
  'USER',
  'LANG',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'DBUS_SESSION_BUS_ADDRESS',
  'XDG_RUNTIME_DIR',
];

export function alertBudgets(spent: Spent, { settings, budgets, state, project, context }: AlertSettings): void {
  for (const scope of ['day', 'project'] as const) {
    const [budget, usd] = [budgets[scope], spent[scope]];
    if (budget === undefined || usd === undefined) continue;
    const reached = (settings.alerts ?? []).filter((share) => usd >= share * budget);
    const highest = Math.max(...reached, 0);
    const period = scope === 'day' ? dayOf(context.now()) : project;
    const fresh = reached.filter((share) => state.first(`${scope} ${period} ${budget} ${share}`));
    if (!fresh.includes(highest)) continue;
    context.note(
      `${Math.round((100 * usd) / budget)} % of the ${scope} budget is spent: $${usd.toFixed(4)} of $${budget}`,
    );
    if (settings.command !== undefined)
      runCommand(settings.command, { scope, usd, budget, share: highest, period }, context);
  }
}

function runCommand(
  command: string,
  { scope, usd, budget, share, period }: { scope: string; usd: number; budget: number; share: number; period: string },
  { env, cwd }: Context,
): void {
  const { spawn } = process.getBuiltinModule('node:child_process');
  const passed = PASSED.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const]));
  const child = spawn('/bin/sh', ['-c', command], {
    cwd,
    detached: true,
    stdio: 'ignore',
    env: {
      ...Object.fromEntries(passed),
      AI_BUDGET_OF: scope,
      AI_BUDGET_PERIOD: period,
      AI_BUDGET_USD: String(budget),
      AI_BUDGET_SPENT: String(usd),
      AI_BUDGET_SHARE: String(share),
    },
  });
  child.on('error', () => {});
  child.unref();
}
