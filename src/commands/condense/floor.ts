// What cannot go, and what it takes.
import type { Layout } from './layout.ts';

/** `what must stay takes 1200: tools and system prompt 900, the first user message 100, …` */
export function floorOf(layout: Layout): string {
  const { transcript, sizes, head } = layout;
  const end = transcript.entries.length;
  const sumOf = (wanted: (at: number) => boolean) =>
    transcript.entries.reduce((sum, _, at) => sum + (wanted(at) ? sizes.tokens(at) : 0), 0);
  const first = transcript.steps[layout.firstAsk];
  const latest = layout.lastAsk(end);
  const inside = (at: number, step = first) => step !== undefined && at >= step.from && at < step.to;
  const kept = Math.min(layout.keptFrom(end), layout.openFrom(end));
  const parts: [string, number][] = [
    ['the head', head],
    ['system messages', sumOf((at) => layout.step(at)?.kind === 'system')],
    ['the first user message', sumOf((at) => inside(at))],
    ['the latest user message', latest === first ? 0 : sumOf((at) => inside(at, latest))],
    ['compaction blocks', sumOf((at) => layout.step(at)?.kind === 'kept')],
    [
      '--keep-first',
      sumOf((at) => layout.isPinned(at) && !inside(at) && !['system', 'kept'].includes(layout.step(at)?.kind ?? '')),
    ],
    ['the end that must stay', sumOf((at) => at >= kept && !layout.isPinned(at) && !inside(at, latest))],
  ];
  const said = parts.filter(([, tokens]) => tokens > 0);
  const whole = said.reduce((sum, [, tokens]) => sum + tokens, 0);
  return `what must stay takes ${Math.ceil(whole)}: ${said.map(([name, tokens]) => `${name} ${Math.ceil(tokens)}`).join(', ')}`;
}
