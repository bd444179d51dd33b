// Loaded when the first malformed JSON is met. https://github.com/josdejong/jsonrepair
export { jsonrepair } from 'jsonrepair';
