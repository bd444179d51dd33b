// The person's terminal, for programs whose standard streams are pipes.
import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';

/** A terminal that a person can be asked on. */
export interface Terminal {
  write(text: string): void;
  /** One line without its end; undefined when the person closed it (Ctrl-D). Waits. */
  readLine(): string | undefined;
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
  let rest = Buffer.alloc(0);
  return {
    write: (text) => {
      const bytes = Buffer.from(text);
      for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
    },
    readLine: () => {
      const { line, after } = takeLine(fd, rest);
      rest = after;
      return line;
    },
    close: () => closeSync(fd),
  };
}

function takeLine(fd: number, before: Buffer<ArrayBuffer>): { line: string | undefined; after: Buffer<ArrayBuffer> } {
  let all = before;
  const chunk = Buffer.alloc(4096);
  for (;;) {
    const end = all.indexOf('\n');
    if (end >= 0) return { line: all.toString('utf8', 0, end), after: Buffer.from(all.subarray(end + 1)) };
    const length = readOnce(fd, chunk);
    if (length === 0) return { line: all.length > 0 ? all.toString('utf8') : undefined, after: Buffer.alloc(0) };
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
