// Server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
import { StringDecoder } from 'node:string_decoder';

export interface SseEvent {
  readonly event?: string;
  readonly data: string;
}

/** The events of a byte stream, whatever its line ends and wherever its chunks are cut. An event without its blank line is not whole. */
export async function* events(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<SseEvent> {
  const decoder = new StringDecoder('utf8');
  const parser = new SseParser();
  let begun = false;
  for await (const chunk of chunks) {
    const text = decoder.write(Buffer.from(chunk));
    yield* parser.push(!begun && text.startsWith('\ufeff') ? text.slice(1) : text);
    begun ||= text !== '';
  }
}

/** Cuts text into lines and lines into events. Pieces of a long line are joined once. */
export class SseParser {
  #pieces: string[] = [];
  #data: string[] = [];
  #event: string | undefined;
  #sawReturn = false;

  push(text: string): SseEvent[] {
    const found: SseEvent[] = [];
    let start = 0;
    // A line feed at the beginning of a chunk may belong to a carriage return at the end of the last one.
    if (this.#sawReturn && text.startsWith('\n')) start = 1;
    if (text !== '') this.#sawReturn = text.endsWith('\r');
    for (let i = start; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code !== 10 && code !== 13) continue;
      const event = this.#line(this.#pieces.join('') + text.slice(start, i));
      this.#pieces = [];
      if (event) found.push(event);
      if (code === 13 && text.charCodeAt(i + 1) === 10) i += 1;
      start = i + 1;
    }
    if (start < text.length) this.#pieces.push(text.slice(start));
    return found;
  }

  #line(line: string): SseEvent | undefined {
    if (line === '') return this.#dispatch();
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const raw = colon < 0 ? '' : line.slice(colon + 1);
    const value = raw.startsWith(' ') ? raw.slice(1) : raw;
    if (field === 'data') this.#data.push(value);
    if (field === 'event') this.#event = value;
    return undefined;
  }

  #dispatch(): SseEvent | undefined {
    const data = this.#data;
    const event = this.#event;
    this.#data = [];
    this.#event = undefined;
    return data.length > 0 ? { event, data: data.join('\n') } : undefined;
  }
}
