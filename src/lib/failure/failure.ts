// What can end a program, and with which status.
import type { Rec } from '../json/record.ts';

/** Exit statuses. 2 means "blocked" to every hook runner and is used for nothing else. */
export const EXIT = {
  ok: 0,
  no: 1,
  blocked: 2,
  usage: 64,
  badInput: 65,
  unavailable: 69,
  bug: 70,
  io: 74,
  later: 75,
  notPermitted: 77,
  config: 78,
  timeout: 124,
  interrupted: 130,
} as const;

/** Ends the program: `program: place: message (hint)`. The message says what cannot be done and why. */
export class Failure extends Error {
  readonly status: number;
  readonly place?: string;
  readonly hint?: string;

  constructor(status: number, message: string, where: { place?: string; hint?: string; cause?: unknown } = {}) {
    super(message, { cause: where.cause });
    this.status = status;
    this.place = where.place;
    this.hint = where.hint;
  }
}

/** `file:line` of a record; undefined for one that was made here. */
export function placeOf(rec: Rec | undefined): string | undefined {
  return rec?.file === undefined ? undefined : `${rec.file}:${rec.line}`;
}

/** A failure of the data: exit 65. */
export function badInput(rec: Rec | undefined, message: string, hint?: string): Failure {
  return new Failure(EXIT.badInput, message, { place: placeOf(rec), hint });
}
