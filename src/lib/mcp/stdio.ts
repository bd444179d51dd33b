// A server that is a program: messages are lines on its standard streams.
import type { ChildProcess } from 'node:child_process';
import { isObject, type Json, type JsonObject } from '../json/values.ts';
import { allowedEnvironment } from '../processes/environment.ts';
import { withoutControls } from '../text/control-characters.ts';
import { answerTo, isAnswer, type Transport, TransportError } from './messages.ts';
import type { Env, StdioServer } from './servers.ts';

/** Between closing its input and ending it. */
const GRACE = 1000;

/** A message may be so long, in bytes. */
const LONGEST = 64 * 1024 * 1024;

/** What is kept of its standard error. */
const STDERR = 4096;

interface StdioOptions {
  readonly env: Env;
  /** Variables that it gets besides the usual ones. */
  readonly names: readonly string[];
  readonly cwd: string;
  readonly signal: AbortSignal;
}

interface Waiting {
  readonly id: number;
  resolve(answer: JsonObject): void;
  reject(error: unknown): void;
}

/** Starts the program in a group of its own. */
export class StdioTransport implements Transport {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  readonly #closed: Promise<void>;
  readonly #signal: AbortSignal;
  readonly #abort = () => this.#fail(this.#signal.reason);
  #line: Buffer[] = [];
  #length = 0;
  #stderr = '';
  #over: unknown;

  constructor(server: StdioServer, { env, names, cwd, signal }: StdioOptions) {
    const { spawn } = process.getBuiltinModule('node:child_process');
    this.#signal = signal;
    this.#child = spawn(server.command, [...server.args], {
      cwd: server.cwd ?? cwd,
      env: allowedEnvironment(env, names, server.env),
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#closed = new Promise((done) => {
      this.#child.on('close', (status, ended) => {
        this.#fail(new TransportError(this.#death(status, ended)));
        done();
      });
      this.#child.on('error', (error) => {
        const { code } = error as NodeJS.ErrnoException;
        this.#fail(
          new TransportError(`cannot start it: ${code === 'ENOENT' ? 'there is no such program' : error.message}`),
        );
        done();
      });
    });
    this.#child.stdin?.on('error', () => {});
    this.#child.stdout?.on('data', (chunk: Buffer) => this.#read(chunk));
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString('utf8')).slice(-STDERR);
    });
    signal.addEventListener('abort', this.#abort, { once: true });
  }

  request(message: JsonObject): Promise<JsonObject> {
    return new Promise((resolve, reject) => {
      if (this.#over !== undefined) return reject(this.#over);
      const id = Number(message.id);
      this.#waiting.set(id, { id, resolve, reject });
      this.#write(message);
    });
  }

  async notify(message: JsonObject): Promise<void> {
    this.#write(message);
  }

  async close(): Promise<void> {
    this.#signal.removeEventListener('abort', this.#abort);
    this.#child.stdin?.end();
    const timers = [
      setTimeout(() => this.#kill('SIGTERM'), this.#signal.aborted ? 0 : GRACE),
      setTimeout(() => this.#kill('SIGKILL'), 2 * GRACE),
    ];
    await this.#closed;
    for (const timer of timers) clearTimeout(timer);
    this.#kill('SIGKILL');
  }

  #write(message: JsonObject): void {
    this.#child.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  #kill(signal: NodeJS.Signals): void {
    if (this.#child.pid === undefined) return;
    try {
      process.kill(-this.#child.pid, signal);
    } catch {
      // Nothing is left of it.
    }
  }

  /** Takes bytes of its output: whole lines are messages. What is no JSON is a program's chatter. */
  #read(chunk: Buffer): void {
    for (let start = 0; start < chunk.length; ) {
      const newline = chunk.indexOf(10, start);
      const piece = chunk.subarray(start, newline < 0 ? chunk.length : newline);
      this.#length += piece.length;
      if (this.#length > LONGEST) {
        this.#tooLong();
        return;
      }
      this.#line.push(piece);
      if (newline < 0) return;
      const line = Buffer.concat(this.#line).toString('utf8');
      this.#line = [];
      this.#length = 0;
      start = newline + 1;
      this.#take(line);
    }
  }

  #tooLong(): void {
    this.#fail(new TransportError(`it wrote a message of more than ${LONGEST / 1024 / 1024} MB`));
    this.#kill('SIGKILL');
  }

  #take(line: string): void {
    let message: Json;
    try {
      message = JSON.parse(line);
    } catch {
      return;
    }
    for (const each of Array.isArray(message) ? message : [message]) this.#handle(each);
  }

  #handle(message: Json): void {
    if (!isObject(message)) return;
    if (message.method !== undefined) {
      if (message.id !== undefined) this.#write(answerTo(message));
      return;
    }
    const waiting = this.#waiting.get(Number(message.id));
    if (waiting === undefined || !isAnswer(message, waiting.id)) return;
    this.#waiting.delete(waiting.id);
    waiting.resolve(message);
  }

  #fail(error: unknown): void {
    this.#over ??= error;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  #death(status: number | null, signal: string | null): string {
    const how = signal === null ? `it ended with status ${status}` : `it was ended by ${signal}`;
    const said = withoutControls(this.#stderr).trim().split('\n').slice(-3).join(' / ');
    return said === '' ? how : `${how}: ${said.slice(0, 500)}`;
  }
}
