export const OLLAMA = 'ollama';
