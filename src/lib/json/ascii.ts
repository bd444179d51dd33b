// Characters by their codes, for those who read and write bytes.

export const NEWLINE = 10;
export const SPACE = 32;
export const QUOTE = 34;
export const COMMA = 44;
export const SLASH = 47;
export const COLON = 58;
export const OPEN_LIST = 91;
export const BACKSLASH = 92;
export const CLOSE_LIST = 93;
export const OPEN = 123;
export const CLOSE = 125;
/** The last that is seen: behind it stands what is no ASCII. */
export const LAST = 126;

/** The bytes of a text of ASCII alone. */
export const ascii = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));
