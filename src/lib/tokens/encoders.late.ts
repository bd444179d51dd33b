// The vocabularies, read when something is first counted: some four megabytes, in a few milliseconds.
import { existsSync, readFileSync } from 'node:fs';
import { EXIT, Failure } from '../failure/failure.ts';
import { Encoder, type Encoding } from './encoder.ts';
import { LAYOUT } from './ranks.ts';

const encoders = new Map<Encoding, Encoder>();

/** The encoder of an encoding. Throws a Failure (70) if its vocabulary is not where the programs were built. */
export function encoderNamed(name: Encoding): Encoder {
  const known = encoders.get(name);
  if (known) return known;
  const made = new Encoder(name, readVocabulary(name));
  encoders.set(name, made);
  return made;
}

function readVocabulary(name: Encoding): Uint8Array {
  const file = new URL(`${name}.bin`, folder());
  try {
    return readFileSync(file);
  } catch (error) {
    const hint = 'build or install the programs again';
    throw new Failure(EXIT.bug, `cannot read the tokenizer's vocabulary: ${(error as Error).message}`, { hint });
  }
}

/** Built programs have the files beside them; from source they are made once, for tests and trials. */
function folder(): URL {
  if (!import.meta.url.endsWith('.ts')) return new URL('./', import.meta.url);
  const made = new URL(`../../../node_modules/.cache/ai-coreutils/tokens-${LAYOUT}/`, import.meta.url);
  if (!existsSync(new URL('cl100k_base.bin', made))) {
    const require = process.getBuiltinModule('node:module').createRequire(import.meta.url);
    require('../../../scripts/tokens.ts').writeTokens(process.getBuiltinModule('node:url').fileURLToPath(made));
  }
  return made;
}
