// One of several processes that share a state: makes calls as fast as it may, and writes a full stop into a file for each that is entered.
import { openSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { readRate } from '../../../src/lib/state/limits.ts';
import { State } from '../../../src/lib/state/state.ts';

const [, , file = '', calls = '', rate = '', path = ''] = process.argv;
const told = openSync(path, 'a');
const state = new State(file, () => Date.now());
const requests = rate === '' ? undefined : readRate(rate);

for (let n = 0; n < Number(calls); n++) {
  const wish = {
    name: 'p/m',
    provider: 'p',
    model: 'm',
    project: 'x',
    rates: requests ? { requests } : {},
    tokens: 1,
    usd: 0,
    budgets: {},
    longest: 60_000,
    lasts: 600_000,
  };
  const admission = state.admit(wish);
  if (admission.let !== 'in') throw new Error(admission.why);
  if (admission.wait > 0) await sleep(admission.wait);
  for (let wait = state.mayGo(wish); wait > 0; wait = state.mayGo(wish)) await sleep(wait * (0.5 + Math.random()));
  state.answered(wish, admission.flight, { usage: { input: 1, output: 1 }, usd: 0.001 });
  writeSync(told, '.');
}
