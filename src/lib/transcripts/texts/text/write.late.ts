// Conversations as plain text for a terminal: who speaks stands alone at the beginning of a line, what is said is indented.
import type { Message, Part, ToolResultPart } from '../../../conversation/types.ts';
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

export function openWriter(): TextWriter {
  return new PlainWriter();
}

class PlainWriter implements TextWriter {
  #begun = false;
  #results = false;

  begin(about: Omit<Transcript, 'messages'>): string {
    const title = titleOf(about);
    const place = placeLabel(about);
    const apart = this.#begun ? `${LINE}\n\n` : '';
    this.#begun = true;
    this.#results = false;
    const lines = title === undefined ? [] : [title, place].filter((line) => line !== '');
    return `${apart}${lines.length > 0 ? `${lines.map((line) => `# ${line}`).join('\n')}\n\n` : ''}`;
  }

  message(message: Message): string {
    const blocks = message.parts.map(block).filter((each) => each !== '');
    const goesOn = isResults(message) && this.#results;
    this.#results = isResults(message) || message.parts.some(({ type }) => type === 'tool_call');
    if (blocks.length === 0) return '';
    return `${goesOn ? '' : `${message.role}:\n`}${blocks.map((each) => `${each}\n`).join('')}`;
  }

  end(): string {
    return '';
  }

  close(): string {
    return '';
  }
}

const LINE = '-'.repeat(72);

/** A part, indented, with a newline at its end. */
function block(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return indented(part.text);
    case 'reasoning':
      return part.text ? indented(part.text, '  ~ ') : '';
    case 'tool_call':
      return indented(`${part.name} ${argumentsOf(part)}`, '  > ');
    case 'tool_result':
      return result(part);
    case 'media': {
      const text = documentText(part);
      return text === undefined ? indented(`[${mediaLabel(part)}]`) : indented(text);
    }
    case 'native':
      return indented(nativeText(part));
  }
}

function result({ parts, error }: ToolResultPart): string {
  const texts = parts.map((part) => (part.type === 'text' ? part.text : withoutEdges(block(part)).trim()));
  return indented(texts.join('\n') || '(no output)', error ? '  ! ' : '  < ');
}

/** Every line with its mark; an empty one stays empty in prose. */
function indented(text: string, mark = '  '): string {
  const whole = withoutEdges(legible(text));
  if (whole === '') return '';
  const lines = whole.split('\n').map((line) => `${mark}${line}`.trimEnd());
  return `${lines.join('\n')}\n`;
}
