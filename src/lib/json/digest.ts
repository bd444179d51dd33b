// A short name for a JSON value: equal values have one, whatever the order of their keys. It tells an edit, and proves nothing to an enemy.
import { isObject, type JsonObject } from './values.ts';

/** Eleven letters and digits for a value. A key whose value is undefined is absent. 53 bits (the mixing of cyrb53, public domain). */
export function digest(value: unknown): string {
  const hash = new Hash();
  feed(hash, value);
  return hash.end();
}

class Hash {
  #a = 0xdeadbeef;
  #b = 0x41c6ce57;

  code(unit: number): void {
    this.#a = Math.imul(this.#a ^ unit, 0x9e3779b1);
    this.#b = Math.imul(this.#b ^ unit, 0x5f356495);
  }

  text(kind: number, text: string): void {
    this.code(kind);
    this.code(text.length);
    for (let i = 0; i < text.length; i += 1) this.code(text.charCodeAt(i));
  }

  end(): string {
    const a = Math.imul(this.#a ^ (this.#a >>> 16), 0x85ebca6b) ^ Math.imul(this.#b ^ (this.#b >>> 13), 0xc2b2ae35);
    const b = Math.imul(this.#b ^ (this.#b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
    return (0x200000 * (a >>> 0) + (b >>> 11)).toString(36).padStart(11, '0');
  }
}

const [STRING, NUMBER, OTHER, ARRAY, OBJECT] = [1, 2, 3, 4, 5] as const;

function feed(hash: Hash, value: unknown): void {
  if (typeof value === 'string') hash.text(STRING, value);
  else if (typeof value === 'number') hash.text(NUMBER, String(value));
  else if (Array.isArray(value)) {
    hash.code(ARRAY);
    hash.code(value.length);
    for (const item of value) feed(hash, item);
  } else if (isObject(value)) feedFields(hash, value);
  else hash.text(OTHER, String(value));
}

function feedFields(hash: Hash, object: JsonObject): void {
  const keys = Object.keys(object).filter((key) => object[key] !== undefined);
  hash.code(OBJECT);
  hash.code(keys.length);
  for (const key of keys.sort()) {
    hash.text(STRING, key);
    feed(hash, object[key]);
  }
}
