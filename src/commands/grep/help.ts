// What ai-grep says of itself.
import type { Options } from '../../lib/cli/filter.ts';

export const DESCRIPTION = `
    Looks for a pattern on the lines of everything that is said in conversations: texts, reasoning, the names and arguments of calls (one line each,
    "command: npm test"), and what tools gave back. Dialects are found out record by record, as everywhere; files below directories are searched if
    they end in .jsonl, .ndjson or .json. Session logs of coding agents are known by their first lines; every branch and sub-agent of one is searched. In records of no
    known kind every text is, under the role "other".

    Each line that matches is written as "FILE:LINE:ROLE: excerpt", where LINE is that of the record; from a pipe without FILE, and
    from a session log as "FILE#NUMBER:ROLE:" with the number of the message. Results of tools have
    the role tool, whatever message they stand in. Control characters are always spelled out, so that nothing in a conversation can reach the terminal.

    With --json each match is one record: {"type":"match","file","line","session","cwd","message","id","role","kind","tool","text","matches":[{"start","end"}]};
    "message" counts the messages of the conversation from 0, and the places of matches are in UTF-16 units of "text". With --output records the
    matching records themselves are written, for the next program in the pipe; those of a session log in OpenAI's dialect.

    Patterns are those of RE2, as in ripgrep: no look-around and no back-references, and time linear in the text. What cannot be read is said, and the
    rest is searched all the same.`;

export const OPTIONS = {
  'ignore-case': { type: 'boolean', short: 'i', summary: 'take no notice of upper and lower case' },
  'fixed-strings': { type: 'boolean', short: 'F', summary: 'the pattern is a plain text' },
  word: { type: 'boolean', short: 'w', summary: 'match whole words only' },
  'invert-match': { type: 'boolean', short: 'v', summary: 'find the messages that do not match' },
  role: {
    type: 'list',
    short: 'r',
    arg: 'ROLE',
    summary: 'look only at what these said: system, developer, user, assistant, tool, other (joined by commas)',
  },
  kind: {
    type: 'list',
    short: 'k',
    arg: 'KIND',
    summary: 'look only at these: text, reasoning, call, result (joined by commas)',
  },
  tool: { type: 'list', short: 't', arg: 'NAME', summary: 'look only at calls and results of these tools' },
  context: { type: 'integer', short: 'C', arg: 'N', min: 0, default: 0, summary: 'show N messages around each' },
  'before-context': { type: 'integer', short: 'B', arg: 'N', min: 0, summary: 'show N messages before each' },
  'after-context': { type: 'integer', short: 'A', arg: 'N', min: 0, summary: 'show N messages behind each' },
  'files-with-matches': {
    type: 'boolean',
    short: 'l',
    summary: 'write only the names of files in which something is found',
  },
  count: { type: 'boolean', short: 'c', summary: 'write only how many messages of each file match' },
  'max-count': { type: 'integer', short: 'm', arg: 'N', min: 1, summary: 'stop after N messages of a file' },
  quiet: { type: 'boolean', short: 'q', summary: 'write nothing: the exit status says it' },
  output: {
    type: 'string',
    short: 'o',
    arg: 'FORM',
    choices: ['text', 'json', 'records'],
    default: 'text',
    summary: 'how to write what is found',
  },
  json: { type: 'boolean', summary: 'the same as --output json' },
  width: { type: 'integer', arg: 'N', min: 0, default: 240, summary: 'characters of a line that are shown; 0: all' },
  color: {
    type: 'string',
    arg: 'WHEN',
    choices: ['auto', 'always', 'never'],
    default: 'auto',
    summary: 'mark what matches',
  },
} as const satisfies Options;
