export const ATIF = 'atif';
