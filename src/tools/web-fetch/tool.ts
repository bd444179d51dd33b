// WebFetch: a page as text.
import { type Tool, ToolError, type ToolResult } from '../../lib/cli/tool.ts';
import { text } from '../fields.ts';
import { get, type Page } from './get.ts';

/** Redirects within one host. */
const REDIRECTS = 5;

const fetchPage: Tool = async (input, context) => {
  let url = address(text(input, 'url'));
  for (let n = 0; n <= REDIRECTS; n++) {
    const page = await get(url, context);
    if (page.location === undefined) return show(url, page);
    const next = address(page.location, url);
    if (next.host !== url.host)
      return `${url.href} leads to another host: fetch ${next.href} if that is what you want.`;
    url = next;
  }
  throw new ToolError(`${url.href} redirects in a loop`);
};

export default fetchPage;

function address(written: string, base?: URL): URL {
  let url: URL;
  try {
    url = new URL(written, base);
  } catch {
    throw new ToolError(`"${written}" is not a URL: it must begin with https://`);
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new ToolError(`${url.protocol} addresses are not fetched: https and http are`);
  url.username = '';
  url.password = '';
  return url;
}

async function show(url: URL, { status, type, body, cut }: Page): Promise<ToolResult> {
  const content = await textOf(url, type, body);
  if (typeof content !== 'string') return content;
  const more = cut ? '\n(the page is longer: the rest was not read)' : '';
  const whole = content.trim() === '' ? '(the page has no text)' : content;
  if (status >= 400) throw new ToolError(`${url.href} answered ${status}\n${whole.slice(0, 2000)}`);
  return whole + more;
}

async function textOf(url: URL, type: string, body: Buffer): Promise<string | Exclude<ToolResult, string>> {
  const [kind = '', charset] = type.split(/;\s*charset=/);
  const mime = kind.split(';')[0]?.trim() ?? '';
  if (/^image\/(png|jpeg|gif|webp)$/.test(mime)) {
    const about = { type: 'text', text: `${url.href}: ${mime}, ${body.length} bytes` };
    return { content: [about, { type: 'image', data: body.toString('base64'), mimeType: mime }] };
  }
  const isText = mime === '' || mime.startsWith('text/') || /[/+](json|xml|javascript|yaml|x-sh|x-ndjson)$/.test(mime);
  if (!isText || (mime === '' && body.includes(0))) return `(${mime || 'no text'}, ${body.length} bytes)`;
  const decoded = decode(body, charset);
  if (mime !== 'text/html' && mime !== 'application/xhtml+xml') return decoded;
  const { textOfHtml } = await import('./html.ts');
  return textOfHtml(decoded);
}

function decode(body: Buffer, charset: string | undefined): string {
  try {
    return new TextDecoder(charset?.replace(/"/g, '').trim() || 'utf-8').decode(body);
  } catch {
    return body.toString('utf8');
  }
}
