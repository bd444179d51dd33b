// The least busy: fewest requests in flight, then the most of its rate limit left.
import type { Strategy } from './types.ts';

export const load: Strategy = {
  summary: 'the least busy of the candidates',
  order(candidates, { state }) {
    const measured = candidates.map((candidate, at) => {
      const { provider, model } = candidate.choice;
      const flying = state.inFlight(provider.name, model);
      const room = state.headroom(provider.name, model);
      const left = room === undefined ? 'limit not known' : `${Math.round(room * 100)} % of its limit left`;
      const why = () => `${flying} in flight, ${left}`;
      return { candidate, why, at, flying, room: room ?? 1 };
    });
    return measured
      .sort((a, b) => a.flying - b.flying || b.room - a.room || a.at - b.at)
      .map(({ candidate, why }) => ({ candidate, why }));
  },
};
