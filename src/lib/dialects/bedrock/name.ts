export const BEDROCK = 'bedrock';
