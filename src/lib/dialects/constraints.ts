// What an API demands of a request, as data: each dialect's own stands in its folder. A bound that nothing recorded or documented shows is not there.
import type { MediaKind, Role } from '../conversation/types.ts';
import type { SchemaTarget } from '../json-schema/targets.ts';

/** What an id or a name may look like. */
export interface Spelling {
  readonly pattern: RegExp;
  readonly most: number;
  /** The rule in words: `letters, digits, _ and -`. */
  readonly words: string;
}

/** The least and the most; both are allowed. */
export type Range = readonly [least: number, most: number];

/** Where results must stand: in the turn behind the calls, in messages of their own behind the message with the calls, or anywhere later. */
export type ResultPlace = 'turn' | 'messages' | 'later';

/** Absent: the API demands nothing of the kind. */
export interface Constraints {
  /** The dialect is spoken by many servers for models of other makers, not only by the API that it was made for. */
  readonly otherServers?: {
    /** The family of its own API's models. */
    readonly ownFamily: string;
    /** The longest id of a call that they take. */
    readonly idLength: number;
  };
  /** Servers of the dialect render a model's own chat template, with that template's limits. */
  readonly chatTemplates?: true;

  /** Ids of calls. */
  readonly ids?: Spelling;
  /** Ids tell the calls of a turn apart. */
  readonly callsById?: true;
  /** No two calls of a conversation may share an id. */
  readonly uniqueIds?: true;
  /** Names of tools. */
  readonly names?: Spelling;
  readonly uniqueNames?: true;
  /** A result says the name of its tool. */
  readonly namesInResults?: true;
  readonly tools?: number;
  /** Tools that take free text instead of an object. */
  readonly customTools?: true;
  /** A request whose messages have calls must list the tools that were called. */
  readonly calledToolsListed?: true;

  readonly temperature?: Range;
  readonly topP?: Range;
  readonly topK?: Range;
  readonly penalty?: Range;
  /** How many stop sequences; 0: the API has none. */
  readonly stops?: number;
  /** A stop sequence of white space is refused. */
  readonly blankStopsRefused?: true;
  readonly maxTokens?: { readonly required?: true; readonly least: number };
  /** Thinking has a budget in tokens, with Anthropic's bounds. */
  readonly thinkingBudget?: true;
  /** Thoughts come back signed by Anthropic. */
  readonly signedThoughts?: true;
  /** Calls carry signatures of the thoughts before them. */
  readonly callSignatures?: true;

  /** Kinds of media that it takes in no way. */
  readonly refusedMedia?: readonly MediaKind[];
  /** The roles whose messages may hold media; absent: all. */
  readonly mediaRoles?: readonly Role[];
  /** Media within a result counts as media of the message. */
  readonly mediaOfResults?: true;
  /** Bytes of one image before base64. */
  readonly imageBytes?: number;
  readonly images?: number;
  readonly imageTypes?: readonly string[];
  /** Images have names, or the dialect says itself that they have none. */
  readonly imageNames?: true;
  /** Of its own models, those that take sound. */
  readonly audioModels?: RegExp;
  /** Documents are taken as data or as an uploaded file, not by address. */
  readonly documentUrlsRefused?: true;
  /** Files other than images may have an address of any scheme. */
  readonly anyFileUri?: true;
  /** A document's bytes are taken if it is a PDF; other text is sent as text. */
  readonly documentsAsText?: true;
  /** Files that were uploaded to another provider are not reachable. */
  readonly foreignFilesRefused?: true;
  /** How addresses in the provider's own store begin. */
  readonly store?: string;

  readonly results?: ResultPlace;
  /** Texts of white space: refused everywhere, or only where nothing else is said. */
  readonly blankTexts?: 'refused' | 'refused-alone';
  /** Messages without content: refused, refused unless it is the assistant's last, or refused where the content is null. */
  readonly emptyMessages?: 'refused' | 'refused-before-last' | 'refused-null';
  /** A conversation may consist of system messages. */
  readonly systemAlone?: true;
  /** A failed result holds text only. */
  readonly failedResultsText?: true;
  /** The first message must be the user's, unless the model is of one of these families. */
  readonly userFirst?: { readonly unless: readonly string[] };
  /** The assistant must speak between a result and the user. */
  readonly assistantAfterResults?: true;
  /** System messages behind the first turn: behind a turn of the user, or as a marked message of the user. */
  readonly laterSystem?: 'behind-user' | 'marked';

  /** The schemas of tools and answers: as usual, and where they are strict. */
  readonly schemas?: { readonly usual: SchemaTarget; readonly strict: SchemaTarget; readonly objectRoot?: true };
  /** An answer's schema has a name, and is kept to only if it is strict. */
  readonly namedSchemas?: true;
  /** An answer can follow a format only in a request without tools. */
  readonly answerFormatAlone?: true;
}

/** Letters, digits, "_" and "-", and so many of them at most. */
export const wordOf = (most: number): Spelling => ({
  pattern: /^[a-zA-Z0-9_-]+$/,
  most,
  words: 'letters, digits, "_" and "-"',
});

/** Any text of so many characters at most. */
export const anyOf = (most: number): Spelling => ({ pattern: /^/, most, words: 'any characters' });

export const COMMON_IMAGES: readonly string[] = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

/** Whether something is spelled as the API wants it. */
export const isSpelled = (text: string, { pattern, most }: Spelling): boolean =>
  text.length <= most && pattern.test(text);
