// What several APIs with the shapes of Chat refuse.
import { isObject, type JsonObject } from '../../json/values.ts';
import { listOf, objectOf, ofHead, ofMessages, type Records, without } from '../record-rules.ts';

/** `Invalid type for 'messages[1].tool_calls[0].function.arguments': expected a string` */
export const textArguments = ofMessages({
  name: 'arguments-text',
  find: ({ tool_calls }) => {
    const wrong = listOf(tool_calls).find((call) => isObject(call.function) && !isText(call.function.arguments));
    return wrong && { what: 'the arguments of a call are not a string', mend: 'write them as JSON text' };
  },
  mend: (message) => ({
    left: [{ ...message, tool_calls: listOf(message.tool_calls).map(withText) }],
    did: 'wrote arguments as JSON text',
  }),
});

export const isText = (value: unknown): boolean => value === undefined || value === null || typeof value === 'string';

function withText(call: JsonObject): JsonObject {
  const fn = objectOf(call.function);
  return isText(fn.arguments) ? call : { ...call, function: { ...fn, arguments: JSON.stringify(fn.arguments) } };
}

/** These know no developer. */
export const developers = ofMessages({
  name: 'role',
  find: ({ role }) =>
    role === 'developer' ? { what: 'the API has no role "developer"', mend: 'use "system"' } : undefined,
  mend: (message) => ({ left: [{ ...message, role: 'system' }], did: 'changed the role developer to system' }),
});

/** `'input' must contain the word 'json' in some form`, and so for Chat's messages. */
const saysJson = ({ messages }: Records): boolean => messages.some((message) => /json/i.test(JSON.stringify(message)));

export const jsonWord = ofHead({
  name: 'json-word',
  find: ({ text, response_format }, records) => {
    const asked = objectOf(isObject(text) ? text.format : response_format).type === 'json_object';
    if (!asked || records.messages.length === 0 || saysJson(records)) return undefined;
    return { what: 'JSON output is requested, but no message contains "json"', mend: 'mention it, or use a schema' };
  },
  mend: (head) =>
    isObject(head.text) ? { ...head, text: without(head.text, 'format') } : without(head, 'response_format'),
  did: 'removed the response format, because no message contains "json"',
});
