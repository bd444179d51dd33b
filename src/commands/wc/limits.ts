// Limits, and whether one is reached.
import { EXIT, Failure } from '../../lib/failure/failure.ts';
import { type Count, isUnknown } from './count.ts';

const NAMES = ['turns', 'steps', 'messages', 'calls', 'tokens', 'usd'] as const;

interface Limit {
  readonly name: (typeof NAMES)[number];
  readonly value: number;
  /** Of the window, in which `value` is a share from 0 to 1. */
  readonly share: boolean;
}

/** Reads `turns=50,usd=2,tokens=80%`. Throws a Failure (64) for anything else. */
export function readLimits(given: readonly string[]): Limit[] {
  return given
    .flatMap((each) => each.split(','))
    .map((text) => text.trim())
    .filter(Boolean)
    .map((text) => {
      const [, name, number = '', unit = ''] = /^(\w+)=([\d.]+)([%kKM]?)$/.exec(text) ?? [];
      const known = NAMES.find((each) => each === name);
      const value = Number(number);
      const fits = known !== undefined && Number.isFinite(value) && (unit !== '%' || known === 'tokens');
      if (!fits)
        throw new Failure(EXIT.usage, `option --max: unknown limit "${text}"`, {
          hint: `${NAMES.join('=N, ')}=N; tokens=80% is a share of the context window`,
        });
      return { name: known, value: value * SCALES[unit as keyof typeof SCALES], share: unit === '%' };
    });
}

const SCALES = { '': 1, '%': 0.01, k: 1000, K: 1000, M: 1_000_000 };

/**
 * What is reached, as sentences; empty while there is room. Throws a Failure (78) for a share of a window, and for a cost, that nobody
 * knows. */
export function reached(count: Count, limits: readonly Limit[]): string[] {
  const found = limits.flatMap(({ name, value, share }) => {
    const have = share ? shareOf(count) : name === 'tokens' ? tokensOf(count) : count[name];
    if (have < value) {
      if (name === 'usd' && count.unpriced > 0) throw unpriced(count, value);
      return [];
    }
    return [
      share ? `tokens: ${percent(have)} of the window (${percent(value)})` : `${name}: ${show(have)} of ${show(value)}`,
    ];
  });
  return count.stop === undefined ? found : [...found, `a hook stopped the run: ${count.stop}`];
}

const tokensOf = ({ sizes }: Count): number => sizes?.context ?? 0;

/** Whether tokens must be counted to tell. */
export const needsTokens = (limits: readonly Limit[]): boolean => limits.some(({ name }) => name === 'tokens');

function shareOf(count: Count): number {
  const { window, model } = count;
  if (window !== undefined) return tokensOf(count) / window;
  throw new Failure(
    EXIT.config,
    `cannot compute a share of the context window: the window of ${model ?? 'the model'} is unknown`,
    {
      hint: 'set it with --window, or name the model with --model',
    },
  );
}

const unpriced = (count: Count, value: number): Failure =>
  new Failure(
    EXIT.config,
    `cannot check usd=${show(value)}: the cost of ${count.unpriced} ${count.unpriced === 1 ? 'answer' : 'answers'} is unknown${isUnknown(count) ? '' : `, the others cost $${show(count.usd)}`}`,
    { hint: 'limit turns or tokens, or add the price of the model to models.json before it answers' },
  );

const show = (value: number): string => String(Number(value.toPrecision(12)));

export const percent = (share: number): string => `${Number((share * 100).toFixed(1))}%`;
