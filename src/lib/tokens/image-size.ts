// Width and height of an image, from the first bytes of its file.

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size of a PNG, JPEG, GIF or WebP; undefined for anything else, and where the size is not among the bytes given. */
export function imageSize(bytes: Buffer): Size | undefined {
  try {
    if (bytes.length > 24 && bytes.readUInt32BE(0) === 0x89504e47)
      return size(bytes.readUInt32BE(16), bytes.readUInt32BE(20));
    if (bytes.length > 10 && bytes.toString('latin1', 0, 4) === 'GIF8')
      return size(bytes.readUInt16LE(6), bytes.readUInt16LE(8));
    if (bytes.length > 30 && bytes.toString('latin1', 8, 12) === 'WEBP') return webp(bytes);
    return bytes.readUInt16BE(0) === 0xffd8 ? jpeg(bytes) : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const size = (width: number, height: number): Size | undefined =>
  width > 0 && height > 0 ? { width, height } : undefined;

/** https://developers.google.com/speed/webp/docs/riff_container */
function webp(bytes: Buffer): Size | undefined {
  const kind = bytes.toString('latin1', 12, 16);
  if (kind === 'VP8X') return size(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1);
  if (kind === 'VP8 ') return size(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff);
  if (kind !== 'VP8L') return undefined;
  const bits = bytes.readUInt32LE(21);
  return size((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
}

/** The first frame header (SOF) among the segments: https://www.w3.org/Graphics/JPEG/itu-t81.pdf */
function jpeg(bytes: Buffer): Size | undefined {
  for (let at = 2; bytes[at] === 0xff; ) {
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xff) at += 1;
    else if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc)
      return size(bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5));
    else at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}
