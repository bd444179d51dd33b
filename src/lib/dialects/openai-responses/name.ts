export const RESPONSES = 'openai-responses';
