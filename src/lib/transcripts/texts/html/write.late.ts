// Conversations as HTML.
import type { Message, Role } from '../../../conversation/types.ts';
import type { TextWriter, Transcript } from '../../../dialects/types.ts';
import { isResults, placeLabel, titleOf } from '../../legible.ts';
import { escaped, partHtml } from './parts.ts';
import { STYLE } from './style.ts';

export function openWriter(): TextWriter {
  return new HtmlWriter();
}

/** The browser is told as well that the page loads nothing and runs nothing. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

const NAMES: { readonly [role in Role]: string } = {
  system: 'System',
  developer: 'Developer',
  user: 'User',
  assistant: 'Assistant',
  tool: 'Tool',
};

class HtmlWriter implements TextWriter {
  #begun = false;
  #count = 0;
  #before: Role | undefined;

  begin(about: Omit<Transcript, 'messages'>): string {
    const title = titleOf(about);
    const page = this.#begun ? '' : opening(title ?? 'Conversation');
    this.#begun = true;
    this.#before = undefined;
    const place = placeLabel(about);
    const lines = `${title === undefined ? '' : `<h1>${escaped(title)}</h1>\n`}${place === '' ? '' : `<p>${escaped(place)}</p>\n`}`;
    return `${page}<article>\n${lines === '' ? '' : `<header>\n${lines}</header>\n`}`;
  }

  /** Results stand under the turn that made the calls. */
  message(message: Message): string {
    this.#count += 1;
    const goesOn = isResults(message) && (this.#before === 'assistant' || this.#before === 'tool');
    const role = isResults(message) ? 'tool' : message.role;
    this.#before = role;
    const about = [message.by?.model, timeOf(message)].filter((each) => each !== undefined).map(escaped);
    const small = about.length > 0 ? ` <small>${about.join(' · ')}</small>` : '';
    const heading = goesOn ? '' : `<h2>${NAMES[role]}${small}</h2>\n`;
    const section = `<section id="m${this.#count}" class="${role}${goesOn ? ' more' : ''}">`;
    return `${section}\n${heading}${message.parts.map(partHtml).join('')}</section>\n`;
  }

  end(): string {
    return '</article>\n';
  }

  close(): string {
    return this.#begun ? '</body>\n</html>\n' : '';
  }
}

/** `2026-01-02 03:04`, as the log has it. */
function timeOf({ meta }: Message): string | undefined {
  const { time } = meta ?? {};
  return typeof time === 'string' ? time.slice(0, 16).replace('T', ' ') : undefined;
}

function opening(title: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="referrer" content="no-referrer">
<title>${escaped(title)}</title>
<style>
${STYLE}
</style>
</head>
<body>
`;
}
