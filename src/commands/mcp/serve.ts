// One run: finds the server, asks it one thing, writes the answer.
import type { Context, Values } from '../../lib/cli/filter.ts';
import { EXIT, Failure } from '../../lib/failure/failure.ts';
import type { Rec } from '../../lib/json/record.ts';
import { isObject, type Json, type JsonObject } from '../../lib/json/values.ts';
import type { Input } from '../../lib/jsonl/read.ts';
import { Client } from '../../lib/mcp/client.ts';
import { HttpTransport } from '../../lib/mcp/http.ts';
import { RpcError } from '../../lib/mcp/messages.ts';
import { findServer, type Named } from '../../lib/mcp/servers.ts';
import { StdioTransport } from '../../lib/mcp/stdio.ts';
import { deadline } from '../../lib/providers/http.ts';
import { argumentsFrom, argumentsIn } from './arguments.ts';
import { install } from './install.ts';
import type { OPTIONS } from './options.ts';
import { line, promptRecords, resourceText, resultText } from './show.ts';

type Given = Values<typeof OPTIONS>;

export async function* serve(inputs: readonly Input[], options: Given, context: Context): AsyncGenerator<Rec> {
  const [name = '', tool, ...words] = context.operands;
  check(options, tool);
  const files = options.config.length > 0 ? options.config : (context.env.AI_MCP ?? '').split(':').filter(Boolean);
  const named = findServer(name, files, context.cwd, context.env);
  const operands = options.prompt === undefined ? words : context.operands.slice(1);
  const args = tool === undefined && options.prompt === undefined ? {} : argumentsFrom(operands);
  const given =
    tool !== undefined && words.length === 0 && options.prompt === undefined ? await argumentsIn(inputs) : args;
  const { signal, clear } = deadline(options.timeout || Infinity, context.signal);
  const client = connect(named, options, context, signal);
  try {
    yield* answer(client, named, { tool, args: given }, options, context);
  } catch (error) {
    throw refusal(error, named.name);
  } finally {
    clear();
    await client.close();
  }
}

function check({ install: directory, resources, read, prompts, prompt, info }: Given, tool: string | undefined): void {
  const asked = [directory !== undefined, resources, read.length > 0, prompts, prompt !== undefined, info].filter(
    Boolean,
  );
  if (asked.length > 1 || (asked.length === 1 && tool !== undefined && prompt === undefined))
    throw new Failure(
      EXIT.usage,
      'use only one of: a tool, --install, --resources, --read, --prompts, --prompt or --info',
    );
}

function connect(
  { name, server }: Named,
  { env: names, protocol }: Given,
  { env, cwd }: Context,
  signal: AbortSignal,
): Client {
  const more = { name, ...(protocol !== undefined && { revision: protocol }) };
  // Programs are mostly of the older generation, and some of them end at a message that they do not know.
  if (server.type === 'stdio')
    return new Client(new StdioTransport(server, { env, names, cwd, signal }), { ...more, first: 'handshake' });
  return new Client(new HttpTransport(server, signal), { ...more, first: 'stateless' });
}

interface Call {
  readonly tool: string | undefined;
  readonly args: JsonObject;
}

async function* answer(
  client: Client,
  named: Named,
  { tool, args }: Call,
  options: Given,
  context: Context,
): AsyncGenerator<Rec> {
  if (options.install !== undefined) {
    const tools = await client.list('tools/list', 'tools');
    yield* install(
      tools,
      named,
      { directory: options.install, only: options.only.flatMap((each) => each.split(',')) },
      context,
    );
  } else if (options.resources) {
    for (const each of await client.list('resources/list', 'resources')) yield line(each);
    for (const each of await optional(client.list('resources/templates/list', 'resourceTemplates'))) yield line(each);
  } else if (options.prompts) for (const each of await client.list('prompts/list', 'prompts')) yield line(each);
  else if (options.prompt !== undefined)
    yield* promptRecords(await client.request('prompts/get', { name: options.prompt, arguments: args }));
  else if (options.info) yield line(await client.about());
  else if (options.read.length > 0)
    for (const uri of options.read) print(await client.request('resources/read', { uri }), options, context);
  else if (tool === undefined) for (const each of await client.list('tools/list', 'tools')) yield line(each);
  else {
    const result = await client.call(tool, args);
    if (result.isError === true) context.exit(EXIT.no);
    if (options.json) yield line(result);
    else context.print(resultText(result));
  }
}

function print(result: JsonObject, options: Given, context: Context): void {
  if (options.json) context.print(`${String(line(result).source)}`);
  else context.print(resourceText(result));
}

/** A list that many servers do not have. */
async function optional(list: Promise<JsonObject[]>): Promise<JsonObject[]> {
  try {
    return await list;
  } catch (error) {
    if (error instanceof RpcError) return [];
    throw error;
  }
}

/** What the server refused, with the status that fits: what was asked wrongly, or what it cannot do. */
function refusal(error: unknown, server: string): unknown {
  if (!(error instanceof RpcError)) return error;
  const data: Json | undefined = isObject(error.data) || typeof error.data === 'string' ? error.data : undefined;
  const more = data === undefined ? '' : ` (${JSON.stringify(data).slice(0, 300)})`;
  // 1 is a tool's own word.
  const status = error.code === INVALID_PARAMS ? EXIT.badInput : EXIT.unavailable;
  return new Failure(status, `the server "${server}" refuses the request: ${error.message}${more}`);
}

const INVALID_PARAMS = -32602;
