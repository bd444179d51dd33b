// The person's terminal, for programs whose standard streams are pipes.
import { closeSync, constants, openSync, readFileSync, readSync, writeSync } from 'node:fs';

/** A terminal that a person can be asked on. */
export interface Terminal {
  write(text: string): void;
  /**
   * Asks, and waits for one line, which it gives without its end; undefined when the person closed the terminal (Ctrl-D). What was typed before the
   * question stood there is no answer to it, and is forgotten.
   */
  ask(question: string): string | undefined;
  close(): void;
}

/** The controlling terminal. undefined: there is none, or this process is in its background, where reading would stop it. */
export function openTerminal(): Terminal | undefined {
  if (inBackground()) return undefined;
  let fd: number;
  try {
    fd = openSync('/dev/tty', 'r+');
  } catch {
    return undefined;
  }
  const write = (text: string) => {
    const bytes = Buffer.from(text);
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
  };
  return {
    write,
    ask: (question) => {
      if (!forgetsInput()) return undefined;
      write(question);
      return readLine(fd);
    },
    close: () => closeSync(fd),
  };
}

/**
 * Takes what waits in the terminal. A line that has no end yet is only given to who reads character by character, so that the terminal is set to
 * that meanwhile (libuv's raw mode, a call of tcsetattr; tcflush is nothing that Node has). false: it cannot be done, and no answer could be trusted.
 */
function forgetsInput(): boolean {
  try {
    const { ReadStream } = process.getBuiltinModule('node:tty');
    const fd = openSync('/dev/tty', constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    const stream = new ReadStream(fd);
    try {
      stream.setRawMode(true);
      const chunk = Buffer.alloc(4096);
      while (readWaiting(fd, chunk) > 0);
    } finally {
      stream.setRawMode(false);
      stream.destroy();
    }
    return true;
  } catch {
    return false;
  }
}

/** What is there, without waiting for more. */
function readWaiting(fd: number, chunk: Uint8Array): number {
  try {
    return readSync(fd, chunk, 0, chunk.length, null);
  } catch {
    return 0;
  }
}

/** A line; whatever comes after it in the same read was typed before the next question. */
function readLine(fd: number): string | undefined {
  let all = Buffer.alloc(0);
  const chunk = Buffer.alloc(4096);
  for (;;) {
    const end = all.indexOf('\n');
    if (end >= 0) return all.toString('utf8', 0, end);
    const length = readOnce(fd, chunk);
    if (length === 0) return all.length > 0 ? all.toString('utf8') : undefined;
    all = Buffer.concat([all, chunk.subarray(0, length)]);
  }
}

/** A terminal that went away reads as closed. */
function readOnce(fd: number, chunk: Uint8Array): number {
  try {
    return readSync(fd, chunk, 0, chunk.length, null);
  } catch {
    return 0;
  }
}

/** The process group is not the terminal's. https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html; elsewhere: unknown, so no. */
function inBackground(): boolean {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return group !== foreground;
  } catch {
    return false;
  }
}
