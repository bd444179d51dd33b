// What runs that share an account want to know of each other.

export interface SharedState {
  /** Requests to a model that have been sent and not been answered yet. */
  inFlight(provider: string, model: string): number;
  /** The share of its rate limit that a model has left, from 0 to 1; undefined where its provider has not told. */
  headroom(provider: string, model: string): number | undefined;
  /** USD spent on the day (UTC) of `now`, in milliseconds since 1970. */
  spent(now: number): number;
  /** How many choices have been made; undefined where nobody counts. */
  turn(): number | undefined;
}
