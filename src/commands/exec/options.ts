// The help of ai-exec and its options.
import type { Options } from '../../lib/cli/filter.ts';

export const DESCRIPTION = `
    Runs each call that ai-permit has allowed and writes its result in the dialect that the call names, to be appended
    to the conversation: the last stage of the loop. A call runs only with "decision":"allow" and a digest that matches
    the call. Every call gets exactly one result; the result of a call that did not run tells the model why.

    A tool is an executable and a JSON file beside it, in one of the directories of --tools (separated by colons;
    default: AI_TOOLS). "builtin" names the built-in tools. The JSON file is an MCP Tool object ("name", "description",
    "inputSchema", "annotations") with these optional fields: "env" (names of variables, or patterns such as
    "*_API_KEY"), "timeout" (seconds), "output":"mcp" (the tool prints a CallToolResult), "parallel":true, and
    "terminal":true (the tool asks the person at the terminal).

    A tool reads its arguments as one line of JSON on standard input and prints its result. An exit status other than 0
    is an error; the result then includes the tool's standard error. The tool gets these environment variables: PATH,
    HOME, USER, LOGNAME, SHELL, LANG, LC_*, TERM, TMPDIR, TZ, AI_* except keys and tokens, and those that "env" names.
    It has no terminal. At its timeout it is killed, together with all processes that it started.

    Tools whose "readOnlyHint" or "parallel" is true run in parallel, all others one at a time and in order. Before a
    tool starts that is neither read-only nor idempotent, {"type":"started","id","name","index","digest","time"} is
    written. If the dialect keeps the results of a turn in one message, each result is written as
    {"type":"result","id","name","index","content","is_error","run"} until all are there. From these records ai-pending
    knows what an interrupted run has done: to resume it, run the same pipe again. "_meta.runs" of the result message
    has the details of each run.

    --agent restricts the tools to those of an agent or mode; --head then also writes the agent's prompt, and its model
    (else AI_MODEL). Agents are Markdown files with front matter as in .claude/agents; modes are in files as .roomodes.
    AI_AGENTS lists directories and files, separated by colons (default: "builtin", the built-in agents). A name with a
    slash is a file. Sub-agents get no tools that this run does not have.

    A result of more than --max-bytes is cut in the middle. The full result is saved in a file that only its owner can
    read: in c.d/results beside the conversation c.jsonl that AI_CONV names, else in $XDG_STATE_HOME/ai/results. Escape
    sequences and invisible characters are removed from results.`;

export const OPTIONS = {
  tools: { type: 'list', short: 'T', arg: 'DIR[:DIR]', summary: 'the directories of the tools (default: AI_TOOLS)' },
  only: { type: 'list', arg: 'NAME[,NAME]', summary: 'use only these tools' },
  agent: { type: 'string', arg: 'NAME', summary: 'use only the tools of this agent or mode; see AI_AGENTS' },
  jobs: {
    type: 'integer',
    short: 'j',
    arg: 'N',
    default: 4,
    min: 1,
    max: 64,
    summary: 'number of read-only tools to run at the same time',
  },
  timeout: {
    type: 'number',
    short: 't',
    arg: 'SECONDS',
    min: 0.001,
    summary: "maximum time for a tool (default: the timeout in the tool's file, else 120)",
  },
  'max-bytes': {
    type: 'integer',
    short: 'm',
    arg: 'BYTES',
    default: 65536,
    min: 256,
    summary: 'maximum size of a result for the model; longer results are cut in the middle',
  },
  verbose: { type: 'boolean', short: 'v', summary: 'report each call on standard error, one line per call' },
  directory: { type: 'string', short: 'C', arg: 'DIR', summary: 'run the tools in this directory' },
  'write-ahead': {
    type: 'string',
    short: 'w',
    arg: 'FILE',
    summary: 'append the "started" records to FILE directly; for pipes with a stage between ai-exec and FILE',
  },
  dialect: {
    type: 'string',
    arg: 'DIALECT',
    summary: 'the dialect of results for calls that name none (default: openai)',
  },
  head: {
    type: 'optional',
    arg: 'DIALECT',
    summary: 'run nothing, but write a head that declares the tools to the model',
  },
  model: {
    type: 'string',
    arg: 'MODEL',
    summary: 'with --head: the model to write into it',
  },
} as const satisfies Options;
