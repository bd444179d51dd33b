// Bedrock names a file's format; other APIs give its media type. https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ContentBlock.html
import type { MediaKind } from '../../conversation/types.ts';

type Formats = { readonly [format: string]: string };

const OFFICE = 'application/vnd.openxmlformats-officedocument';

/** The first format of a media type is the one that is written. */
const TYPES: { readonly [kind in MediaKind]: Formats } = {
  image: { png: 'image/png', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' },
  document: {
    pdf: 'application/pdf',
    csv: 'text/csv',
    doc: 'application/msword',
    docx: `${OFFICE}.wordprocessingml.document`,
    xls: 'application/vnd.ms-excel',
    xlsx: `${OFFICE}.spreadsheetml.sheet`,
    html: 'text/html',
    txt: 'text/plain',
    md: 'text/markdown',
  },
  video: {
    mp4: 'video/mp4',
    mkv: 'video/x-matroska',
    mov: 'video/quicktime',
    webm: 'video/webm',
    flv: 'video/x-flv',
    mpeg: 'video/mpeg',
    mpg: 'video/mpeg',
    wmv: 'video/x-ms-wmv',
    three_gp: 'video/3gpp',
  },
  audio: {
    mp3: 'audio/mpeg',
    wav: 'audio/wav',
    opus: 'audio/opus',
    aac: 'audio/aac',
    flac: 'audio/flac',
    mp4: 'audio/mp4',
    m4a: 'audio/mp4',
    ogg: 'audio/ogg',
    mkv: 'audio/x-matroska',
    mka: 'audio/x-matroska',
    'x-aac': 'audio/x-aac',
    mpeg: 'audio/mpeg',
    mpga: 'audio/mpeg',
    pcm: 'audio/pcm',
    webm: 'audio/webm',
  },
};

/** Other names in use for the same media types. */
const ALIASES = new Map([
  ['image/jpg', 'image/jpeg'],
  ['audio/mp3', 'audio/mpeg'],
  ['audio/x-wav', 'audio/wav'],
  ['audio/wave', 'audio/wav'],
  ['audio/x-flac', 'audio/flac'],
  ['audio/m4a', 'audio/mp4'],
  ['audio/x-m4a', 'audio/mp4'],
]);

const BY_TYPE = new Map(
  Object.entries(TYPES).map(([kind, formats]) => [
    kind,
    new Map(
      Object.entries(formats)
        .reverse()
        .map(([format, mime]) => [mime, format]),
    ),
  ]),
);

/** The media type of a format. One that is not known becomes a media type of its name. */
export function mimeOf(kind: MediaKind, format: string): string {
  const formats = TYPES[kind];
  return Object.hasOwn(formats, format)
    ? (formats[format] as string)
    : format.includes('/')
      ? format
      : `${kind}/${format}`;
}

/** The format of a media type, parameters aside; undefined if the API takes none such. Any text is a document. */
export function formatOf(kind: MediaKind, mime: string): string | undefined {
  const plain = (mime.split(';', 1)[0] ?? '').trim().toLowerCase();
  const format = BY_TYPE.get(kind)?.get(ALIASES.get(plain) ?? plain);
  return format ?? (kind === 'document' && plain.startsWith('text/') ? 'txt' : undefined);
}
