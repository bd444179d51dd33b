// Which records are Ollama's: it has the roles and calls of Chat Completions, and a spelling of its own for most else.
import { isObject, type JsonObject } from '../../json/values.ts';
import { recogniser } from '../chat/recognise.ts';

export const recognise = recogniser({ message, head, reply });

function message(value: JsonObject): boolean | undefined {
  const { content, images, thinking, tool_name, tool_calls } = value;
  if (content !== undefined && content !== null && typeof content !== 'string') return undefined;
  if (tool_name !== undefined || typeof thinking === 'string') return true;
  if (Array.isArray(images) && images.length > 0) return images.every(isBytes) ? true : undefined;
  return Array.isArray(tool_calls) && tool_calls.length > 0 ? recogniseCalls(tool_calls) : false;
}

/** Bytes in base64: other APIs have objects or URLs there. */
const isBytes = (image: unknown): boolean => typeof image === 'string' && !/^(https?|data):/.test(image.slice(0, 8));

/** Surely its own: arguments that are an object, in calls without an id, or numbered inside. */
function recogniseCalls(calls: readonly unknown[]): boolean | undefined {
  let sure = false;
  for (const call of calls) {
    if (!isObject(call) || !isObject(call.function)) return undefined;
    const whole = isObject(call.function.arguments);
    sure ||= whole && (call.id === undefined || call.function.index !== undefined);
  }
  return sure;
}

const ONLY_HERE = ['options', 'keep_alive', 'think'];
const ALSO_HERE = ['model', 'tools', 'stream', 'format'];

function head(value: JsonObject): boolean | undefined {
  const { format, tools } = value;
  if (ONLY_HERE.some((field) => field in value) || (isObject(format) && 'type' in format)) return true;
  if (format === 'json' && 'model' in value) return true;
  const [tool] = Array.isArray(tools) ? tools : [];
  if (isObject(tool) && !isObject(tool.function)) return undefined;
  return ALSO_HERE.some((field) => field in value) ? false : undefined;
}

/**
 * The last line of a stream is spelled like a whole reply; the lines before it say that they are not done. What was converted from an API that
 * names no model has none.
 */
function reply({ message, done, model }: JsonObject): boolean | undefined {
  const named = typeof model === 'string' || model === undefined;
  return done === true && isObject(message) && typeof message.role === 'string' && named ? true : undefined;
}

/** A piece of a reply: the last one says that it is done. https://github.com/ollama/ollama/blob/main/docs/api.md#response-4 */
export const recogniseEvent = ({ message, done, model }: JsonObject): boolean =>
  isObject(message) && typeof done === 'boolean' && typeof model === 'string';
