// A system prompt without what is for using tools: the role, the rules that matter, the objective and the environment stay.

/** Parts of a prompt with one of these in their title or tag stay whole. */
const KEPT =
  /environment|\benv\b|objective|goal|mission|\btask\b|context|working directory|date|user info|language|persona|role|identity/i;

/** Lines that say what must be or must not. */
const RULE = /\b(must|never|always|do not|don't|important|required|forbidden|only|under no circumstances|critical)\b/i;

/** Lines about tools say nothing to who has none. */
const ABOUT_TOOLS = /\b(tools?|function calls?|tool_use|invoke|parameters?|arguments?)\b/i;

/** Rules in a prompt of many: so many stay. */
const RULES = 40;

/** Below this share of the whole, condensing is worth its loss. */
const WORTH = 0.9;

interface Section {
  readonly title: string;
  readonly lines: readonly string[];
}

/** The condensed prompt; the prompt itself where little would go. Linear in its length. */
export function condenseSystem(text: string, toolNames: readonly string[]): string {
  const isAboutTools = (line: string) => ABOUT_TOOLS.test(line) || toolNames.some((name) => line.includes(name));
  let rules = 0;
  const isRule = (line: string) => RULE.test(line) && !isAboutTools(line) && ++rules <= RULES;
  const kept = sectionsOf(text).flatMap(({ title, lines }, at) => {
    if (KEPT.test(title) && !isAboutTools(title)) return [[title, ...lines].join('\n').trim()];
    const role = at === 0 ? paragraphEnd(lines) : 0;
    const essential = lines.slice(role).filter(isRule);
    return [lines.slice(0, role).join('\n').trim(), ...essential.map((line) => line.trim())];
  });
  const condensed = kept.filter((part) => part !== '').join('\n\n');
  return condensed !== '' && condensed.length < text.length * WORTH ? condensed : text;
}

/** The line after the first paragraph. */
const paragraphEnd = (lines: readonly string[]): number => {
  const start = lines.findIndex((line) => line.trim() !== '');
  const end = lines.findIndex((line, i) => i > start && line.trim() === '');
  return end < 0 ? lines.length : end;
};

/** A heading (`# Rules`, `RULES:`), a tag alone on its line (`<env>` to `</env>`); what is before the first is the opening. */
function sectionsOf(text: string): Section[] {
  const sections: { title: string; lines: string[] }[] = [{ title: '', lines: [] }];
  let closing: string | undefined;
  for (const line of text.split('\n')) {
    const tag = closing === undefined ? /^\s*<([a-zA-Z][\w-]*)>\s*$/.exec(line)?.[1] : undefined;
    if (tag !== undefined) {
      closing = `</${tag}>`;
      sections.push({ title: line.trim(), lines: [] });
      continue;
    }
    if (closing === undefined && isHeading(line)) sections.push({ title: line.trim(), lines: [] });
    else sections.at(-1)?.lines.push(line);
    if (closing !== undefined && line.trim() === closing) {
      closing = undefined;
      sections.push({ title: '', lines: [] });
    }
  }
  return sections;
}

const isHeading = (line: string): boolean =>
  line.length < 100 &&
  (/^#{1,6}\s+\S/.test(line) || /^[A-Z][A-Z &/-]{3,60}:?\s*$/.test(line) || /^\*\*[^*]+\*\*:?\s*$/.test(line));
