// Addresses that a person named, sealed, so that they can travel in a record that others may write. A call that was allowed carries the digest of
// what was allowed, and its pipe is trusted; a record comes from anybody, and so this digest is made with a key that only the user can read.

import { EXIT, Failure } from '../failure/failure.ts';
import { canonical } from '../json/canonical.ts';
import { stateDir } from './place.ts';

type Env = Readonly<Record<string, string | undefined>>;

const BYTES = 32;

/** `hmac-sha256:` and the hexadecimal digest; undefined where there is no place for the key. Throws a Failure (78) for a key that others may read. */
export function seal(addresses: readonly string[], env: Env): string | undefined {
  const dir = stateDir(env);
  if (dir === undefined) return undefined;
  const file = `${dir}/key`;
  const key = readKey(file) ?? makeKey(dir, file);
  return key && digestOf(addresses, key);
}

/** Whether `digest` is the seal of these addresses. Throws a Failure (78) for a key that others may read. */
export function isSealed(addresses: readonly string[], digest: unknown, env: Env): boolean {
  const dir = stateDir(env);
  const key = dir === undefined || typeof digest !== 'string' ? undefined : readKey(`${dir}/key`);
  if (key === undefined) return false;
  const [given, made] = [Buffer.from(String(digest)), Buffer.from(digestOf(addresses, key))];
  const { timingSafeEqual } = process.getBuiltinModule('node:crypto');
  return given.length === made.length && timingSafeEqual(given, made);
}

function digestOf(addresses: readonly string[], key: Uint8Array): string {
  const { createHmac } = process.getBuiltinModule('node:crypto');
  return `hmac-sha256:${createHmac('sha256', key)
    .update(canonical({ addresses: [...addresses] }))
    .digest('hex')}`;
}

/** Undefined where there is none. */
function readKey(file: string): Uint8Array | undefined {
  const { closeSync, constants, fstatSync, openSync, readFileSync } = process.getBuiltinModule('node:fs');
  let open: number;
  try {
    open = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw untrusted(file, 'it cannot be read');
  }
  try {
    const { mode, uid, size } = fstatSync(open);
    if ((mode & 0o170000) !== 0o100000 || size !== BYTES) throw untrusted(file, `it is not a file of ${BYTES} bytes`);
    if ((mode & 0o077) !== 0 || uid !== (process.geteuid?.() ?? uid)) throw untrusted(file, 'others may read it');
    return readFileSync(open);
  } finally {
    closeSync(open);
  }
}

/** Made whole beside its place and linked into it, so that of several processes all read the first one's. */
function makeKey(dir: string, file: string): Uint8Array | undefined {
  const { linkSync, mkdirSync, rmSync, writeFileSync } = process.getBuiltinModule('node:fs');
  const { randomBytes } = process.getBuiltinModule('node:crypto');
  const draft = `${file}.${randomBytes(8).toString('hex')}`;
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    writeFileSync(draft, randomBytes(BYTES), { flag: 'wx', mode: 0o600 });
    linkSync(draft, file);
  } catch {
    // Another process was first, or nothing can be written there: reading tells which.
  } finally {
    rmSync(draft, { force: true });
  }
  return readKey(file);
}

const untrusted = (file: string, why: string): Failure =>
  new Failure(EXIT.config, `cannot trust the key that signs URLs: ${why}`, { place: file, hint: `rm ${file}` });
