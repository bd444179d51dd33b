// Arguments that a text names so plainly that nobody could take them for something else.
import { isObject, type Json, type JsonObject } from '../../../lib/json/values.ts';

/** A thing in a text that may be an argument. */
interface Token {
  readonly kind: 'url' | 'path' | 'number' | 'quoted';
  readonly text: string;
}

/** A text with more of them asks for more than one plain thing. */
const MOST = 8;

/** Quoted texts, addresses, paths and numbers, in their order. */
function tokensOf(text: string): Token[] {
  const found: Token[] = [];
  const pattern =
    /"([^"\n]+)"|`([^`\n]+)`|'([^'\n]{2,})'|(https?:\/\/[^\s"'`<>]+)|((?:~|\.{1,2})?\/[\w.@+-][\w.@+/-]*|[\w@+-]+(?:\/[\w.@+-]+)+|[\w@+-]+\.[A-Za-z][A-Za-z\d]{0,5})(?![\w/])|(-?\d+(?:\.\d+)?)(?![\w.])/g;
  for (const [, double, tick, single, url, path, number] of text.matchAll(pattern)) {
    const quoted = double ?? tick ?? single;
    if (quoted !== undefined) found.push({ kind: 'quoted', text: quoted });
    else if (url !== undefined) found.push({ kind: 'url', text: url.replace(/[.,;:!?)\]}]+$/, '') });
    else if (path !== undefined) found.push({ kind: 'path', text: path.replace(/\.$/, '') });
    else if (number !== undefined) found.push({ kind: 'number', text: number });
  }
  return found;
}

/** Whether a text names a file, an address or something quoted. */
export const namesThings = (text: string): boolean => tokensOf(text).some(({ kind }) => kind !== 'number');

/**
 * The input of a call: every required parameter, each from the one thing in the text that can be it. Undefined if one is missing, if two things
 * could be it, or if something is left over.
 */
export function inputFrom(schema: Json | undefined, text: string): JsonObject | undefined {
  const { properties, required } = isObject(schema) ? schema : {};
  const wanted = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  const fields = isObject(properties) ? properties : {};
  let tokens = tokensOf(text);
  if (tokens.length > MOST) return undefined;
  const input: [string, Json][] = [];
  for (const name of wanted) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const taken = take(name, isObject(field) ? field : {}, tokens, text);
    if (taken === undefined) return undefined;
    input.push([name, taken.value]);
    tokens = tokens.filter((token) => token !== taken.token);
  }
  return tokens.length > 0 ? undefined : Object.fromEntries(input);
}

interface Taken {
  readonly value: Json;
  readonly token?: Token;
}

function take(name: string, field: JsonObject, tokens: readonly Token[], text: string): Taken | undefined {
  if (Array.isArray(field.enum)) return oneOf(field.enum, text);
  if (field.const !== undefined) return { value: field.const };
  if (field.type === 'integer' || field.type === 'number') {
    const token = only(tokens, 'number');
    return token && { value: Number(token.text), token };
  }
  if (field.type !== 'string') return undefined;
  const token = only(tokens, ...kindsFor(name, field));
  return token && { value: token.text, token };
}

function kindsFor(name: string, { description, format }: JsonObject): Token['kind'][] {
  const about = `${name} ${typeof description === 'string' ? description : ''}`;
  if (format === 'uri' || /\b(url|uri|link|website)\b|url$/i.test(about)) return ['url'];
  if (/path|file|director|folder|\bdir\b/i.test(about)) return ['path', 'quoted'];
  return ['quoted'];
}

/** The one token of any of these kinds; undefined if there is none, or more than one. */
function only(tokens: readonly Token[], ...kinds: readonly Token['kind'][]): Token | undefined {
  const found = tokens.filter(({ kind }) => kinds.includes(kind));
  return found.length === 1 ? found[0] : undefined;
}

function oneOf(choices: readonly Json[], text: string): Taken | undefined {
  const words = new Set(text.toLowerCase().match(/[\p{L}\d_-]+/gu) ?? []);
  const named = choices.filter((choice) => typeof choice === 'string' && words.has(choice.toLowerCase()));
  return named.length === 1 && named[0] !== undefined ? { value: named[0] } : undefined;
}
