// TodoWrite: the list of things to do, kept beside the conversation.
import { join } from 'node:path';
import { type Tool, ToolError } from '../lib/cli/tool.ts';
import { isObject, type JsonObject } from '../lib/json/values.ts';
import { text } from './fields.ts';
import { writePrivate } from './private.ts';
import { sideDirectory } from './side.ts';

const SIGNS: { readonly [status: string]: string } = { pending: '[ ]', in_progress: '[-]', completed: '[x]' };

const todo: Tool = (input, context) => {
  const items = list(input);
  writePrivate(join(sideDirectory(context), 'todos.json'), `${JSON.stringify(items, null, 2)}\n`, context.random());
  if (items.length === 0) return 'The list is empty now.';
  return items.map(({ content, status }) => `${SIGNS[String(status)]} ${String(content)}`).join('\n');
};

export default todo;

function list({ todos }: JsonObject): JsonObject[] {
  const items = typeof todos === 'string' ? fromMarkdown(todos) : todos;
  if (!Array.isArray(items)) throw new ToolError('the argument "todos" must be a list');
  return items.map((item) => {
    if (!isObject(item)) throw new ToolError('each thing to do must be an object with "content" and "status"');
    const status = text(item, 'status');
    if (!Object.hasOwn(SIGNS, status))
      throw new ToolError(`the status "${status}" must be pending, in_progress or completed`);
    return { ...item, content: text(item, 'content', 'activeForm'), status };
  });
}

/** `- [x] done`, as Roo Code has it. */
function fromMarkdown(source: string): JsonObject[] {
  return source.split('\n').flatMap((line) => {
    const [, sign, content] = /^\s*(?:[-*]\s*)?\[([ xX~-])\]\s+(.+)$/.exec(line) ?? [];
    if (sign === undefined) return [];
    return [{ content, status: sign === ' ' ? 'pending' : sign.toLowerCase() === 'x' ? 'completed' : 'in_progress' }];
  });
}
