// Which dialect a record is in, and what it is there.
import { isObject, type Json, type JsonObject } from '../ir/json.ts';
import type { FormatName } from '../ir/types.ts';
import { FORMATS, formatNamed } from './table.ts';
import type { Claim, Format } from './types.ts';

export interface Identity extends Claim {
  readonly format: Format;
}

const identities = new Map<Format, Map<Claim, Identity>>(FORMATS.map((format) => [format, new Map()]));

/** A claim with the format that makes it: one object for each pair. */
function identityOf(format: Format, claim: Claim): Identity {
  const known = identities.get(format)?.get(claim);
  if (known) return known;
  const made = { format, ...claim };
  identities.get(format)?.set(claim, made);
  return made;
}

/** A record that a format is sure of, where it is spelled as one of its dialects does, or the stream is in one that it fits. */
function identifyDialect(format: Format, value: JsonObject, current: FormatName | undefined): Identity | undefined {
  for (const dialect of DIALECTS) {
    const claim = dialect.dialectOf === format.name ? dialect.recognise(value) : undefined;
    if (claim && (claim.sure || dialect.name === current)) return identityOf(dialect, claim);
  }
  return undefined;
}

const DIALECTS = FORMATS.filter((format) => format.dialectOf !== undefined);

/**
 * What a record is. One that fits several dialects is taken for `current`, the stream's, or for the first in the table. undefined: it is no
 * part of a conversation (a record of ours with a `type`, a blank line, something unknown) and goes through as it is.
 */
export function identify(value: Json | undefined, current?: FormatName): Identity | undefined {
  if (!isObject(value)) return undefined;
  let fallback: Identity | undefined;
  for (const format of FORMATS) {
    const claim = format.recognise(value);
    if (claim === undefined) continue;
    if (claim.sure) return identifyDialect(format, value, current) ?? identityOf(format, claim);
    if (fallback === undefined || format.name === current) fallback = identityOf(format, claim);
  }
  return fallback;
}

/** What a record is in one named dialect, or undefined. */
export function identifyAs(value: Json | undefined, name: FormatName): Identity | undefined {
  const format = formatNamed(name);
  const claim = format && isObject(value) ? format.recognise(value) : undefined;
  return format && claim && identityOf(format, claim);
}
