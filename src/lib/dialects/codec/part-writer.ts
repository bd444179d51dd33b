// A reply told part after part while it comes: what the live writers of most APIs share.
import type { Delta } from '../../conversation/delta.ts';
import { parseArguments } from '../../conversation/parse-arguments.ts';
import type { Part, ToolCallPart } from '../../conversation/types.ts';
import { Serial } from './serial-parts.ts';
import type { StreamEvent } from './stream.ts';
import { inPieces } from './whole-part-deltas.ts';

/** A part as it begins. A call has an id and a name. */
export interface Begun {
  readonly kind: 'text' | 'reasoning' | 'call';
  readonly id?: string;
  readonly name?: string;
}

/** A part that was told to its end. */
export interface Told extends Begun {
  /** All its pieces; of a call, its arguments as JSON text. */
  readonly text: string;
  readonly signature?: string;
}

/** How one API tells a part: the events for each step. What it leaves out is not told. */
export interface Teller {
  begin?(part: Begun): StreamEvent[];
  grow?(piece: string, part: Begun): StreamEvent[];
  end?(part: Told): StreamEvent[];
  /** A part that comes in no pieces. */
  whole?(part: Part): StreamEvent[];
}

/** The call that was told. */
function callOf({ id = '', name = '', text }: Told): ToolCallPart {
  return { type: 'tool_call', id, name, ...parseArguments(text) };
}

/** For an API whose calls come whole: texts and reasoning grow, and a call is told when it is over. */
export const wholeCalls = ({ grow, whole }: Required<Pick<Teller, 'grow' | 'whole'>>): Teller => ({
  grow: (piece, part) => (part.kind === 'call' ? [] : grow(piece, part)),
  end: (told) => (told.kind === 'call' ? whole(callOf(told)) : []),
  whole,
});

interface Open {
  readonly begun: Begun;
  readonly index: number;
  readonly custom: boolean;
  readonly pieces: string[];
  signature?: string;
}

/** Puts pieces in a row: one part after the other, free text for a tool as JSON arguments, and a call never without any. */
export class Telling {
  readonly #teller: Teller;
  readonly #serial = new Serial();
  #open: Open | undefined;

  constructor(teller: Teller) {
    this.#teller = teller;
  }

  push(delta: Delta): StreamEvent[] {
    return this.#serial.push(inPieces(delta)).flatMap((piece) => this.#tell(piece));
  }

  /** What was held back, and the end of the last part. */
  end(): StreamEvent[] {
    const rest = this.#serial.end().flatMap((piece) => this.#tell(piece));
    return [...rest, ...this.#close()];
  }

  #tell(delta: Delta): StreamEvent[] {
    if (delta.part) return [...this.#close(), ...(this.#teller.whole?.(delta.part) ?? [])];
    const kind = this.#kindOf(delta);
    if (kind === undefined) return [];
    const same = this.#open?.index === delta.index && this.#open.begun.kind === kind;
    const opened = same ? [] : [...this.#close(), ...this.#begin(delta, kind)];
    return [...opened, ...this.#grow(delta)];
  }

  /** undefined: nothing that is told piece by piece, or a piece without characters. */
  #kindOf({ index, id, name, text, refusal, reasoning, signature }: Delta): Begun['kind'] | undefined {
    const open = this.#open;
    if ((open?.index === index && open.begun.kind === 'call') || id !== undefined || name !== undefined) return 'call';
    if (text || refusal) return 'text';
    return reasoning || signature !== undefined ? 'reasoning' : undefined;
  }

  #begin({ index, id, name, input }: Delta, kind: Begun['kind']): StreamEvent[] {
    const begun = kind === 'call' ? { kind, id: id ?? '', name: name ?? '' } : { kind };
    this.#open = { begun, index, custom: input !== undefined, pieces: [] };
    const opened = this.#teller.begin?.(begun) ?? [];
    return this.#open.custom ? [...opened, ...this.#add('{"input":"')] : opened;
  }

  #grow(delta: Delta): StreamEvent[] {
    const { text, refusal, reasoning, arguments: json, input, signature } = delta;
    if (this.#open && signature !== undefined) this.#open.signature = (this.#open.signature ?? '') + signature;
    if (this.#open?.custom) return this.#add(JSON.stringify(input ?? '').slice(1, -1));
    return this.#add(text ?? refusal ?? reasoning ?? json ?? '');
  }

  #add(piece: string): StreamEvent[] {
    if (piece === '' || this.#open === undefined) return [];
    this.#open.pieces.push(piece);
    return this.#teller.grow?.(piece, this.#open.begun) ?? [];
  }

  #close(): StreamEvent[] {
    const open = this.#open;
    if (open === undefined) return [];
    const { begun, custom, pieces, signature } = open;
    const rest = custom ? '"}' : begun.kind === 'call' && pieces.length === 0 ? '{}' : '';
    const last = this.#add(rest);
    this.#open = undefined;
    const told = { ...begun, text: pieces.join(''), ...(signature !== undefined && { signature }) };
    return [...last, ...(this.#teller.end?.(told) ?? [])];
  }
}
