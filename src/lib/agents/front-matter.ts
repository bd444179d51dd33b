// What stands before the prompt in the Markdown file of an agent.
import { loadYaml, parseYaml } from '../config/yaml.ts';
import { EXIT, Failure } from '../failure/failure.ts';
import { isObject, type JsonObject } from '../json/values.ts';

/** The fields of the front matter, and the text below it. Throws a Failure (78) if there is no front matter, or none with fields. */
export async function readFrontMatter(source: string, file: string): Promise<{ fields: JsonObject; body: string }> {
  const [whole, front] = /^\ufeff?---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|$)/s.exec(source) ?? [];
  if (whole === undefined || front === undefined)
    throw new Failure(EXIT.config, 'cannot read the agent: it has no front matter', {
      place: file,
      hint: 'begin the file with "---", name and description, "---"',
    });
  return { fields: await fieldsOf(front, file), body: source.slice(whole.length) };
}

/**
 * Many of the agents that are passed around are no YAML: a description with a colon in it, without quotes, is read to the end of its line by
 * Claude Code, and so it is here.
 */
async function fieldsOf(front: string, file: string): Promise<JsonObject> {
  try {
    const { value } = parseYaml(await loadYaml(), front, file);
    if (isObject(value)) return value;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const lines = front.split(/\r?\n/).flatMap((line) => {
      const [, key, value] = /^([A-Za-z]\w*):[ \t]+(.*)$/.exec(line) ?? [];
      return key === undefined || value === undefined ? [] : [[key, value.trim()] as const];
    });
    if (lines.length === 0) throw error;
    return Object.fromEntries(lines);
  }
  throw new Failure(EXIT.config, 'cannot read the agent: its front matter has no fields', { place: file });
}
