// A credential for a provider, as the requests need it.
import type { JsonObject } from '../json/values.ts';

export interface Credential {
  /** The headers that carry it. Secret: they go to the provider's host and nowhere else. */
  readonly headers: Readonly<Record<string, string>>;
  /** Where it was found: a variable, a file. Not secret. */
  readonly from: string;
  /** For requests that are signed and not headed (AWS, signature version 4). Secret. */
  readonly aws?: AwsKeys;
  /** Trades it for the headers of one request, where it is no key itself. */
  readonly obtain?: (post: Post, now: () => number) => Promise<Readonly<Record<string, string>>>;
}

/** Sends a form to an address and returns the JSON object that it answers. */
export type Post = (url: string, form: Readonly<Record<string, string>>) => Promise<JsonObject>;

interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}
