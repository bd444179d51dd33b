// Changes for the sake of a model and its API: a conversation as it comes, or at once.

import type { FormatName, Head, Lose } from '../../conversation/types.ts';
import type { Adapt, Adaptation, Read } from '../../conversion/adaptation.ts';
import { openFor } from './target.late.ts';

export interface AdaptOptions {
  /** The model that will read the conversation; the head's without it. */
  readonly model?: string;
  /** Changes before all others: other names for tools, say. */
  readonly first?: readonly ((to: FormatName) => Adaptation)[];
  /** For a conversation at once: it is a whole request, and not a part of one. */
  readonly whole?: boolean;
}

/** The changes for a conversation on its way into a dialect: those of the model's family, then those of the API. */
export function adaptTo(options: AdaptOptions = {}): Adapt {
  return (to) => openFor(to, options);
}

/** A conversation at once: what ai-complete asks before it writes a request. */
export function adapted(
  request: { readonly head: Head; readonly messages: readonly Read['message'][] },
  from: FormatName,
  to: FormatName,
  lose: Lose,
  options: AdaptOptions = {},
): { head: Head; messages: Read['message'][] } {
  const adaptation = adaptTo(options)(to);
  const head = adaptation.head(request.head, lose, from, options.whole ? () => request.messages : undefined);
  const reads = request.messages.flatMap((message) => adaptation.read?.({ message, from, recs: [] }, lose) ?? []);
  const left = [...reads, ...(adaptation.end?.(lose) ?? [])].filter((read) => !read.gone);
  return { head, messages: left.map((read) => read.message) };
}
