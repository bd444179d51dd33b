// What is loaded with the first conversation: an empty stream needs none of it.
export { condense } from './condense.ts';
export { explain } from './explain.ts';
export { ASSUMED, boundsOf } from './settings.ts';
export { asking, Summariser } from './summary/summarise.ts';
export { listedWindow, loadWindows } from './window.ts';
