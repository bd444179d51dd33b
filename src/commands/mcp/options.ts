// The help of ai-mcp and its options.
import type { Options } from '../../lib/cli/filter.ts';

export const DESCRIPTION = `
    Makes one MCP server usable as a program. Without a TOOL it lists the server's tools, one MCP Tool object per line.
    With a TOOL it calls that tool. The arguments are a JSON object on standard input, or operands (NAME=TEXT,
    NAME:=JSON). The result is written as text, or with --json as the CallToolResult object. Each run starts the server
    (or connects to a remote one) and leaves no process behind.

    SERVER is a URL, a command in quotes, or a name in the files of --config or AI_MCP (separated by colons;
    {"mcpServers":{…}} as in .mcp.json, with \${NAME} and \${NAME:-default}). The working directory is not searched for
    such files. A server process gets PATH, HOME and other basic variables, those of its entry, and those that --env
    names, but no API keys. Both generations of the protocol are supported and detected: 2025-06-18 to 2025-11-25 with
    a handshake, and 2026-07-28 without.

    --install writes each tool into a directory as mcp__SERVER__TOOL, an executable and a JSON file, for ai-exec
    --tools, with the server's entry beside them. Commit these files: a changed description is then a diff to review,
    and a call uses the description that you reviewed, not the server's current one. Control characters and invisible
    characters are removed from descriptions and texts.`;

export const OPTIONS = {
  config: {
    type: 'list',
    short: 'c',
    arg: 'FILE',
    summary: 'read server entries from FILE (default: the files in AI_MCP)',
  },
  install: { type: 'string', short: 'd', arg: 'DIR', summary: 'install the tools into DIR as executables' },
  only: { type: 'list', arg: 'NAME', summary: 'with --install: only these tools (separated by commas)' },
  json: { type: 'boolean', short: 'j', summary: 'write the result of a tool as a CallToolResult object' },
  resources: { type: 'boolean', summary: 'list the resources and resource templates' },
  read: { type: 'list', arg: 'URI', summary: 'write the content of a resource' },
  prompts: { type: 'boolean', summary: 'list the prompts' },
  prompt: { type: 'string', arg: 'NAME', summary: 'write the messages of a prompt; the operands are its arguments' },
  info: { type: 'boolean', summary: "write the server's information about itself: name, version, capabilities" },
  env: { type: 'list', short: 'e', arg: 'NAME', summary: 'pass this environment variable to the server too' },
  timeout: { type: 'number', short: 't', arg: 'SECONDS', min: 0, default: 60, summary: 'maximum time for a run' },
  protocol: {
    type: 'string',
    arg: 'REVISION',
    choices: ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'],
    summary: 'the protocol revision to use, if it cannot be detected',
  },
} as const satisfies Options;
