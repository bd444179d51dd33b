// Modes as in Roo Code's .roomodes: YAML or JSON with `customModes`. https://docs.roocode.com/features/custom-modes
import { loadYaml, parseYaml } from '../config/yaml.ts';
import { EXIT, Failure } from '../failure/failure.ts';
import { isObject, type Json, type JsonObject } from '../json/values.ts';
import type { Agent } from './agent.ts';
import { oneLine } from './markdown.ts';

/** Tools by the groups that Roo Code puts them in; those that nobody asks for belong to every mode. */
const GROUPS: { readonly [group: string]: readonly string[] } = {
  read: ['read_file', 'search_files', 'list_files', 'Glob'],
  edit: ['write_to_file', 'apply_diff', 'insert_content'],
  command: ['execute_command'],
  browser: ['WebFetch'],
  mcp: ['mcp__*'],
};

const ALWAYS = ['ask_followup_question', 'attempt_completion', 'new_task', 'list_modes', 'switch_mode', 'TodoWrite'];

/** The modes of a file, in order. Throws a Failure (78) that names the file. */
export async function fromModesFile(source: string, file: string): Promise<Agent[]> {
  const { value } = parseYaml(await loadYaml(), source, file);
  if (!isObject(value) || !Array.isArray(value.customModes))
    throw new Failure(EXIT.config, 'cannot read the modes: the file has no "customModes"', { place: file });
  return value.customModes.filter(isObject).map((mode, i) => read(mode, file, `${file}: customModes[${i}]`));
}

function read(mode: JsonObject, file: string, place: string): Agent {
  const { slug, name, description, whenToUse, roleDefinition, customInstructions } = mode;
  if (typeof slug !== 'string' || slug === '')
    throw new Failure(EXIT.config, 'cannot read the mode: it has no slug', { place });
  const prompt = [roleDefinition, customInstructions]
    .filter((text) => typeof text === 'string')
    .map((text) => text.trim());
  const groups = Array.isArray(mode.groups) ? mode.groups : undefined;
  return {
    name: slug,
    description: oneLine(description ?? whenToUse ?? name),
    prompt: prompt.join('\n\n'),
    ...(groups && { tools: [...groups.flatMap(toolsOf), ...ALWAYS] }),
    without: [],
    ...editsOf(groups ?? []),
    file,
  };
}

const toolsOf = (group: Json): readonly string[] => {
  const name = Array.isArray(group) ? group[0] : group;
  return typeof name === 'string' && Object.hasOwn(GROUPS, name) ? (GROUPS[name] ?? []) : [];
};

/** `["edit", {fileRegex}]`. */
function editsOf(groups: readonly Json[]): Pick<Agent, 'edits'> {
  const edit = groups.find((group) => Array.isArray(group) && group[0] === 'edit');
  const limits = Array.isArray(edit) ? edit[1] : undefined;
  return isObject(limits) && typeof limits.fileRegex === 'string' ? { edits: limits.fileRegex } : {};
}
