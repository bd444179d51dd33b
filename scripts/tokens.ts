// Lays the vocabularies of OpenAI's encodings out as the files that the programs read: see src/lib/tokens/ranks.ts.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import cl100k from 'js-tiktoken/ranks/cl100k_base';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { layOut } from '../src/lib/tokens/ranks.ts';

const VOCABULARIES = { o200k_base: o200k, cl100k_base: cl100k };

/** Writes `o200k_base.bin` and `cl100k_base.bin` into a folder; another process that does the same meanwhile does no harm. */
export function writeTokens(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, { bpe_ranks }] of Object.entries(VOCABULARIES)) {
    const made = join(folder, `${name}.${process.pid}`);
    writeFileSync(made, layOut(tokensIn(bpe_ranks)));
    renameSync(made, join(folder, `${name}.bin`));
  }
}

/** Each line: a word, the rank of its first token, and tokens in base64. */
function tokensIn(ranks: string): Uint8Array[] {
  const tokens: Uint8Array[] = [];
  for (const line of ranks.split('\n').filter(Boolean)) {
    const [, first, ...encoded] = line.split(' ');
    encoded.forEach((token, i) => {
      tokens[Number(first) + i] = Buffer.from(token, 'base64');
    });
  }
  return Array.from(tokens, (token) => token ?? new Uint8Array());
}
