// --summarize-tools: descriptions of tools and of their arguments within a budget. The long ones give way to the short ones.

import type { Head, Lose, Tool } from '../../lib/conversation/types.ts';
import { type Adaptation, eachMessage } from '../../lib/conversion/adaptation.ts';
import { isObject, type Json } from '../../lib/json/values.ts';

/** No description loses everything: this much of its beginning stays. */
const LEAST = 20;

/** All descriptions of a head together take at most `budget` characters, as long as each may keep its first words. */
export function withinBudget(budget: number): Adaptation {
  return eachMessage(
    (head, lose) => shortened(head, budget, lose),
    (message) => message,
  );
}

function shortened(head: Head, budget: number, lose: Lose): Head {
  const lengths = (head.tools ?? []).flatMap(descriptionsOf).map((text) => text.length);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  if (total <= budget) return head;
  const most = Math.max(LEAST, share(lengths, budget));
  const tools = head.tools?.map((tool) => shortTool(tool, most));
  const left = (tools ?? []).flatMap(descriptionsOf).reduce((sum, text) => sum + text.length, 0);
  lose('tools: description', `${total} characters are cut to ${left}`, 'changed');
  return { ...head, tools };
}

/** How long the longest may be, so that all together fit. */
function share(lengths: readonly number[], budget: number): number {
  let left = budget;
  const sorted = lengths.toSorted((a, b) => a - b);
  for (const [i, length] of sorted.entries()) {
    const each = Math.floor(left / (sorted.length - i));
    if (length > each) return each;
    left -= length;
  }
  return left;
}

function descriptionsOf(tool: Tool): string[] {
  const found: string[] = [];
  if (typeof tool.description === 'string') found.push(tool.description);
  eachDescription(tool.schema, (text) => {
    found.push(text);
    return text;
  });
  return found;
}

function shortTool(tool: Tool, most: number): Tool {
  if (tool.type === 'provider') return tool;
  const description = typeof tool.description === 'string' ? cut(tool.description, most) : undefined;
  const schema = eachDescription(tool.schema, (text) => cut(text, most));
  return { ...tool, ...(description !== undefined && { description }), ...(schema !== undefined && { schema }) };
}

/** A schema with its descriptions changed. A property that is called "description" is a property. */
function eachDescription(schema: Json | undefined, change: (text: string) => string): Json | undefined {
  const walk = (node: Json | undefined, isNode: boolean): Json | undefined => {
    if (Array.isArray(node)) return node.map((item) => walk(item, true) ?? null);
    if (!isObject(node)) return node;
    return Object.fromEntries(
      Object.entries(node).map(([key, value]) => {
        if (isNode && key === 'description' && typeof value === 'string') return [key, change(value)];
        return [key, isNode && VALUES.has(key) ? value : walk(value, !isNode || !MAPS.has(key))];
      }),
    );
  };
  return walk(schema, true);
}

const MAPS = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
const VALUES = new Set(['enum', 'const', 'default', 'examples', 'required']);

/** The beginning of a text: whole sentences if some fit, else whole words. Constraints that stand at its end stay. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const at = text.lastIndexOf('\nConstraints: {');
  const note = at >= 0 && text.endsWith('}') ? text.slice(at) : '';
  const room = most - note.length - 1;
  const whole = note === '' ? text : text.slice(0, at);
  if (whole.length <= room + 1 || room < 1)
    return note === ''
      ? `${text.slice(0, Math.max(0, most - 1)).trimEnd()}…`
      : `${whole.slice(0, Math.max(0, room))}${note}`;
  const start = whole.slice(0, room);
  const sentence = Math.max(start.lastIndexOf('. '), start.lastIndexOf('.\n'), start.lastIndexOf('\n\n'));
  if (sentence > room / 2) return `${start.slice(0, sentence + 1).trimEnd()}${note}`;
  const word = start.lastIndexOf(' ');
  return `${(word > room / 2 ? start.slice(0, word) : start).trimEnd()}…${note}`;
}
