// Fences for what is no prose: calls, results, reasoning. Their first line says what they hold, so that they can be read back.
// https://spec.commonmark.org/0.31.2/#fenced-code-blocks

/** What stands in a fence of ours. */
interface Fenced {
  readonly kind: 'call' | 'result' | 'reasoning' | 'document';
  /** The words behind the kind: names and ids, and marks. */
  readonly words: readonly string[];
  readonly content: string;
}

const LANGUAGES: { readonly [kind in Fenced['kind']]: string } = {
  call: 'json ',
  result: '',
  reasoning: '',
  document: '',
};

/** A fence that is longer than any run of backticks in what it holds. The content comes back as it is, a newline at its end included. */
export function fence({ kind, words, content }: Fenced, language = LANGUAGES[kind]): string {
  const ticks = '`'.repeat(Math.max(3, longestRun(content) + 1));
  const info = [`${language}${kind}`, ...words.map(spell)].join(' ');
  return `${ticks}${info}\n${content === '' ? '' : `${content}\n`}${ticks}\n`;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

/** A word as it is, or as a JSON string. Info strings hold no backticks and no newlines. */
function spell(word: string): string {
  if (/^[\w.:/@+-]+$/.test(word)) return word;
  return JSON.stringify(word).replace(
    /[`~\s\u007f-\uffff]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const OPENING = /^(`{3,})(?:(?:json|text) )?(call|result|reasoning|document)((?: \S+)*)$/;

/** What the first line of a fence of ours says, and the line that ends it; undefined for any other line. */
export function opening(line: string): { kind: Fenced['kind']; words: string[]; closing: string } | undefined {
  if (!line.startsWith('```')) return undefined;
  const [, closing, kind, words = ''] = OPENING.exec(line.trimEnd()) ?? [];
  if (closing === undefined || kind === undefined) return undefined;
  return { kind: kind as Fenced['kind'], words: words.split(' ').filter(Boolean).map(unspell), closing };
}

function unspell(word: string): string {
  try {
    return word.startsWith('"') ? String(JSON.parse(word)) : word;
  } catch {
    return word;
  }
}
