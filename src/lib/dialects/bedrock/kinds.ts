// The kinds of blocks that there are: a record is known by them before anything of it is read.
import type { BlockKind } from './types.ts';

const table: { readonly [K in BlockKind]: true } = {
  text: true,
  json: true,
  image: true,
  audio: true,
  video: true,
  document: true,
  toolUse: true,
  toolResult: true,
  reasoningContent: true,
  citationsContent: true,
  searchResult: true,
  guardContent: true,
  cachePoint: true,
  toolAddition: true,
  toolRemoval: true,
};
const kinds = new Set(Object.keys(table));

export const isKind = (key: string): boolean => kinds.has(key);
