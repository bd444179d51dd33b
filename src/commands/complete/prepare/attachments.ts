// --attach: files as parts of the question, by what their first bytes say they are.
import { readFileSync } from 'node:fs';
import { basename, extname, resolve } from 'node:path';
import type { MediaKind, MediaPart, TextPart } from '../../../lib/conversation/types.ts';
import { EXIT, Failure } from '../../../lib/failure/failure.ts';

interface Kind {
  readonly kind: MediaKind;
  readonly mime: string;
  readonly is: (bytes: Buffer) => boolean;
}

const starts =
  (text: string, at = 0) =>
  (bytes: Buffer) =>
    bytes.toString('latin1', at, at + text.length) === text;

const KINDS: readonly Kind[] = [
  { kind: 'image', mime: 'image/png', is: starts('\x89PNG\r\n') },
  { kind: 'image', mime: 'image/jpeg', is: starts('\xff\xd8\xff') },
  { kind: 'image', mime: 'image/gif', is: starts('GIF8') },
  { kind: 'image', mime: 'image/webp', is: (bytes) => starts('RIFF')(bytes) && starts('WEBP', 8)(bytes) },
  { kind: 'document', mime: 'application/pdf', is: starts('%PDF-') },
  { kind: 'audio', mime: 'audio/wav', is: (bytes) => starts('RIFF')(bytes) && starts('WAVE', 8)(bytes) },
  { kind: 'audio', mime: 'audio/mp3', is: (bytes) => starts('ID3')(bytes) || starts('\xff\xfb')(bytes) },
  { kind: 'audio', mime: 'audio/flac', is: starts('fLaC') },
  { kind: 'audio', mime: 'audio/ogg', is: starts('OggS') },
  { kind: 'video', mime: 'video/mp4', is: starts('ftyp', 4) },
];

/** The least that providers allow: Anthropic's. https://platform.claude.com/docs/en/build-with-claude/vision#image-size */
const IMAGE_BYTES = 5 * 1024 * 1024;
const IMAGE_SIDE = 8000;
/** https://platform.claude.com/docs/en/build-with-claude/pdf-support */
const OTHER_BYTES = 32 * 1024 * 1024;

/** A side to which images are scaled down: more is not seen any better. */
const SCALED = 2000;

/** One part for each file. Throws a Failure: 74 where one cannot be read, 65 for what no model takes and for what is too large. */
export async function readAttachments(paths: readonly string[], cwd: string): Promise<(MediaPart | TextPart)[]> {
  return Promise.all(paths.map((path) => readAttachment(resolve(cwd, path), path)));
}

async function readAttachment(file: string, path: string): Promise<MediaPart | TextPart> {
  const bytes = read(file, path);
  const found = KINDS.find(({ is }) => is(bytes));
  if (found === undefined) return textPart(bytes, path);
  const { kind, mime } = found;
  const scaled = kind === 'image' ? await scaleImage(bytes, mime, path) : { bytes, mime };
  if (kind !== 'image' && bytes.length > OTHER_BYTES) throw tooLarge(path, `${bytes.length} bytes`, '32 MB');
  return {
    type: 'media',
    kind,
    source: { type: 'data', data: scaled.bytes.toString('base64'), mime: scaled.mime },
    ...(kind === 'document' && { name: basename(path) }),
  };
}

function read(file: string, path: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const why = code === 'ENOENT' ? 'no such file' : code === 'EISDIR' ? 'it is a directory' : 'it cannot be read';
    throw new Failure(EXIT.io, `cannot attach the file: ${why}`, { place: path });
  }
}

function textPart(bytes: Buffer, path: string): TextPart {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Failure(EXIT.badInput, 'cannot attach the file: it is neither text nor an image, PDF, audio or video', {
      place: path,
    });
  }
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const language = extname(path).slice(1);
  const end = text.endsWith('\n') ? '' : '\n';
  return { type: 'text', text: `${path}:\n${fence}${language}\n${text}${end}${fence}` };
}

async function scaleImage(bytes: Buffer, mime: string, path: string): Promise<{ bytes: Buffer; mime: string }> {
  const side = Math.max(...(sizeOf(bytes, mime) ?? [0]));
  if (bytes.length <= IMAGE_BYTES && side <= IMAGE_SIDE) return { bytes, mime };
  const sharp = await loadSharp();
  if (sharp === undefined) {
    const [is, limit] =
      side > IMAGE_SIDE ? [`${side} pixels long`, `${IMAGE_SIDE} pixels`] : [`${bytes.length} bytes`, '5 MB'];
    throw tooLarge(path, is, limit);
  }
  const scaled = await sharp(bytes)
    .resize({ width: SCALED, height: SCALED, fit: 'inside', withoutEnlargement: true })
    .jpeg({ quality: 85 })
    .toBuffer();
  return { bytes: scaled, mime: 'image/jpeg' };
}

const tooLarge = (path: string, is: string, limit: string): Failure =>
  new Failure(EXIT.badInput, `cannot attach the file: it is ${is}, and providers take ${limit}`, {
    place: path,
    hint: 'make it smaller, or install sharp, which scales images down (npm install -g sharp)',
  });

interface Sharp {
  resize(options: object): Sharp;
  jpeg(options: object): Sharp;
  toBuffer(): Promise<Buffer>;
}

/** An optional peer: undefined where it is not installed. */
async function loadSharp(): Promise<((bytes: Buffer) => Sharp) | undefined> {
  const name = 'sharp';
  try {
    const loaded = (await import(name)) as { default: (bytes: Buffer) => Sharp };
    return loaded.default;
  } catch {
    return undefined;
  }
}

/** Width and height in pixels, where they stand in the file's first bytes. */
function sizeOf(bytes: Buffer, mime: string): [number, number] | undefined {
  if (mime === 'image/png' && bytes.length >= 24) return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  if (mime === 'image/gif' && bytes.length >= 10) return [bytes.readUInt16LE(6), bytes.readUInt16LE(8)];
  return mime === 'image/jpeg' ? jpegSize(bytes) : undefined;
}

/** The frame's header, behind segments of other kinds. https://www.w3.org/Graphics/JPEG/itu-t81.pdf (B.2.2) */
function jpegSize(bytes: Buffer): [number, number] | undefined {
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1] ?? 0;
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
  }
  return undefined;
}
