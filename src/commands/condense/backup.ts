// `--backup DIR`: the whole transcript in a file of its own before anything is taken out of it.
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { EXIT, Failure } from '../../lib/failure/failure.ts';
import { sha256 } from './placeholder.ts';

const NAME = /^.*-([0-9a-f]{16})\.jsonl$/;

/** Writes the transcript, readable by its owner alone, and returns its SHA-256. The same transcript is written once. Throws a Failure (74). */
export function writeBackup(folder: string, transcript: Uint8Array, time: string): string {
  const hash = sha256(transcript);
  try {
    // Where a parent takes no folders, making them recursively may never end.
    if (!existsSync(folder)) mkdirSync(folder, { recursive: !existsSync(dirname(folder)), mode: 0o700 });
    if (readdirSync(folder).some((name) => NAME.exec(name)?.[1] === hash.slice(0, 16))) return hash;
    const path = join(folder, `${time.replace(/[:.]/g, '')}-${hash.slice(0, 16)}.jsonl`);
    const partial = `${path}.${process.pid}.partial`;
    writeDurably(partial, transcript);
    renameSync(partial, path);
    syncFolder(folder);
  } catch (error) {
    throw new Failure(EXIT.io, `cannot write the backup: ${(error as Error).message}`, { place: folder });
  }
  return hash;
}

/** The file of a transcript that was written. */
export function backupPath(folder: string, hash: string): string | undefined {
  const name = readdirSync(folder).find((each) => NAME.exec(each)?.[1] === hash.slice(0, 16));
  return name === undefined ? undefined : join(folder, name);
}

function writeDurably(path: string, bytes: Uint8Array): void {
  const fd = openSync(path, 'wx', 0o600);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** The new name must outlive a crash too. Not every system lets a folder be opened. */
function syncFolder(folder: string): void {
  try {
    const fd = openSync(folder, 'r');
    fsyncSync(fd);
    closeSync(fd);
  } catch {
    // The file itself is safe.
  }
}

/** The backup whose hash a conversation names, else the latest. Throws a Failure (74) if there is none, or it is damaged. */
export function readBackup(folder: string, hash: string | undefined): Uint8Array {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => NAME.test(name)) : [];
  const named = names.find((name) => hash !== undefined && NAME.exec(name)?.[1] === hash.slice(0, 16));
  const latest = names.map((name) => ({ name, time: statSync(join(folder, name)).mtimeMs })).sort(newestFirst)[0]?.name;
  const name = named ?? latest;
  if (name === undefined) throw new Failure(EXIT.io, 'cannot restore: there is no backup', { place: folder });
  const bytes = readFileSync(join(folder, name));
  if (NAME.exec(name)?.[1] !== sha256(bytes).slice(0, 16))
    throw new Failure(EXIT.io, 'cannot restore: the backup is damaged', { place: join(folder, name) });
  return bytes;
}

const newestFirst = (a: { name: string; time: number }, b: { name: string; time: number }): number =>
  b.time - a.time || (a.name < b.name ? 1 : -1);
