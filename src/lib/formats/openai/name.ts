export const OPENAI = 'openai';
