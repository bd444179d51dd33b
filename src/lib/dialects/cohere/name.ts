export const COHERE = 'cohere';
