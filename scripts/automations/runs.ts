// The runs of one automation, one after the other.
import { runProcess } from '../../src/lib/processes/process.ts';
import type { Automation } from './settings.ts';

interface Happening {
  readonly on: 'files' | 'cron' | 'git';
  readonly paths?: readonly string[];
  readonly [field: string]: unknown;
}

export class Runs {
  readonly #automation: Automation;
  readonly #cwd: string;
  readonly #signal: AbortSignal;
  #running = false;
  #next: Happening | undefined;

  constructor(automation: Automation, cwd: string, signal: AbortSignal) {
    this.#automation = automation;
    this.#cwd = cwd;
    this.#signal = signal;
  }

  ready(): void {
    this.#say({ type: 'watching' });
  }

  /** Runs now, or once more when the present run is over: paths of several events are joined, else the last event counts. */
  happened(event: Happening): void {
    const paths = this.#next?.paths && event.paths ? [...new Set([...this.#next.paths, ...event.paths])] : event.paths;
    this.#next = { ...event, ...(paths && { paths }) };
    if (!this.#running) void this.#work();
  }

  async #work(): Promise<void> {
    this.#running = true;
    for (let event = this.#take(); event !== undefined && !this.#signal.aborted; event = this.#take()) {
      const { status, signal, by, failure, ms } = await this.#run(event);
      this.#say({ type: 'ran', on: event.on, status, signal, by, failure, ms });
    }
    this.#running = false;
  }

  #take(): Happening | undefined {
    const event = this.#next;
    this.#next = undefined;
    return event;
  }

  #run(event: Happening) {
    const { name, run, timeout } = this.#automation;
    const env = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const pass = (chunk: Uint8Array) => process.stderr.write(chunk);
    return runProcess({
      command: '/bin/sh',
      args: ['-c', run],
      cwd: this.#cwd,
      env: Object.fromEntries(env),
      stdin: `${JSON.stringify({ type: 'event', automation: name, ...event, time: new Date().toISOString() })}\n`,
      timeoutMs: timeout * 1000,
      signal: this.#signal,
      onStdout: pass,
      onStderr: pass,
    });
  }

  #say(record: object): void {
    const { type, ...rest } = record as { type: string };
    process.stdout.write(`${JSON.stringify({ type, automation: this.#automation.name, ...rest })}\n`);
  }
}
