// Parts of a message as HTML. Everything that comes from the data is escaped; nothing is fetched and nothing runs.
import type { MediaPart, Part, ToolCallPart, ToolResultPart } from '../../../conversation/types.ts';
import { argumentsOf, documentText, legible, mediaLabel, nativeText, withoutEdges } from '../../legible.ts';

const ENTITIES: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for any place between tags and in quoted attributes. */
export function escaped(text: string): string {
  return legible(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/** Browsers drop a newline right behind `<pre>`. */
const kept = (text: string): string => (text.startsWith('\n') ? `\n${escaped(text)}` : escaped(text));

export function partHtml(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return prose(part.text);
    case 'reasoning':
      return part.text ? `<details class="reasoning"><summary>Reasoning</summary>${prose(part.text)}</details>\n` : '';
    case 'tool_call':
      return callHtml(part);
    case 'tool_result':
      return resultHtml(part);
    case 'media':
      return mediaHtml(part);
    case 'native':
      return folded(escaped(part.format), nativeText(part), 'native', false);
  }
}

/** Paragraphs as they were typed; fenced code in boxes of its own. */
function prose(text: string): string {
  if (!text.includes('```') && !text.includes('~~~')) {
    const whole = withoutEdges(text);
    return whole === '' ? '' : `<p>${escaped(whole)}</p>\n`;
  }
  const html: string[] = [];
  let lines: string[] = [];
  let fence = '';
  const end = () => {
    const block = fence === '' ? withoutEdges(lines.join('\n')) : lines.join('\n');
    if (fence !== '') html.push(`<pre><code>${kept(block)}</code></pre>\n`);
    else if (block !== '') html.push(`<p>${escaped(block)}</p>\n`);
    lines = [];
  };
  for (const line of text.split('\n')) {
    const ticks = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    const closes = fence !== '' && ticks.startsWith(fence) && line.trim() === ticks;
    const opens = fence === '' && ticks !== '' && !line.trim().slice(ticks.length).includes('`');
    if (closes || opens) {
      end();
      fence = closes ? '' : ticks;
    } else lines.push(line);
  }
  end();
  return html.join('');
}

function callHtml(part: ToolCallPart): string {
  const brief = argumentsOf(part).slice(0, 1000).replaceAll(/\s+/g, ' ').slice(0, 160);
  return folded(`<b>${escaped(part.name)}</b> ${escaped(brief)}`, argumentsOf(part, 2), 'call', false);
}

/** Above this a result is folded. */
const LINES = 12;
const CHARACTERS = 1200;

function resultHtml({ parts, error }: ToolResultPart): string {
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  const others = parts
    .filter((part) => part.type !== 'text')
    .map(partHtml)
    .join('');
  const count = text === '' ? 0 : withoutEdges(text).split('\n').length;
  const label = `${error ? 'Error' : 'Result'}${count > 0 ? ` · ${count} line${count === 1 ? '' : 's'}` : ''}`;
  const open = count <= LINES && text.length <= CHARACTERS;
  if (text === '' && others === '')
    return `<details class="${error ? 'error' : 'result'}"><summary>${label}: empty</summary></details>\n`;
  return `${text === '' ? '' : folded(label, text, error ? 'error' : 'result', open)}${others}`;
}

/** `label` is HTML already. */
function folded(label: string, text: string, kind: string, open: boolean): string {
  return `<details class="${kind}"${open ? ' open' : ''}><summary>${label}</summary><pre>${kept(text)}</pre></details>\n`;
}

const SHOWN = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
  'image/svg+xml',
]);

/** Images whose bytes are there are shown; an address is only named, since showing it would tell a stranger who reads this. */
function mediaHtml(part: MediaPart): string {
  const { kind, source } = part;
  const text = documentText(part);
  if (text !== undefined) return folded(escaped(part.name ?? 'Document'), text, 'document', false);
  const label = escaped(mediaLabel(part));
  const mime = (source.type === 'data' ? source.mime : undefined) ?? 'image/png';
  if (kind === 'image' && source.type === 'data' && SHOWN.has(mime) && /^[A-Za-z0-9+/=\s]*$/.test(source.data))
    return `<img alt="${label}" src="data:${mime};base64,${source.data}">\n`;
  if (source.type === 'url' && /^https?:\/\//i.test(source.url))
    return `<p><a rel="noreferrer noopener" href="${escaped(source.url)}">${label}</a></p>\n`;
  return `<p>[${label}]</p>\n`;
}
