// Scripts of sed and awk, and the words of bash's own test and printf: what of them runs nothing, writes no file and evaluates nothing.
import type { ShellWord } from './words.ts';

/** `/re/I`, `3`, `$`, `0~4`, `+2`: where a command of sed applies. */
const ADDRESS = String.raw`(?:\d+(?:~\d+)?|\$|[+~]\d+|\/(?:[^\/\\\n]|\\[^\n])*\/[IM]*)`;
const SELECTED = new RegExp(String.raw`^(?:${ADDRESS}(?:\s*,\s*${ADDRESS})?)?\s*!?\s*`);
const SIMPLE = /^(?:[pPdDnNhHgGxlz=]|[qQ]\s*\d*|[bt]\s*\w*|:\s*\w+|\})\s*(?=[;}\n]|$)/;

/** Whether a script of sed has no commands but `s`, `y` and those without an argument, and no flag `e` or `w`. */
export function isHarmlessSed(script: string): boolean {
  let rest = script;
  while (rest !== '') {
    rest = rest.replace(/^[\s;]+/, '');
    if (rest === '') return true;
    rest = rest.replace(SELECTED, '');
    const simple = SIMPLE.exec(rest)?.[0] ?? /^\{/.exec(rest)?.[0] ?? substitution(rest);
    if (simple === undefined || simple === '') return false;
    rest = rest.slice(simple.length);
  }
  return true;
}

/** `s/a/b/flags` and `y/a/b/` at the beginning of a text. */
function substitution(text: string): string | undefined {
  const [command, delimiter = ''] = text;
  if ((command !== 's' && command !== 'y') || /[\s\w\\;{}]/.test(delimiter) || delimiter === '') return undefined;
  let ends = 0;
  for (let at = 2; at < text.length; at++) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === delimiter) ends += 1;
    else if (text[at] === '\n') return undefined;
    if (ends === 2) {
      const flags = /^(?:[gpIiMm]|\d)*\s*(?=[;}\n]|$)/.exec(text.slice(at + 1))?.[0];
      return flags === undefined ? undefined : text.slice(0, at + 1 + flags.length);
    }
  }
  return undefined;
}

/** Whether a program of awk has no pipe, no `system`, no `getline`, no call by a name in a variable, and no `>` where a file could follow. */
export function isHarmlessAwk(program: string): boolean {
  if (/system|getline|@|\\\n/.test(program) || program.replaceAll('||', '').includes('|')) return false;
  const body = program.indexOf('{');
  return body < 0 || !program.slice(body).includes('>');
}

/** The places of the scripts that may do more. `isHarmless` judges one. */
export function* scriptsIn(words: readonly ShellWord[], isHarmless: (script: string) => boolean): Generator<number> {
  let given = false;
  let operand: number | undefined;
  for (let at = 1; at < words.length; at++) {
    const { value = '' } = words[at] ?? {};
    const [, attached] = /^(?:-[nErsuz]*e|--expression=)(.*)$/s.exec(value) ?? [];
    if (attached !== undefined || value === '--expression') {
      given = true;
      const place = attached ? at : at + 1;
      const script = attached || words[place]?.value;
      if (script === undefined || words[place]?.glob || !isHarmless(script)) yield place;
      at = place;
    } else if (/^(-[Fvl]|--field-separator|--assign)$/.test(value)) at += 1;
    else if (value === '--' || (value.startsWith('-') && value !== '-')) continue;
    else operand ??= at;
  }
  const script = operand === undefined ? undefined : words[operand];
  if (!given && operand !== undefined && (script?.value === undefined || script.glob || !isHarmless(script.value)))
    yield operand;
}

const UNARY = /^-[aefdrwxsLhnzpSbcgkuOGN]$/;
const BINARY = /^(=|==|!=|<|>|-nt|-ot|-ef)$/;

/** Whether `test` or `[` compares texts or looks at files: other operators evaluate names and numbers. */
export function isPlainTest(words: readonly ShellWord[]): boolean {
  const [name, ...all] = words;
  const args = name?.value === '[' ? all.slice(0, -1) : all;
  if (name?.value === '[' && all.at(-1)?.value !== ']') return false;
  if (!args.every(({ single }) => single)) return false;
  const values = args.map(({ value }) => value);
  const [first, second] = values;
  if (args.length <= 1) return true;
  if (args.length === 2) return first === '!' || UNARY.test(first ?? '');
  if (args.length === 3) return BINARY.test(second ?? '') || (first === '!' && UNARY.test(second ?? ''));
  return args.length === 4 && first === '!' && BINARY.test(values[2] ?? '');
}

/** Whether printf only prints: `-v` and `%n` set a variable. */
export function isPlainPrintf([, first, ...rest]: readonly ShellWord[]): boolean {
  const format = first?.value === '--' ? rest[0] : first;
  const value = format?.value;
  if (value === undefined || format?.glob || (first?.value !== '--' && value.startsWith('-')))
    return first === undefined;
  return /^(?:[^%]|%%|%[-+ #0]*[\d*]*(?:\.[\d*]*)?[sdbqcxXouiefEgG])*$/.test(value);
}
