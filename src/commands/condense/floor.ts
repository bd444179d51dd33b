// What cannot go, and what it takes.
import type { Layout } from './layout.ts';
import { leastPlan } from './plan.ts';

/** `what must stay takes 1200: the head 900, the first user message 100, …`; `size` is what it takes together. */
export function floorOf(layout: Layout, size: number, scale: number): string {
  const { fates } = leastPlan(layout);
  const first = layout.transcript.steps[layout.firstAsk];
  const latest = layout.lastAsk(layout.transcript.entries.length);
  const nameOf = (at: number): string => {
    const step = layout.step(at);
    if (step?.kind === 'system') return 'system messages';
    if (step?.kind === 'kept') return 'what the API needs';
    if (step !== undefined && step === first) return 'the first user message';
    if (step !== undefined && step === latest) return 'the latest user message';
    return layout.isPinned(at) ? '--keep-first' : 'the end that must be kept';
  };
  const parts = new Map([['the head', layout.head]]);
  for (const [at, fate] of fates.entries()) {
    if (fate.do === 'drop') continue;
    const size = fate.do === 'change' ? layout.sizes.counter.message(fate.message) : layout.sizes.tokens(at);
    parts.set(nameOf(at), (parts.get(nameOf(at)) ?? 0) + size);
  }
  const said = [...parts].filter(([, size]) => size > 0).map(([name, size]) => `${name} ${Math.ceil(size * scale)}`);
  const what = layout.policy.window ? 'what must be kept takes' : 'the strategies leave at least';
  return `${what} ${Math.ceil(size)}: ${said.join(', ')}`;
}
