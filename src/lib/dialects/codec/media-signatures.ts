// What bytes are, where a format does not say it: told by their first bytes.

/** Signatures at the beginning of a file: https://en.wikipedia.org/wiki/List_of_file_signatures */
const SIGNATURES: readonly (readonly [start: string, mime: string])[] = [
  ['\x89PNG', 'image/png'],
  ['\xff\xd8\xff', 'image/jpeg'],
  ['GIF8', 'image/gif'],
  ['BM', 'image/bmp'],
  ['%PDF', 'application/pdf'],
  ['ID3', 'audio/mpeg'],
  ['\xff\xfb', 'audio/mpeg'],
  ['\xff\xf3', 'audio/mpeg'],
  ['fLaC', 'audio/flac'],
  ['OggS', 'audio/ogg'],
];

/** The media type of bytes in base64; undefined if they are none of the usual. */
export function sniff(base64: string): string | undefined {
  const start = beginning(base64);
  if (start.startsWith('RIFF')) return RIFF.get(start.slice(8, 12));
  return SIGNATURES.find(([signature]) => start.startsWith(signature))?.[1];
}

const RIFF = new Map([
  ['WEBP', 'image/webp'],
  ['WAVE', 'audio/wav'],
]);

/** In either alphabet of base64. */
const beginning = (base64: string): string => Buffer.from(base64.slice(0, 16), 'base64').toString('latin1');
