import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The clock ticks per second, in which Linux counts processor time. */
const TICKS = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** The seconds of processor time that all threads of a process have used so far (Linux). */
export const cpuSeconds = (pid: number): number => secondsIn(`/proc/${pid}/stat`);

/** The seconds of processor time that the main thread of a process has used so far. It runs the event loop. */
export const mainThreadSeconds = (pid: number): number => secondsIn(`/proc/${pid}/task/${pid}/stat`);

function secondsIn(file: string): number {
  const stat = readFileSync(file, 'utf8');
  // The program name is in parentheses and may contain spaces; utime and stime are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** Resident memory of a process in MB of 10⁶ bytes (Linux). */
export function residentMegabytes(pid: number): number {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return (Number(kibibytes) * 1024) / 1e6;
}
