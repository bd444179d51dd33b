// What is looked for, and where.

export interface Search {
  readonly pattern: string;
  /** A directory or one file. Absolute, links followed. */
  readonly root: string;
  readonly isFile: boolean;
  readonly mode: 'content' | 'files_with_matches' | 'count';
  readonly before: number;
  readonly after: number;
  readonly ignoreCase: boolean;
  /** Lines are shown with their numbers. */
  readonly numbers: boolean;
  readonly multiline: boolean;
  /** Only files of such a kind, in ripgrep's words. */
  readonly type?: string;
  /** Lines of the result; 0 for all of them. */
  readonly most: number;
  readonly skip: number;
  readonly hides: (file: string) => boolean;
  /** Whether a file's name is wanted. */
  readonly wants: (file: string) => boolean;
}
