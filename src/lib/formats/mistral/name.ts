export const MISTRAL = 'mistral';
