export const ANTHROPIC = 'anthropic';
