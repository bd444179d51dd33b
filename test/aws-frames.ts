// Frames of AWS's event streams, made for tests. https://smithy.io/2.0/aws/amazon-eventstream.html
import { crc32 } from 'node:zlib';

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
};

function header(name: string, value: string): Buffer {
  const text = Buffer.from(value);
  const size = Buffer.alloc(2);
  size.writeUInt16BE(text.length);
  return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from([7]), size, text]);
}

export function frame(
  headers: Record<string, string>,
  payload: string | Uint8Array,
  more: Uint8Array = Buffer.alloc(0),
): Buffer {
  const head = Buffer.concat([...Object.entries(headers).map(([name, value]) => header(name, value)), more]);
  const body = Buffer.from(payload as string);
  const prelude = Buffer.concat([u32(16 + head.length + body.length), u32(head.length)]);
  const all = Buffer.concat([prelude, u32(crc32(prelude)), head, body]);
  return Buffer.concat([all, u32(crc32(all))]);
}

/** The frame of an event `{kind: body}`. */
export function eventFrame(event: object): Buffer {
  const [[kind, body] = ['', {}]] = Object.entries(event);
  const type: Record<string, string> = kind.endsWith('Exception')
    ? { ':exception-type': kind, ':message-type': 'exception' }
    : { ':event-type': kind, ':message-type': 'event' };
  return frame({ ...type, ':content-type': 'application/json' }, JSON.stringify(body));
}
