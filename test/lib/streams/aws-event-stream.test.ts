// The framing of AWS's event streams: our reader, the SDK's, and what AWS really sent.
import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { BedrockRuntimeClient, ConverseStreamCommand } from '@aws-sdk/client-bedrock-runtime';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bedrock } from '../../../src/lib/dialects/bedrock/index.ts';
import { UpstreamError } from '../../../src/lib/dialects/codec/stream.ts';
import type { JsonObject } from '../../../src/lib/json/values.ts';
import { BrokenFrame, eventOf, FrameParser } from '../../../src/lib/streams/aws-event-stream.ts';
import { eventFrame, frame } from '../../aws-frames.ts';
import { accepted, CORPORA, fixture, streams } from '../../fixtures.ts';

const lose = () => {};
const parse = (bytes: Uint8Array): JsonObject[] => {
  const parser = new FrameParser();
  const events = parser.push(bytes).map(eventOf);
  parser.end();
  return events;
};

describe('frames', () => {
  const events = streams('bedrock').flatMap((stream) => stream.events);
  const bytes = Buffer.concat(events.map(eventFrame));

  test('wherever the bytes are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 12 }), (cuts) => {
        const parser = new FrameParser();
        const at = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        const read = at.slice(1).flatMap((end, i) => parser.push(bytes.subarray(at[i], end)).map(eventOf));
        parser.end();
        expect(read).toEqual(events);
      }),
    );
  });

  test('a byte at a time', () => {
    const parser = new FrameParser();
    expect([...bytes].flatMap((byte) => parser.push(Uint8Array.of(byte)).map(eventOf))).toEqual(events);
  });

  test('any damaged byte is found', () => {
    const one = eventFrame({ messageStop: { stopReason: 'end_turn' } });
    for (let i = 0; i < one.length; i++) {
      const damaged = Buffer.from(one);
      damaged[i] = (damaged[i] ?? 0) ^ 0x10;
      expect(() => parse(damaged), `byte ${i}`).toThrow(BrokenFrame);
    }
  });

  test('an end within a frame is found', () => {
    for (let cut = 1; cut < 40; cut++) {
      const parser = new FrameParser();
      parser.push(bytes.subarray(0, cut));
      expect(() => parser.end()).toThrow(BrokenFrame);
    }
  });

  test('headers of every type are passed over', () => {
    const typed = (type: number, size: number) => Buffer.concat([Buffer.from([1, 97, type]), Buffer.alloc(size)]);
    const bytesHeader = Buffer.from([1, 98, 6, 0, 2, 9, 9]);
    const sizes = [0, 0, 1, 2, 4, 8].map((size, type) => typed(type, size));
    const more = Buffer.concat([...sizes, bytesHeader, typed(8, 8), typed(9, 16)]);
    const [found] = new FrameParser().push(frame({ ':event-type': 'metadata' }, '{}', more));
    expect(found?.headers).toEqual({ ':event-type': 'metadata' });
    expect(() => new FrameParser().push(frame({}, '{}', Buffer.from([1, 97, 10])))).toThrow(BrokenFrame);
    expect(() => new FrameParser().push(frame({}, '{}', Buffer.from([9, 97])))).toThrow(BrokenFrame);
    expect(() => new FrameParser().push(frame({}, '{}', Buffer.from([1, 97, 7, 9, 9])))).toThrow(BrokenFrame);
  });

  test('exceptions and errors end the reply', () => {
    const exception = parse(eventFrame({ throttlingException: { message: 'Too fast' } }));
    expect(() => bedrock.openStream().push(exception[0] as JsonObject)).toThrow(UpstreamError);
    expect(() => bedrock.openStream().push(exception[0] as JsonObject)).toThrow('Too fast');
    const error = parse(frame({ ':message-type': 'error', ':error-code': 'E', ':error-message': 'Broken' }, ''));
    expect(() => bedrock.openStream().push(error[0] as JsonObject)).toThrow('Broken');
    expect(() => parse(frame({ ':event-type': 'metadata' }, 'no json'))).toThrow(BrokenFrame);
  });

  test('lengths that lie are refused before memory is', () => {
    expect(() => new FrameParser().push(Buffer.from('HTTP/1.1 200 OK\r\n'))).toThrow(BrokenFrame);
  });
});

describe('the SDK reads the events that we write', () => {
  let body = Buffer.alloc(0);
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' }).end(body);
  });
  beforeAll(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)));
  afterAll(() => void server.close());

  fixture('bedrock', 'replies').forEach((native, i) =>
    test(`reply ${i + 1}`, async () => {
      const written = bedrock.writeStream?.(bedrock.readReply(native), lose) ?? [];
      body = Buffer.concat(written.map(({ data }) => eventFrame(data as JsonObject)));
      const { port } = server.address() as AddressInfo;
      const client = new BedrockRuntimeClient({
        region: 'us-east-1',
        endpoint: `http://127.0.0.1:${port}`,
        credentials: { accessKeyId: 'a', secretAccessKey: 's' },
        maxAttempts: 1,
      });
      const answer = await client.send(new ConverseStreamCommand({ modelId: 'm', messages: [] }));
      const events: unknown[] = [];
      for await (const event of answer.stream ?? []) events.push(event);
      client.destroy();
      expect(events.map((event) => Object.keys(event as object)[0])).toEqual(
        written.map(({ data }) => Object.keys(data as object)[0]),
      );
      const reader = bedrock.openStream();
      for (const event of events) reader.push(event as JsonObject);
      expect(JSON.parse(JSON.stringify(reader.end().parts))).toEqual(
        JSON.parse(JSON.stringify(bedrock.readReply(native).parts)),
      );
    }),
  );
});

describe.skipIf(CORPORA === undefined)('what AWS sent', () => {
  const recorded = accepted('bedrock-converse').flatMap(({ id, response }) =>
    typeof (response as JsonObject)?.__bytes_base64 === 'string' ? [{ id, response: response as JsonObject }] : [],
  );
  test('there are recorded streams', () => expect(recorded.length).toBeGreaterThan(0));
  test.each(recorded)('$id is read to its end', ({ response }) => {
    const reader = bedrock.openStream();
    for (const event of parse(Buffer.from(String(response.__bytes_base64), 'base64'))) reader.push(event);
    const reply = reader.end();
    expect(reply.stop?.reason).toBeDefined();
    expect(reply.usage?.output).toBeGreaterThan(0);
    expect(reply.parts.length).toBeGreaterThan(0);
  });
});
