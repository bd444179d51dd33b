export const SHAREGPT = 'sharegpt';
