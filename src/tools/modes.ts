// list_modes, switch_mode: the modes and agents that files describe, and which one is on.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Tool, type ToolContext, ToolError } from '../lib/cli/tool.ts';
import { isObject, type JsonObject } from '../lib/ir/json.ts';
import { optionalText, text } from './fields.ts';
import { writePrivate } from './private.ts';
import { sideDirectory } from './side.ts';

interface Mode {
  readonly slug: string;
  readonly about: string;
}

/** AI_MODES: files as `.roomodes`. AI_AGENTS: directories of Markdown with front matter, as `.claude/agents`; without it those that come along. */
async function modes(context: ToolContext): Promise<Mode[]> {
  const list = (value: string | undefined) =>
    (value ?? '')
      .split(':')
      .filter(Boolean)
      .map((path) => resolve(context.cwd, path));
  const directories =
    context.env.AI_AGENTS === undefined ? [builtin()] : list(context.env.AI_AGENTS.replaceAll('builtin', builtin()));
  const custom = await Promise.all(list(context.env.AI_MODES).map(fromModesFile));
  const agents = await Promise.all(directories.flatMap(markdownIn).map(fromAgentFile));
  const all = [...custom.flat(), ...agents.filter((mode) => mode !== undefined)];
  return [...new Map(all.map((mode) => [mode.slug, mode])).values()];
}

export const listModes: Tool = async (_input, context) => {
  const all = await modes(context);
  if (all.length === 0) return 'There are no modes: AI_MODES and AI_AGENTS name none.';
  return all.map(({ slug, about }) => `${slug}${about === '' ? '' : `: ${about}`}`).join('\n');
};

export const switchMode: Tool = async (input, context) => {
  const slug = text(input, 'mode_slug', 'mode');
  const all = await modes(context);
  if (all.length > 0 && !all.some((mode) => mode.slug === slug))
    throw new ToolError(`there is no mode "${slug}": there are ${all.map((mode) => mode.slug).join(', ')}`);
  const reason = optionalText(input, 'reason');
  writePrivate(
    join(sideDirectory(context), 'mode.json'),
    `${JSON.stringify({ mode: slug, reason })}\n`,
    context.random(),
  );
  return `The mode is ${slug} from the next turn on.`;
};

async function fromModesFile(path: string): Promise<Mode[]> {
  const value = await parse(textAt(path), path);
  const list = isObject(value) && Array.isArray(value.customModes) ? value.customModes.filter(isObject) : [];
  return list.map((mode) => ({
    slug: String(mode.slug),
    about: oneLine(mode.description ?? mode.whenToUse ?? mode.name),
  }));
}

async function fromAgentFile(path: string): Promise<Mode | undefined> {
  const source = textAt(path);
  const [, front] = /^---\r?\n(.*?)\r?\n---/s.exec(source) ?? [];
  const value = front === undefined ? undefined : await parse(front, path);
  if (!isObject(value) || typeof value.name !== 'string') return undefined;
  return { slug: value.name, about: oneLine(value.description) };
}

async function parse(source: string, path: string): Promise<unknown> {
  const { loadYaml, parseYaml } = await import('../lib/config/yaml.ts');
  try {
    return parseYaml(await loadYaml(), source, path).value as JsonObject;
  } catch (error) {
    throw new ToolError(`${path}: ${(error as Error).message}`);
  }
}

function textAt(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ToolError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

function markdownIn(directory: string): string[] {
  try {
    return readdirSync(directory)
      .filter((name) => name.endsWith('.md'))
      .sort()
      .map((name) => join(directory, name));
  } catch {
    return [];
  }
}

const oneLine = (value: unknown): string => (typeof value === 'string' ? (value.trim().split('\n')[0] ?? '') : '');

/** The package's own agents, wherever this file was bundled to. */
function builtin(): string {
  const at = import.meta.dirname;
  return join(dirname(at.endsWith('dist') ? at : dirname(at)), 'agents');
}
