// One program: started in a group of its own, fed, listened to, and ended with all that it has started.
import type { ChildProcess } from 'node:child_process';

interface Spec {
  readonly command: string;
  readonly args?: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
  /** After so long it is ended. */
  readonly timeoutMs: number;
  /** Ends it when it aborts. */
  readonly signal: AbortSignal;
  /** It stays in our session, so that it can reach the person's terminal, and is ended alone. */
  readonly terminal?: boolean;
  readonly onStdout: (chunk: Uint8Array) => void;
  readonly onStderr: (chunk: Uint8Array) => void;
}

export interface Ended {
  /** Its exit status; undefined if a signal ended it or it never ran. */
  readonly status?: number;
  readonly signal?: string;
  /** Why we ended it. */
  readonly by?: 'timeout' | 'interrupt';
  /** Why it could not be started. */
  readonly failure?: string;
  readonly ms: number;
}

/** Between asking a program to end and ending it. */
const GRACE = 2000;

/** How long the output may go on after the program itself is gone: whatever still holds it is ended then. */
const LINGER = 200;

/**
 * Runs a program to its end. Resolves when it is gone, its output has been handed over, and nothing of its group is left; never rejects.
 * Without `terminal` it has a session of its own: no controlling terminal, and one group that the signals reach. Its input is a socket, as all
 * pipes of Node's are: a `bash -c` that inherits it would read ~/.bashrc.
 */
export function runProcess(spec: Spec): Promise<Ended> {
  const { spawn } = process.getBuiltinModule('node:child_process');
  const began = performance.now();
  const ms = () => Math.round(performance.now() - began);
  return new Promise((resolve) => {
    if (spec.signal.aborted) return resolve({ by: 'interrupt', ms: 0 });
    let child: ChildProcess;
    try {
      child = spawn(spec.command, [...(spec.args ?? [])], {
        cwd: spec.cwd,
        env: spec.env,
        detached: !spec.terminal,
        stdio: ['pipe', 'pipe', 'pipe'],
      });
    } catch (error) {
      return resolve({ failure: reasonOf(error), ms: ms() });
    }
    const life = new Life(child, spec);
    child.stdout?.on('data', spec.onStdout);
    child.stderr?.on('data', spec.onStderr);
    // A program that does not read its input is no failure.
    child.stdin?.on('error', () => {});
    child.stdin?.end(spec.stdin);
    child.on('error', (error) => {
      life.over();
      resolve({ failure: reasonOf(error), ms: ms() });
    });
    child.on('exit', () => life.exited());
    child.on('close', (status, signal) => {
      life.over();
      resolve({ ...(status !== null && { status }), ...(signal !== null && { signal }), ...life.ended, ms: ms() });
    });
  });
}

/** Watches over one program: its time, our own end, and what it leaves behind. */
class Life {
  readonly #child: ChildProcess;
  readonly #spec: Spec;
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #interrupt = () => this.#end('interrupt');
  #by: Ended['by'];

  constructor(child: ChildProcess, spec: Spec) {
    this.#child = child;
    this.#spec = spec;
    this.#timers.push(setTimeout(() => this.#end('timeout'), Math.min(spec.timeoutMs, 0x7fffffff)));
    spec.signal.addEventListener('abort', this.#interrupt, { once: true });
  }

  get ended(): Pick<Ended, 'by'> {
    return this.#by ? { by: this.#by } : {};
  }

  #end(by: NonNullable<Ended['by']>): void {
    if (this.#by) return;
    this.#by = by;
    this.#kill('SIGTERM');
    this.#timers.push(setTimeout(() => this.#kill('SIGKILL'), GRACE));
  }

  /** The program is gone; what it started may hold its output open. */
  exited(): void {
    this.#timers.push(setTimeout(() => this.#cutOff(), LINGER));
  }

  /** Ends its group. What has left the group may still hold the output: it is given up once nothing more is there to read. */
  #cutOff(): void {
    this.#kill('SIGKILL');
    let heard = 0;
    const count = (chunk: Uint8Array) => {
      heard += chunk.length;
    };
    this.#child.stdout?.on('data', count);
    this.#child.stderr?.on('data', count);
    const began = performance.now();
    const rest = (before: number, quiet: number) => {
      if (quiet === 3 || performance.now() - began > GRACE) {
        this.#child.stdout?.destroy();
        this.#child.stderr?.destroy();
      } else this.#timers.push(setTimeout(() => setImmediate(rest, heard, heard === before ? quiet + 1 : 0), 5));
    };
    rest(0, 0);
  }

  over(): void {
    this.#kill('SIGKILL');
    for (const timer of this.#timers) clearTimeout(timer);
    this.#spec.signal.removeEventListener('abort', this.#interrupt);
  }

  #kill(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      if (this.#spec.terminal) this.#child.kill(signal);
      else process.kill(-pid, signal);
    } catch {
      // Nothing is left of it.
    }
  }
}

const REASONS: { readonly [code: string]: string } = {
  ENOENT: 'there is no such program',
  EACCES: 'it may not be executed',
  E2BIG: 'its arguments are too long',
  ENOEXEC: 'it is not an executable program',
  ENOTDIR: 'its working directory is not a directory',
};

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return REASONS[code ?? ''] ?? message;
}
