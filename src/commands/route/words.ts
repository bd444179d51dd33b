// Words of texts, names and descriptions, for comparing what is asked with what tools do.

/** Words that say nothing of what is meant. */
const EMPTY = new Set(
  `a an the this that these those it its is are was were be been am do does did done have has had will would can could should may might must shall
  i you he she we they me my your our their us of in on at to for from with without by as into about over under and or but not no nor so if then else
  than too very just also please want need like use using used given when where which who what how why there here all any some each every more most
  other one two new let get make tool tools function call returns return value values result results specified e.g i.e etc`.split(
    /\s+/,
  ),
);

/** The words of a text in small letters, cut to their stems; `readFile` and `read_file` are two words. */
export function wordsOf(text: string): string[] {
  const apart = text.replace(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase();
  return (apart.match(/[a-z]{2,}|\d+/g) ?? []).filter((word) => !EMPTY.has(word)).map(stem);
}

/** `files` is `file`, `reading` is `read`, `searches` is `search`; the last e goes too, so that `write` is `writing`. */
function stem(word: string): string {
  return cut(word).replace(/(.{3})e$/, '$1');
}

function cut(word: string): string {
  if (word.length > 5 && word.endsWith('ing')) return undoubled(word.slice(0, -3));
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && word.endsWith('ed')) return undoubled(word.slice(0, -2));
  if (word.length > 4 && /(?:ch|sh|x|ss|zz)es$/.test(word)) return word.slice(0, -2);
  if (word.length > 3 && word.endsWith('s') && !word.endsWith('ss')) return word.slice(0, -1);
  return word;
}

/** `runn` of `running` is `run`. */
const undoubled = (word: string): string => word.replace(/([bdgmnprt])\1$/, '$1');
