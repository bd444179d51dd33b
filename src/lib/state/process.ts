// A process by its number and the moment it began: numbers are used again.
import { readFileSync } from 'node:fs';

interface ProcessId {
  readonly pid: number;
  /** When it began, in ticks of the machine's clock since the machine did; empty where the system does not say. */
  readonly born: string;
}

let own: ProcessId | undefined;

export function self(): ProcessId {
  own ??= { pid: process.pid, born: statOf(process.pid)?.born ?? '' };
  return own;
}

/** Whether the process that had this number and began then still runs. Where the system does not say when, the number alone counts. */
export function isThere(pid: number, born: string): boolean {
  const stat = statOf(pid);
  if (stat !== undefined) return !stat.ended && (born === '' || stat.born === born);
  return born === '' && answers(pid);
}

/**
 * Fields 3 and 22 of `/proc/PID/stat` (https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html), which stand behind the name in brackets.
 * Undefined where there is no such process, or no `/proc`.
 */
function statOf(pid: number): { readonly ended: boolean; readonly born: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { ended: fields[0] === 'Z' || fields[0] === 'X', born: fields[19] ?? '' };
  } catch {
    return undefined;
  }
}

function answers(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
