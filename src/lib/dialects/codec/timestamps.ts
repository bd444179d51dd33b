// Times as logs spell them.

/** An ISO 8601 time, of one or of milliseconds since 1970; undefined for anything else. */
export function isoTime(value: unknown): string | undefined {
  if (typeof value === 'string') return value !== '' && Number.isFinite(Date.parse(value)) ? value : undefined;
  if (typeof value !== 'number' || !(Math.abs(value) <= LATEST)) return undefined;
  return new Date(value).toISOString();
}

/** The last millisecond that a Date can hold. */
const LATEST = 8.64e15;

/** `{time}` for a message's `_meta`, or nothing. */
export function timeMeta(value: unknown): { readonly time: string } | undefined {
  const time = isoTime(value);
  return time === undefined ? undefined : { time };
}
