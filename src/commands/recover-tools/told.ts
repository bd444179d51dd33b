// What a stream has given of a text so far, and what is left of the whole then.
import type { Piece } from './text.ts';

/** `goesOn`: it is more of the piece that was given last. */
export type StreamPiece = Piece & { readonly goesOn?: boolean };

type Spoken = Exclude<Piece, { readonly type: 'calls' }>;

export class Told {
  readonly #pieces: { readonly type: Spoken['type']; text: string }[] = [];
  /** White space that waits for what follows it: before a call, and at the end of reasoning, it is nothing. */
  #space = '';
  #fresh = true;
  /** Reasoning was taken out: white space at the beginning of what follows is nothing, too. */
  #begun = false;

  /** Whether text was given, and not only reasoning. */
  get hasText(): boolean {
    return this.#pieces.some(({ type }) => type === 'text');
  }

  /** What follows is another piece. */
  begin(): void {
    this.#begun = true;
    this.#fresh = true;
    this.#space = '';
  }

  /** Gives more text, but for the white space at its end. */
  tell(type: Spoken['type'], text: string): StreamPiece[] {
    if (text.trim() === '') {
      this.#space += text;
      return [];
    }
    const raw = this.#space + text;
    const kept = raw.trimEnd();
    this.#space = raw.slice(kept.length);
    if (!this.#fresh) return this.#more(type, kept);
    const first = this.#begun ? kept.trimStart() : kept;
    this.#fresh = false;
    this.#pieces.push({ type, text: first });
    return [{ type, text: first }];
  }

  #more(type: Spoken['type'], text: string): StreamPiece[] {
    const last = this.#pieces.at(-1);
    if (last) last.text += text;
    return [{ type, text, goesOn: true }];
  }

  /** The rest of a text that stays as it is. */
  verbatim(rest: string): StreamPiece[] {
    const text = this.#space + rest;
    return text === '' ? [] : [{ type: 'text', text, goesOn: this.#pieces.at(-1)?.type === 'text' }];
  }

  /** What is left of the pieces of the whole text; undefined: they begin otherwise than what was given. */
  rest(pieces: readonly Piece[]): StreamPiece[] | undefined {
    const out: StreamPiece[] = [];
    for (const [i, piece] of pieces.entries()) {
      const told = this.#pieces[i];
      if (told === undefined) {
        out.push(...trimmed(piece));
        continue;
      }
      if (piece.type === 'calls' || piece.type !== told.type) return undefined;
      const text = piece.text.trimStart();
      const said = told.text.trimStart();
      if (!text.startsWith(said)) return undefined;
      const more = text.slice(said.length).trimEnd();
      if (more !== '') out.push({ type: piece.type, text: more, goesOn: true });
    }
    return out;
  }
}

/** A piece without white space around it; nothing if it is nothing else. */
export function trimmed(piece: Piece): StreamPiece[] {
  if (piece.type === 'calls') return [piece];
  const text = piece.text.trim();
  return text === '' ? [] : [{ ...piece, text }];
}
