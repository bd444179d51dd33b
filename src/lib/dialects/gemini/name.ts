export const GEMINI = 'gemini';
