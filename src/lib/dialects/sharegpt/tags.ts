// Who speaks, as datasets spell it. https://github.com/hiyouga/LLaMA-Factory/blob/main/data/README.md#sharegpt-format

export type Speaker = 'user' | 'assistant' | 'system' | 'call' | 'result';

const SPEAKERS = new Map<unknown, Speaker>(
  Object.entries({
    human: 'user',
    user: 'user',
    gpt: 'assistant',
    assistant: 'assistant',
    chatgpt: 'assistant',
    bot: 'assistant',
    model: 'assistant',
    system: 'system',
    function_call: 'call',
    tool_call: 'call',
    observation: 'result',
    tool: 'result',
    function_response: 'result',
  } as const),
);

export function speakerOf(tag: unknown): Speaker | undefined {
  return SPEAKERS.get(tag);
}

/** The tag that LLaMA-Factory takes without being told. */
export const TAGS: { readonly [speaker in Speaker]: string } = {
  user: 'human',
  assistant: 'gpt',
  system: 'system',
  call: 'function_call',
  result: 'observation',
};
