// Conversations as Markdown: a heading for each turn; calls, results and reasoning in fences.
import type { Message, Part, Role, ToolResultPart } from '../../../conversation/types.ts';
import type { TextWriter, Transcript } from '../../../dialects/types.ts';
import {
  argumentsOf,
  documentText,
  isResults,
  legible,
  mediaLabel,
  nativeText,
  placeLabel,
  titleOf,
  withoutEdges,
} from '../../legible.ts';
import { fence } from './fences.ts';
import { guarded, heading, NEXT } from './headings.ts';

export function openWriter(): TextWriter {
  return new MarkdownWriter();
}

class MarkdownWriter implements TextWriter {
  #begun = false;
  #before: Role | undefined;

  begin(about: Omit<Transcript, 'messages'>): string {
    const apart = this.#begun ? `${NEXT}\n\n---\n\n` : '';
    this.#begun = true;
    this.#before = undefined;
    const title = titleOf(about);
    const place = placeLabel(about);
    return `${apart}${title === undefined ? '' : `# ${title}\n\n`}${place === '' || title === undefined ? '' : `> ${place}\n\n`}`;
  }

  /** Results stand under the turn that made the calls. */
  message(message: Message): string {
    const { role, parts } = message;
    const after = this.#before;
    const goesOn = isResults(message) && (after === 'assistant' || after === 'tool');
    this.#before = isResults(message) ? 'tool' : role;
    const blocks = parts.map(block).filter((each) => each !== '');
    return `${goesOn ? '' : `${heading(isResults(message) ? 'tool' : role)}\n`}${blocks.map((each) => `${each}\n`).join('')}`;
  }

  end(): string {
    return '';
  }

  close(): string {
    return '';
  }
}

/** A part with a newline at its end. */
function block(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return prose(part.text);
    case 'reasoning':
      return part.text ? fence({ kind: 'reasoning', words: [], content: legible(part.text) }) : '';
    case 'tool_call': {
      const mark = part.by === 'provider' ? ['provider'] : [];
      const words = [part.name, part.id, ...mark];
      const content = legible(argumentsOf(part, 2));
      return part.input === undefined
        ? fence({ kind: 'call', words, content }, 'text ')
        : fence({ kind: 'call', words, content });
    }
    case 'tool_result':
      return result(part);
    case 'media': {
      const text = documentText(part);
      if (text !== undefined)
        return fence({ kind: 'document', words: part.name === undefined ? [] : [part.name], content: legible(text) });
      const { source } = part;
      const address = source.type === 'url' && /^https?:\/\/[^\s<>()]+$/.test(source.url) ? source.url : undefined;
      return address && part.kind === 'image'
        ? `![image](${address})\n`
        : `*[${mediaLabel(part).replaceAll('*', '\\*')}]*\n`;
    }
    case 'native':
      return fence({ kind: 'document', words: [part.format], content: legible(nativeText(part)) });
  }
}

function result({ callId, parts, error, by }: ToolResultPart): string {
  const texts = parts.map((part) => (part.type === 'text' ? legible(part.text) : block(part).trimEnd()));
  const words = [callId, ...(error ? ['error'] : []), ...(by === 'provider' ? ['provider'] : [])];
  return fence({ kind: 'result', words, content: texts.join('\n') });
}

function prose(text: string): string {
  const whole = withoutEdges(legible(text));
  return whole === '' ? '' : `${whole.split('\n').map(guarded).join('\n')}\n`;
}
