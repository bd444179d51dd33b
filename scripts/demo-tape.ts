// Makes the demo's recording: answers the conversation on standard input from a server on loopback, through ai-complete --record.
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const CALL = '<tool_call>{"name": "Bash", "arguments": {"command": "npm test"}}</tool_call>';
const TEXT = `(This answer is a recording: no key and no local server was found.) I will run all the tests before I write the notes.\n\n${CALL}`;
const REPLY = {
  id: 'chatcmpl-demo',
  object: 'chat.completion',
  created: 1767322800,
  model: 'demo',
  choices: [{ index: 0, message: { role: 'assistant', content: TEXT }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3141, completion_tokens: 59, total_tokens: 3200 },
};

const server = createServer((request, response) => {
  request
    .resume()
    .on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(REPLY)));
});
server.listen(0, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const argv = ['-n', '-m', 'llamacpp/demo', '--base-url', url, '--record', process.argv[2] ?? ''];
  spawn('ai-complete', argv, { stdio: ['inherit', 'inherit', 'inherit'] }).on('close', (status) =>
    process.exit(status ?? 1),
  );
});
