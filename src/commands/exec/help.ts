// What ai-exec says of itself.
import type { Options } from '../../lib/cli/filter.ts';

export const DESCRIPTION = `
    Runs each call that ai-permit has allowed, and writes its result in the dialect that the call names: the last stage of the loop, to be appended to the
    conversation. Without "decision":"allow" and the digest that fits the call nothing runs; every call gets exactly one result all the same,
    which tells the model why.

    A tool is an executable and a JSON file beside it, in one of the directories of --tools (separated by colons; else those in AI_TOOLS; "builtin" are the
    tools that come with the programs). The JSON file is an MCP Tool object ("name", "description", "inputSchema", "annotations") with, if needed,
    "env" (names of variables, or "*_API_KEY" and its like), "timeout" (seconds), "output":"mcp" (it prints a CallToolResult), "parallel":true and "terminal":true (it asks the person). The tool reads its arguments as one
    line of JSON on standard input, and prints its result; an exit status that is not 0 is an error, and what it said on standard error is added then.
    It gets PATH, HOME, USER, LOGNAME, SHELL, LANG, LC_*, TERM, TMPDIR, TZ, AI_* without keys and tokens, and what "env" names; it has no terminal,
    and is ended with all that it started when its time is over.

    Tools whose "readOnlyHint" or "parallel" is true run beside each other, every other alone and in order. Before a tool that is neither read-only nor
    idempotent starts, {"type":"started","id","name","index","digest","time"} is written. Where the dialect keeps the results of a turn in one
    message, each is first written as {"type":"result","id","name","index","content","is_error","run"} while others are to come. With these records
    ai-pending knows what a run that was killed has done: run the same pipe again. What is known of a run is in "_meta.runs" of its message.

    --agent narrows the tools to those that an agent or mode has, and --head then says who it is: its prompt, and its model or AI_MODEL. Agents are Markdown
    files with front matter as in .claude/agents, modes stand in files as .roomodes; AI_AGENTS names directories and files, separated by colons
    ("builtin", which is what counts without it, are the agents that come along). A name with a slash is a file. What narrows a run narrows the sub-agents that its tools start.

    A result of more than --max-bytes is cut in the middle, and the whole kept in a file that only its owner can read, beside the conversation that
    AI_CONV names (c.jsonl: c.d/results), else in $XDG_STATE_HOME/ai/results. Escapes and invisible characters are taken out of results.`;

export const OPTIONS = {
  tools: { type: 'list', short: 'T', arg: 'DIR[:DIR]', summary: 'where the tools are; else AI_TOOLS' },
  only: { type: 'list', arg: 'NAME[,NAME]', summary: 'there are only these tools' },
  agent: { type: 'string', arg: 'NAME', summary: 'there are only the tools of this agent or mode; see AI_AGENTS' },
  jobs: {
    type: 'integer',
    short: 'j',
    arg: 'N',
    default: 4,
    min: 1,
    max: 64,
    summary: 'read-only tools that run at once',
  },
  timeout: {
    type: 'number',
    short: 't',
    arg: 'SECONDS',
    min: 0.001,
    summary: 'how long a tool may take at most; without it what its file says, else 120',
  },
  'max-bytes': {
    type: 'integer',
    short: 'm',
    arg: 'BYTES',
    default: 65536,
    min: 256,
    summary: 'the most of one result that the model gets',
  },
  verbose: { type: 'boolean', short: 'v', summary: 'say on standard error what has run, a line for each call' },
  directory: { type: 'string', short: 'C', arg: 'DIR', summary: 'where the tools run' },
  'write-ahead': {
    type: 'string',
    short: 'w',
    arg: 'FILE',
    summary: 'append the started records to FILE itself, where a stage stands between here and it',
  },
  dialect: { type: 'string', arg: 'DIALECT', summary: 'for calls that name none (default: openai)' },
  head: { type: 'optional', arg: 'DIALECT', summary: 'run nothing: write a head with the tools for the model' },
  model: {
    type: 'string',
    arg: 'MODEL',
    summary: 'with --head: the model that is named in it',
  },
} as const satisfies Options;
