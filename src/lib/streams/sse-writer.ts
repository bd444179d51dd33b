// Events as text: https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation

/** One event, its blank line included. `data` is one line: JSON, or a word. */
export function sseText(event: { readonly event?: string | undefined; readonly data: unknown }): string {
  const data = typeof event.data === 'string' ? event.data : JSON.stringify(event.data);
  const lines = data.includes('\n') || data.includes('\r') ? data.split(/\r\n|\r|\n/) : [data];
  const name = event.event === undefined ? '' : `event: ${event.event}\n`;
  return `${name}${lines.map((line) => `data: ${line}\n`).join('')}\n`;
}
