// Read: a file, with numbers before its lines; pictures and documents as they are.
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { type Tool, type ToolContext, ToolError, type ToolResult } from '../lib/cli/tool.ts';
import { isObject, type JsonObject } from '../lib/json/values.ts';
import { optionalInteger, text } from './fields.ts';
import { reading } from './files.ts';
import { cells } from './notebook.ts';
import { readable, shown } from './roots.ts';

const LINES = 2000;

/** Longer lines are cut. */
const WIDTH = 2000;

const CHUNK = 1 << 16;

const MEDIA_BYTES = 10 * 1024 * 1024;

const read: Tool = (input, context) => {
  const many = filesIn(input);
  if (many === undefined) return readOne(input, context);
  return many.map((file) => `${text(file, 'path')}\n${told(() => readOne(file, context))}`).join('\n\n');
};

export default read;

/** Several files in one call: `files`, or `args.file`, each with its path. */
function filesIn(input: JsonObject): JsonObject[] | undefined {
  const listed = isObject(input.args) ? input.args.file : input.files;
  if (listed === undefined) return undefined;
  return (Array.isArray(listed) ? listed : [listed]).map((file) => (isObject(file) ? withRange(file) : { path: file }));
}

/** `line_range: "3-9"`, as some models write it. */
function withRange(file: JsonObject): JsonObject {
  const [, start, end] = /^(\d+)-(\d+)$/.exec(String([file.line_range].flat()[0] ?? '')) ?? [];
  return start === undefined ? file : { ...file, start_line: Number(start), end_line: Number(end) };
}

/** One of several files may fail. */
function told(one: () => ToolResult): string {
  try {
    const result = one();
    return typeof result === 'string' ? result : '(not text: read it in a call of its own)';
  } catch (error) {
    if (error instanceof ToolError) return error.message;
    throw error;
  }
}

function readOne(input: JsonObject, context: ToolContext): ToolResult {
  const path = text(input, 'file_path', 'path');
  const real = readable(path, context);
  const stat = reading(path, () => statSync(real));
  if (stat.isDirectory()) throw new ToolError(`${path} is a directory: list it instead`);
  if (!stat.isFile()) throw new ToolError(`${path} is not a regular file`);
  if (stat.size === 0) return '(the file is empty)';
  const head = beginning(path, real);
  const mime = mediaType(head);
  if (mime !== undefined) return media(path, real, stat.size, mime);
  const encoding = encodingOf(head);
  if (encoding === undefined) throw new ToolError(`${path} is not text (${stat.size} bytes)`);
  if (/\.ipynb$/i.test(real))
    return cells(
      reading(path, () => readFileSync(real, 'utf8')),
      path,
    );
  return lines(real, shown(real, context), encoding, rangeIn(input));
}

interface Range {
  readonly first: number;
  readonly most: number;
}

/** `offset` and `limit`, or `start_line` and `end_line`. */
function rangeIn(input: JsonObject): Range {
  const first = Math.max(1, optionalInteger(input, 0, 'offset', 'start_line') ?? 1);
  const end = optionalInteger(input, 1, 'end_line');
  if (end !== undefined && end < first) throw new ToolError('"end_line" is before "start_line"');
  const most = end === undefined ? optionalInteger(input, 1, 'limit') : end - first + 1;
  return { first, most: most ?? LINES };
}

function lines(real: string, path: string, encoding: BufferEncoding, { first, most }: Range): string {
  const found: string[] = [];
  let number = 0;
  let more = false;
  for (const line of linesOf(real, encoding)) {
    number += 1;
    if (number < first) continue;
    more = number >= first + most;
    if (more) break;
    const cut = line.length > WIDTH ? `${line.slice(0, WIDTH)}… (${line.length - WIDTH} more characters)` : line;
    found.push(`${String(number).padStart(6)}\t${cut}`);
  }
  if (found.length === 0)
    throw new ToolError(`${path} has ${number} line${number === 1 ? '' : 's'}: there is no line ${first}`);
  return found.join('\n') + (more ? `\n(more lines follow: read on with offset ${number})` : '');
}

/** The lines of a file, without their ends. Memory does not grow with the file, only with its longest line. */
function* linesOf(real: string, encoding: BufferEncoding): Generator<string> {
  const fd = openSync(real, 'r');
  try {
    const decoder = new StringDecoder(encoding);
    const chunk = Buffer.allocUnsafe(CHUNK);
    let rest: string[] = [];
    for (let length = readSync(fd, chunk, 0, CHUNK, null); length > 0; length = readSync(fd, chunk, 0, CHUNK, null)) {
      const pieces = decoder.write(chunk.subarray(0, length)).split('\n');
      const last = pieces.pop() ?? '';
      for (const piece of pieces) {
        yield strip(rest.join('') + piece);
        rest = [];
      }
      rest.push(last);
    }
    const last = rest.join('') + decoder.end();
    if (last !== '') yield strip(last);
  } finally {
    closeSync(fd);
  }
}

const strip = (line: string): string => line.replace(/^\ufeff|\r$/g, '');

function beginning(path: string, real: string): Buffer {
  const fd = reading(path, () => openSync(real, 'r'));
  try {
    const head = Buffer.alloc(8192);
    return head.subarray(0, readSync(fd, head, 0, head.length, 0));
  } finally {
    closeSync(fd);
  }
}

function encodingOf(head: Buffer): BufferEncoding | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf16le';
  return head.includes(0) ? undefined : 'utf8';
}

const SIGNATURES: readonly (readonly [signature: RegExp, mime: string])[] = [
  [/^\x89PNG\r\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF....WEBP/s, 'image/webp'],
  [/^%PDF-/, 'application/pdf'],
];

const mediaType = (head: Buffer): string | undefined =>
  SIGNATURES.find(([signature]) => signature.test(head.toString('latin1', 0, 16)))?.[1];

function media(path: string, real: string, size: number, mime: string): ToolResult {
  if (size > MEDIA_BYTES) throw new ToolError(`${path} is too large to be shown (${mime}, ${size} bytes)`);
  const data = reading(path, () => readFileSync(real)).toString('base64');
  const about = { type: 'text', text: `${path}: ${mime}, ${size} bytes` };
  if (mime.startsWith('image/')) return { content: [about, { type: 'image', data, mimeType: mime }] };
  return { content: [about, { type: 'resource', resource: { uri: `file://${real}`, mimeType: mime, blob: data } }] };
}
