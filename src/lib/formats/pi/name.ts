export const PI = 'pi';
