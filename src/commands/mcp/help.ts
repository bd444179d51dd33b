// What ai-mcp says of itself.
import type { Options } from '../../lib/cli/filter.ts';

export const DESCRIPTION = `
    One MCP server as a program. Without a TOOL its tools are listed, one MCP Tool object a line; with one, the tool is called, with its arguments as a
    JSON object on standard input or as operands (NAME=TEXT, NAME:=JSON), and what it gives is written as text, or with --json as the CallToolResult
    object. Each run starts the server, or talks to one, and leaves nothing behind.

    SERVER is a name in the files that --config or AI_MCP names (separated by colons; {"mcpServers":{…}} as in .mcp.json, with \${NAME} and
    \${NAME:-default}), an address, or a command in quotes. Nothing is looked for in the working directory. A server that is a program gets PATH, HOME
    and their like, what its entry says, and what --env names; no keys. Both generations of the protocol are spoken, 2025-06-18 to 2025-11-25 with a
    handshake and 2026-07-28 without; which one is found out.

    --install writes each tool into a directory as mcp__SERVER__TOOL, an executable and a JSON file, for ai-exec --tools; the server's entry goes
    beside them. Commit them: a description that changes is a diff to review, and what a server offers today is not called by what it says
    tomorrow. Control characters and invisible ones are taken out of descriptions and texts.`;

export const OPTIONS = {
  config: { type: 'list', short: 'c', arg: 'FILE', summary: 'files of servers; else those that AI_MCP names' },
  install: { type: 'string', short: 'd', arg: 'DIR', summary: 'write the tools out as executables' },
  only: { type: 'list', arg: 'NAME', summary: 'with --install, only these tools (joined by commas)' },
  json: { type: 'boolean', short: 'j', summary: 'write what a tool gives as an object' },
  resources: { type: 'boolean', summary: 'list the resources, templates of resources too' },
  read: { type: 'list', arg: 'URI', summary: 'write what a resource holds' },
  prompts: { type: 'boolean', summary: 'list the prompts' },
  prompt: { type: 'string', arg: 'NAME', summary: 'write the messages of a prompt; operands are its arguments' },
  info: { type: 'boolean', summary: 'write what the server says of itself' },
  env: { type: 'list', short: 'e', arg: 'NAME', summary: 'a variable that the server gets besides the usual ones' },
  timeout: { type: 'number', short: 't', arg: 'SECONDS', min: 0, default: 60, summary: 'how long a run may take' },
  protocol: {
    type: 'string',
    arg: 'REVISION',
    choices: ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'],
    summary: 'the revision to speak, where it cannot be found out',
  },
} as const satisfies Options;
