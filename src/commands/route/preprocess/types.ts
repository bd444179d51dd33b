// What a preprocessor may say before the big model is asked.
import type { JsonObject } from '../../../lib/json/values.ts';

export type Verdict =
  /** One call does it: the big model is not asked. */
  | { readonly type: 'call'; readonly name: string; readonly input: JsonObject; readonly why: string }
  /** No tool is needed: the big model is asked without them. */
  | { readonly type: 'answer'; readonly why: string }
  /** The request stays as it is. */
  | { readonly type: 'keep'; readonly why: string };

export interface Judged {
  readonly verdict: Verdict;
  /** Tokens that the judgement itself took. */
  readonly tokensIn: number;
  readonly tokensOut: number;
}
