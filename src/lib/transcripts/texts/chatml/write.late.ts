// Conversations as ChatML. Calls and results are written as the Hermes models write them; ai-recover-tools makes them real again.

import type { Lose, Message, Part, ToolResultPart } from '../../../conversation/types.ts';
import { nameOf } from '../../../dialects/codec/fields.ts';
import type { TextWriter, Transcript } from '../../../dialects/types.ts';
import type { JsonObject } from '../../../json/values.ts';
import { END, guarded, START } from './marks.ts';

export function openWriter(lose: Lose): TextWriter {
  return new ChatMLWriter(lose);
}

class ChatMLWriter implements TextWriter {
  readonly #lose: Lose;
  #begun = false;

  constructor(lose: Lose) {
    this.#lose = lose;
  }

  begin({ head }: Omit<Transcript, 'messages'>): string {
    const apart = this.#begun ? '\n' : '';
    this.#begun = true;
    if (head.tools && head.tools.length > 0) this.#lose('tools', 'ChatML has no place for definitions');
    return apart;
  }

  message(message: Message): string {
    const { role, name, form, parts } = message;
    const results = parts.filter((part): part is ToolResultPart => part.type === 'tool_result');
    const others = parts.filter((part) => part.type !== 'tool_result');
    const answers = results.flatMap((result) => this.#answer(result));
    const spoken = others.map((part) => this.#part(part)).filter((text) => text !== undefined);
    const kept = form?.chatml;
    const who = kept !== undefined && (role === 'user' || role === kept) ? kept : role === 'tool' ? 'user' : role;
    const named = name === undefined ? who : `${who} name=${name.replaceAll(/\s/g, '_')}`;
    const said = others.length > 0 || parts.length === 0 ? [turn(named, spoken.join('\n'))] : [];
    return [...answers, ...said].join('');
  }

  end(): string {
    return '';
  }

  close(): string {
    return '';
  }

  #answer(result: ToolResultPart): string[] {
    if (result.by !== 'provider') return [turn('tool', this.#result(result))];
    this.#lose('provider tool result', 'only the provider that created it can read it');
    return [];
  }

  #part(part: Part): string | undefined {
    switch (part.type) {
      case 'text':
      case 'refusal':
        return part.text;
      case 'reasoning':
        if (part.signature !== undefined || part.redacted !== undefined)
          this.#lose('reasoning signature', 'only the provider that created it can read it');
        return part.text === undefined ? undefined : `<think>\n${part.text}\n</think>\n`;
      case 'tool_call': {
        if (part.by === 'provider') this.#lose('provider tool call', 'only the provider that ran it can read it');
        else if (part.id !== '') this.#lose('tool call id', 'calls have none', 'renamed');
        const call: JsonObject = { name: part.name, arguments: part.input ?? part.text ?? '' };
        return part.by === 'provider' ? undefined : `<tool_call>\n${JSON.stringify(call)}\n</tool_call>`;
      }
      case 'media':
        if (part.source.type === 'text') return part.source.text;
        this.#lose(part.kind, 'ChatML is text');
        return undefined;
      case 'native':
        this.#lose(nameOf(part.value), 'only its own API can use it');
        return undefined;
      case 'tool_result':
        return this.#result(part);
    }
  }

  #result({ parts, error }: ToolResultPart): string {
    if (error) this.#lose('is_error', 'results have no such field');
    const texts = parts.map((part) => this.#part(part)).filter((text) => text !== undefined);
    return `<tool_response>\n${texts.join('\n')}\n</tool_response>`;
  }
}

function turn(who: string, text: string): string {
  return `${START}${who}\n${guarded(text)}${END}\n`;
}
