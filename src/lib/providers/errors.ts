// Why an attempt failed, and what follows from it.
import { EXIT, Failure } from '../failure/failure.ts';

export type Kind =
  /** Too many requests or tokens for now. */
  | 'limited'
  /** Overloaded: not this client's doing. */
  | 'busy'
  /** An error on the provider's side. */
  | 'server'
  /** No connection, or one that was cut. */
  | 'unreachable'
  /** An answer came that is none. */
  | 'unreadable'
  /** Nothing came for too long. */
  | 'silent'
  /** The quota, the credit or the spending limit is used up. */
  | 'spent'
  /** The key is not accepted, or not for this. */
  | 'key'
  /** The conversation is too long for the model. */
  | 'overflow'
  /** A filter stopped the request. */
  | 'filtered'
  /** There is no such model. */
  | 'missing'
  /** The request itself is wrong. */
  | 'refused';

interface Consequence {
  readonly status: number;
  /** Another attempt may succeed. */
  readonly retry: boolean;
}

const CONSEQUENCES: { readonly [kind in Kind]: Consequence } = {
  limited: { status: EXIT.later, retry: true },
  busy: { status: EXIT.later, retry: true },
  server: { status: EXIT.unavailable, retry: true },
  unreachable: { status: EXIT.unavailable, retry: true },
  unreadable: { status: EXIT.unavailable, retry: true },
  silent: { status: EXIT.timeout, retry: false },
  spent: { status: EXIT.notPermitted, retry: false },
  key: { status: EXIT.notPermitted, retry: false },
  overflow: { status: EXIT.badInput, retry: false },
  filtered: { status: EXIT.badInput, retry: false },
  missing: { status: EXIT.badInput, retry: false },
  refused: { status: EXIT.badInput, retry: false },
};

interface Details {
  /** Seconds that the server wants to be left alone. */
  readonly after?: number;
  /** What the server itself says about trying again. */
  readonly retry?: boolean;
  readonly hint?: string;
  /** The HTTP status, where there was one. */
  readonly answered?: number;
}

/** An attempt failed. `retry` says whether another may succeed, `after` how many seconds the server wants to be left alone. */
export class AttemptFailed extends Error {
  readonly kind: Kind;
  readonly failure: Failure;
  readonly retry: boolean;
  readonly after: number | undefined;
  readonly answered: number | undefined;

  constructor(kind: Kind, message: string, { after, retry, hint, answered }: Details = {}) {
    super(message);
    const consequence = CONSEQUENCES[kind];
    this.kind = kind;
    this.failure = new Failure(consequence.status, message, { hint });
    this.retry = retry ?? consequence.retry;
    this.after = after;
    this.answered = answered;
  }

  /** The same with another way to go on, or with more to say. */
  with(hint: string): AttemptFailed {
    const { kind, message, retry, after, answered, failure } = this;
    return new AttemptFailed(kind, message, { after, retry, answered, hint: failure.hint ?? hint });
  }
}

/** A reply that had been told in part cannot be asked for again without telling it twice. */
export class ToldInPart extends AttemptFailed {
  override readonly failure: Failure;

  constructor({ kind, message, answered }: AttemptFailed) {
    super(kind, `${message}; not retried, because part of the answer was already written`, {
      retry: false,
      ...(answered !== undefined && { answered }),
    });
    this.failure = new Failure(kind === 'silent' ? EXIT.timeout : EXIT.later, this.message);
  }
}
