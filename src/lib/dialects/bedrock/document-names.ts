// Names of documents: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_DocumentBlock.html

/** Gives the documents of one native message names that the API takes: letters, digits, single spaces, `-()[]`, each once. */
export class DocumentNames {
  /** The names in use, and the next number to try for each. */
  readonly #taken = new Map<string, number>();

  /** A name for a document that another format calls `name`, or nothing; then what it holds tells it from others. */
  next(name: string | undefined, content: string): string {
    const wanted = clean(name ?? '') || `Document ${fingerprint(content)}`;
    let unique = wanted;
    let number = this.#taken.get(wanted.toLowerCase()) ?? 2;
    for (; this.#taken.has(unique.toLowerCase()); number++) unique = `${wanted} (${number})`;
    this.#taken.set(wanted.toLowerCase(), number);
    this.keep(unique);
    return unique;
  }

  /** A name that is the API's own already. */
  keep(name: string): void {
    const key = name.toLowerCase();
    if (!this.#taken.has(key)) this.#taken.set(key, 2);
  }
}

/** A file's name without its extension, which the format says, and without what the API refuses. */
function clean(name: string): string {
  const stem = name.replace(/\.(pdf|csv|docx?|xlsx?|html?|txt|md)$/i, '');
  const words = stem.replace(/[^\p{ASCII}]|[^\w\s\-()[\]]|_/gu, ' ').split(/\s+/);
  return words.join(' ').trim().slice(0, 200).trim();
}

/** 32 bits of FNV-1a: enough to tell the documents of one request apart. */
function fingerprint(content: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < content.length; i++) hash = Math.imul(hash ^ content.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
