// A model that follows a script, over OpenAI's chat API on loopback. It knows its place in the script from the conversation alone: a run that was
// stopped and started again gets the same answers.
import type { JsonObject } from '../src/lib/json/values.ts';
import { type FaultServer, faultServer, json } from './fault-server.ts';

/** What the model says at one step: a text, or the calls that it makes. */
export type Step = string | readonly { readonly name: string; readonly input: JsonObject }[];

interface Asked {
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[];
}

/**
 * `steps` are its answers, the n-th to a conversation in which it has spoken n times; `pick` may choose another script by the request, and `length`
 * says how many tokens an answer takes.
 */
export async function scriptedModel(
  steps: readonly Step[],
  pick: (asked: Asked) => readonly Step[] = () => steps,
  length: (asked: Asked) => number = () => 5,
): Promise<FaultServer> {
  return faultServer((response, { body }) => {
    const asked: Asked = JSON.parse(body);
    const spoken = asked.messages.filter(({ role }) => role === 'assistant').length;
    const step = pick(asked)[spoken] ?? 'The script is over.';
    const calls = typeof step === 'string' ? [] : step;
    const message = {
      role: 'assistant',
      content: typeof step === 'string' ? step : null,
      ...(calls.length > 0 && {
        tool_calls: calls.map(({ name, input }, i) => ({
          id: `call_${spoken}_${i}`,
          type: 'function',
          function: { name, arguments: JSON.stringify(input) },
        })),
      }),
    };
    const choice = { index: 0, message, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' };
    const tokens = length(asked);
    const usage = { prompt_tokens: 10, completion_tokens: tokens, total_tokens: 10 + tokens };
    json(200, { id: 'r', object: 'chat.completion', created: 0, model: 'm', choices: [choice], usage })(response, {
      path: '',
      headers: {},
      body,
      at: 0,
    });
  });
}
