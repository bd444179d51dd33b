// What images, documents, sound and video cost. Where a size is not known, the most that the API would take.
import type { MediaPart, Source } from '../conversation/types.ts';
import type { Family } from './families.ts';
import { imageSize, type Size } from './image-size.ts';

/** Enough of a file to find an image's size in, even behind a camera's notes. Characters of base64. */
const SEARCHED = 1 << 18;

const SECOND_OF_SOUND = 16_000;
/** Tokens of a second. */
const SOUND: { readonly [media in Family['media']]: number } = {
  openai: 12,
  patches: 12,
  claude: 12,
  gemini: 32,
  dearest: 32,
};
const SECOND_OF_VIDEO = 200_000;
/** About the bytes of a page, where a file does not name its pages. */
const PAGE = 250_000;

/** Tokens of a media part whose bytes are not text. */
export function mediaTokens(part: MediaPart, { media }: Family): number {
  const { source, kind } = part;
  if (kind === 'image') return IMAGE[media](sizeOf(source), part.detail);
  const bytes = source.type === 'data' ? (source.data.length * 3) / 4 : undefined;
  if (kind === 'audio') return ((bytes ?? 60 * SECOND_OF_SOUND) / SECOND_OF_SOUND) * SOUND[media];
  if (kind === 'video') return ((bytes ?? 60 * SECOND_OF_VIDEO) / SECOND_OF_VIDEO) * 300;
  return pages(source, bytes) * (media === 'gemini' ? 258 : 2250);
}

function sizeOf(source: Source): Size | undefined {
  return source.type === 'data' ? imageSize(Buffer.from(source.data.slice(0, SEARCHED), 'base64')) : undefined;
}

/** A PDF names its pages, unless it is compressed as a whole. */
function pages(source: Source, bytes: number | undefined): number {
  if (source.type !== 'data' || bytes === undefined) return 10;
  const file = Buffer.from(source.data, 'base64').toString('latin1');
  let named = 0;
  for (let at = file.indexOf('/Page'); at >= 0; at = file.indexOf('/Page', at + 5))
    if (!/\w/.test(file[at + 5] ?? '')) named++;
  return named || Math.ceil(bytes / PAGE);
}

type Price = (size: Size | undefined, detail: string | undefined) => number;

const IMAGE: { readonly [media in Family['media']]: Price } = {
  openai: tiles,
  patches,
  claude: area,
  gemini: crops,
  dearest: (size, detail) => Math.max(...[tiles, patches, area, crops].map((price) => price(size, detail))),
};

/** 85, and 170 for each tile of 512 pixels: https://platform.openai.com/docs/guides/images-vision#calculating-costs */
function tiles(size: Size | undefined, detail: string | undefined): number {
  if (detail === 'low') return 85;
  const { width, height } = shrunk(size ?? { width: 2048, height: 768 }, 2048, 768);
  return 85 + 170 * Math.ceil(width / 512) * Math.ceil(height / 512);
}

/** Newer models: 70 and 140 for each tile, or patches of 32 pixels, at most 1536 and at a price of up to 1.7 each. The dearer of the two. */
function patches(size: Size | undefined, detail: string | undefined): number {
  if (detail === 'low') return 85;
  const { width, height } = size ?? { width: 1254, height: 1254 };
  const count = Math.min(1536, Math.ceil(width / 32) * Math.ceil(height / 32));
  return Math.ceil(Math.max(tiles(size, detail), 1.72 * count));
}

/** A token for 750 pixels, at most 1,568 by 1,568 of them: https://platform.claude.com/docs/en/build-with-claude/vision */
function area(size: Size | undefined): number {
  const { width, height } = shrunk(size ?? { width: 1568, height: 784 }, 1568, 1568);
  return Math.min(1640, Math.ceil((width * height) / 750)) + 4;
}

/** 258 for each crop of 768 pixels: https://ai.google.dev/gemini-api/docs/tokens#multimodal-tokens */
function crops(size: Size | undefined): number {
  const { width, height } = size ?? { width: 1536, height: 1536 };
  if (width <= 384 && height <= 384) return 258;
  return 258 * Math.ceil(width / 768) * Math.ceil(height / 768);
}

/** Scaled down so that the longer side is at most `long` and the shorter at most `short`. */
function shrunk({ width, height }: Size, long: number, short: number): Size {
  const scale = Math.min(1, long / Math.max(width, height), short / Math.min(width, height));
  return { width: width * scale, height: height * scale };
}
