// What a project's file may not say, since it came with the project's data.
import { EXIT, Failure } from '../ir/failure.ts';
import type { Catalogue } from './catalogue.ts';

/** Fields that decide where a key goes, or which, or what a name means. */
const GUARDED = [
  'apis',
  'key',
  'keys',
  'tokens',
  'url_from',
  'auth',
  'logins',
  'hosts',
  'headers',
  'prefixes',
  'names',
];

/**
 * A project may add providers without keys, and say of known ones what they can do. Throws a Failure (78) if it says where a key goes: that of a
 * known provider would go to a server of the project's choice.
 */
export function refuseKeys(providers: { readonly [name: string]: object }, known: Catalogue, file: string): void {
  for (const [name, row] of Object.entries(providers)) {
    const fields = Object.keys(row).filter((field) => GUARDED.includes(field));
    const guarded = known.provider(name) ? fields : fields.filter((field) => field !== 'apis');
    if (guarded.length > 0)
      throw new Failure(EXIT.config, `providers.${name}.${guarded[0]}: a project's file may not say it`, {
        place: file,
        hint: "say it in the user's own configuration",
      });
  }
}
