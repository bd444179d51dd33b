export const GEMINI_CLI = 'gemini-cli';

/** The API whose parts a log holds. */
export const GEMINI = 'gemini';
