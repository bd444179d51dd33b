// Tools from a file: a list of them, or a request that has one, in any dialect.
import { readFileSync } from 'node:fs';
import type { Tool } from '../../lib/conversation/types.ts';
import { identify } from '../../lib/dialects/detect.ts';
import { EXIT, Failure } from '../../lib/failure/failure.ts';
import { isObject, type Json, type JsonObject } from '../../lib/json/values.ts';

const read = new Map<string, readonly Tool[]>();

/** The tools of a file. Throws a Failure: 74 if it cannot be read, 65 if it holds something else. */
export function readTools(path: string): readonly Tool[] {
  const known = read.get(path) ?? toolsIn(parse(path), path);
  read.set(path, known);
  return known;
}

function parse(path: string): Json {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new Failure(EXIT.io, 'cannot read the tools', { place: path });
  }
  try {
    return JSON.parse(text);
  } catch {
    // The head of a conversation is its first line.
  }
  try {
    return JSON.parse(text.split('\n', 1)[0] ?? '');
  } catch {
    throw new Failure(EXIT.badInput, 'cannot parse JSON', { place: path });
  }
}

function toolsIn(value: Json, path: string): readonly Tool[] {
  const head: Json = Array.isArray(value) ? { tools: value } : value;
  if (!isObject(head) || !Array.isArray(head.tools))
    throw new Failure(EXIT.badInput, 'cannot read the tools: the file has no list of tools', { place: path });
  const identity = identify(head);
  if (identity?.sure && identity.kind !== 'reply') {
    const { [identity.format.messagesKey]: _, ...body } = head;
    return identity.format.readHead(body).head.tools ?? [];
  }
  return head.tools.flatMap((tool) => (isObject(tool) ? [plainTool(tool, path)] : []));
}

/** A tool as servers of the Model Context Protocol list it. https://modelcontextprotocol.io/specification */
export function plainTool(tool: JsonObject, path: string): Tool {
  const { name, description, inputSchema, input_schema, parameters } = tool;
  if (typeof name !== 'string') throw new Failure(EXIT.badInput, 'a tool has no name', { place: path });
  const schema = inputSchema ?? input_schema ?? parameters;
  return {
    type: 'function',
    name,
    ...(typeof description === 'string' && { description }),
    ...(schema !== undefined && { schema }),
  };
}
