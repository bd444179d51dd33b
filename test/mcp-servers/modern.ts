// Servers made with the official library, for both generations of the protocol: over standard streams, or over HTTP with --http.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

function make(): McpServer {
  const server = new McpServer({ name: 'modern', version: '1.0.0' });
  const echo = {
    description: 'Says it again',
    inputSchema: z.object({ text: z.string() }),
    annotations: { readOnlyHint: true },
  };
  server.registerTool('echo', echo, async ({ text }) => ({ content: [{ type: 'text', text: `you said ${text}` }] }));
  server.registerTool('fail', { description: 'Fails' }, async () => ({
    content: [{ type: 'text', text: 'no' }],
    isError: true,
  }));
  server.registerTool('die', { description: 'Ends the server' }, async () => process.exit(3));
  server.registerResource('note', 'note://one', { mimeType: 'text/plain' }, async (uri) => ({
    contents: [{ uri: uri.href, text: 'the note' }],
  }));
  return server;
}

if (!process.argv.includes('--http')) serveStdio(make, process.argv.includes('--new-only') ? { legacy: 'reject' } : {});
else {
  const { fetch: handle } = createMcpHandler(make, process.argv.includes('--new-only') ? { legacy: 'reject' } : {});
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const headers = new Headers(
      Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]),
    );
    const body = chunks.length > 0 ? Buffer.concat(chunks) : undefined;
    const answer = await handle(
      new Request(`http://localhost${incoming.url}`, {
        method: incoming.method ?? 'GET',
        headers,
        ...(body && { body }),
      }),
    );
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
    outgoing.end(Buffer.from(await answer.arrayBuffer()));
  });
  server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`));
}
