export const CLAUDE_CODE = 'claude-code';
