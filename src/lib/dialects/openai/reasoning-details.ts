// The pieces of `reasoning_details` in a stream: https://openrouter.ai/docs/use-cases/reasoning-tokens#reasoning_details-array-structure
import { isObject, type Json, type JsonObject } from '../../json/values.ts';

const TEXTS = new Set(['text', 'summary', 'data']);

/** Puts the pieces together: those of one index and type are one detail, whose texts are appended and whose other fields come once. */
export class ReasoningDetails {
  readonly #details: { detail: JsonObject; texts: Map<string, string[]> }[] = [];
  readonly #at = new Map<string, number>();
  #seen = false;

  push(list: readonly unknown[]): void {
    this.#seen = true;
    for (const piece of list) if (isObject(piece)) this.#grow(piece);
  }

  #grow(piece: JsonObject): void {
    const key = piece.index === undefined ? undefined : `${piece.index} ${piece.type}`;
    const at = key === undefined ? undefined : this.#at.get(key);
    const growing = at === undefined ? undefined : this.#details[at];
    if (growing === undefined) {
      if (key !== undefined) this.#at.set(key, this.#details.length);
      const texts = Object.entries(piece).filter(([name, value]) => TEXTS.has(name) && typeof value === 'string');
      this.#details.push({ detail: piece, texts: new Map(texts.map(([name, value]) => [name, [value as string]])) });
      return;
    }
    for (const [name, value] of Object.entries(piece)) {
      const text = growing.texts.get(name);
      if (TEXTS.has(name) && typeof value === 'string') text ? text.push(value) : growing.texts.set(name, [value]);
      else if (value !== null && value !== undefined) growing.detail = { ...growing.detail, [name]: value };
    }
  }

  /** The whole list; undefined if the stream has none. */
  get whole(): Json[] | undefined {
    if (!this.#seen) return undefined;
    return this.#details.map(({ detail, texts }) => ({
      ...detail,
      ...Object.fromEntries([...texts].map(([name, pieces]) => [name, pieces.join('')])),
    }));
  }
}
