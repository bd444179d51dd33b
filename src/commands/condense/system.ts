// `--system`: a system prompt without its catalogue of tools and its talk about format. Section by section, by their headings.
import type { Message } from '../../lib/conversation/types.ts';
import { withParts } from './transcript.ts';

/** What a section is about that the request says anyway, or that can be spared. */
const SPARED =
  /\b(tools?|functions?|tool[ _-]?(use|usage|calls?|catalogu?e|definitions?|descriptions?)|commands available|available commands|capabilities|formatting|formats?|markdown|(output|response|answer)s? (format|style|length|structure)|style|tone|verbosity|conciseness|examples?|few[- ]shot|citations?|templates?)\b/i;

/** What stays, whatever else its heading says. */
const KEPT =
  /\b(role|identity|persona|rules?|constraints?|polic(y|ies)|objectives?|goals?|tasks?|mission|environment|env|context|system information|workspace|project|safety|security|permissions?|limits?|important|critical|must|never|always|memory|preferences?)\b/i;

interface Section {
  readonly heading: string;
  /** How deep: those below a section that goes go with it. */
  readonly level: number;
  readonly text: string;
}

/** A message of the system without what can be spared; the same message if nothing can. */
export function condenseSystem(message: Message): Message {
  const parts = message.parts.map((part) => {
    if (part.type !== 'text') return part;
    const text = condenseText(part.text);
    return text.length < part.text.length ? { ...part, text } : part;
  });
  return parts.every((part, i) => part === message.parts[i]) ? message : withParts(message, parts);
}

/** A prompt without the sections that can be spared, and a line that names them. */
function condenseText(text: string): string {
  const left: string[] = [];
  const kept: string[] = [];
  let below: number | undefined;
  for (const { heading, level, text: section } of sectionsOf(text)) {
    if (below !== undefined && level <= below) below = undefined;
    const spared = heading !== '' && !KEPT.test(heading) && (below !== undefined || SPARED.test(heading));
    if (!spared) {
      kept.push(section);
      continue;
    }
    below ??= level;
    left.push(heading);
  }
  if (left.length === 0) return text;
  const names = left.map((name) => `"${name.slice(0, 60).toWellFormed()}"`).join(', ');
  return `${kept.join('').trimEnd()}\n\n[Left out to save room: ${names.slice(0, 400).toWellFormed()}.]`.trimStart();
}

/** Markdown headings, and XML elements that begin on a line of their own. */
function sectionsOf(text: string): Section[] {
  const sections: { heading: string; level: number; text: string }[] = [{ heading: '', level: 0, text: '' }];
  let fence = false;
  let element: string | undefined;
  for (const line of text.split(/(?<=\n)/)) {
    if (/^\s{0,3}(```|~~~)/.test(line)) fence = !fence;
    const begun = fence || element !== undefined ? undefined : beginning(line);
    if (begun) {
      sections.push({ ...begun, text: '' });
      if (begun.element !== undefined && !line.includes(`</${begun.element}>`)) element = begun.element;
    }
    (sections.at(-1) as { text: string }).text += line;
    if (element === undefined || !line.includes(`</${element}>`)) continue;
    element = undefined;
    sections.push({ heading: '', level: (sections.at(-1) as Section).level, text: '' });
  }
  return sections.filter((section) => section.text !== '');
}

function beginning(line: string): { heading: string; level: number; element?: string } | undefined {
  const short = line.slice(0, 200);
  const markdown = /^(#{1,6})[ \t]+(.+?)[ \t#]*\r?\n?$/.exec(short);
  if (markdown)
    return { heading: (markdown[2] as string).replace(/[*_`]/g, ''), level: (markdown[1] as string).length };
  const element = /^<([A-Za-z][\w-]{1,40})[\s>]/.exec(short)?.[1];
  return element === undefined ? undefined : { heading: element.replace(/[_-]/g, ' '), level: 1, element };
}
