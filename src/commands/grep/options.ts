// The help of ai-grep and its options.
import type { Options } from '../../lib/cli/filter.ts';

export const DESCRIPTION = `
    Searches all text of conversations line by line: message text, reasoning, names and arguments of tool calls (one
    line per argument, such as "command: npm test"), and tool results. The dialect is detected for each record. In
    directories, files that end in .jsonl, .ndjson or .json are searched. Session logs of coding agents are detected by
    their first lines; all their branches and sub-agents are searched. In records of an unknown kind every text is
    searched, under the role "other".

    Each matching line is written as "FILE:LINE:ROLE: excerpt", where LINE is the line of the record. Input from a pipe
    has no FILE. For a session log it is "FILE#NUMBER:ROLE:", with the number of the message. Tool results always have
    the role tool. Control characters are escaped, so that a conversation cannot control the terminal.

    With --json each match is one record:
    {"type":"match","file","line","session","cwd","message","id","role","kind","tool","text","matches":[{"start","end"}]}.
    "message" is the index of the message in the conversation, starting at 0; start and end are UTF-16 offsets in
    "text". With --output records the matching records themselves are written, for the next program in the pipe; those
    of a session log in OpenAI's dialect.

    Patterns have RE2 syntax, as in ripgrep: without look-around and backreferences, and matched in linear time. Input
    that cannot be read is reported, and the search continues with the rest.`;

export const OPTIONS = {
  'ignore-case': { type: 'boolean', short: 'i', summary: 'ignore the difference between upper and lower case' },
  'fixed-strings': { type: 'boolean', short: 'F', summary: 'the pattern is a fixed string, not a regular expression' },
  word: { type: 'boolean', short: 'w', summary: 'match whole words only' },
  'invert-match': { type: 'boolean', short: 'v', summary: 'select the messages that do not match' },
  role: {
    type: 'list',
    short: 'r',
    arg: 'ROLE',
    summary:
      'search only messages of these roles: system, developer, user, assistant, tool, other (separated by commas)',
  },
  kind: {
    type: 'list',
    short: 'k',
    arg: 'KIND',
    summary: 'search only these kinds: text, reasoning, call, result (separated by commas)',
  },
  tool: { type: 'list', short: 't', arg: 'NAME', summary: 'search only calls and results of these tools' },
  context: {
    type: 'integer',
    short: 'C',
    arg: 'N',
    min: 0,
    default: 0,
    summary: 'show N messages before and after each match',
  },
  'before-context': { type: 'integer', short: 'B', arg: 'N', min: 0, summary: 'show N messages before each match' },
  'after-context': { type: 'integer', short: 'A', arg: 'N', min: 0, summary: 'show N messages after each match' },
  'files-with-matches': {
    type: 'boolean',
    short: 'l',
    summary: 'write only the names of files with a match',
  },
  count: { type: 'boolean', short: 'c', summary: 'write only the number of matching messages in each file' },
  'max-count': {
    type: 'integer',
    short: 'm',
    arg: 'N',
    min: 1,
    summary: 'stop after N matching messages in each file',
  },
  quiet: { type: 'boolean', short: 'q', summary: 'write nothing; only set the exit status' },
  output: {
    type: 'string',
    short: 'o',
    arg: 'FORM',
    choices: ['text', 'json', 'records'],
    default: 'text',
    summary: 'the output format',
  },
  json: { type: 'boolean', summary: 'the same as --output json' },
  width: {
    type: 'integer',
    arg: 'N',
    min: 0,
    default: 240,
    summary: 'maximum number of characters shown of a line; 0: no limit',
  },
  color: {
    type: 'string',
    arg: 'WHEN',
    choices: ['auto', 'always', 'never'],
    default: 'auto',
    summary: 'highlight matches',
  },
} as const satisfies Options;
