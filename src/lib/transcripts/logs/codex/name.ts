export const CODEX = 'codex';

/** The API whose items a log holds. */
export const RESPONSES = 'openai-responses';
