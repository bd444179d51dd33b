export const OPENCODE = 'opencode';
