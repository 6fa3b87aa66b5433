import { readFileSync } from 'node:fs';
import { afterAll } from 'vitest';
import { lastingPrograms } from './lasting-programs.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** The processor time of a test file. */
    processorTime?: ProcessorTime;
  }
}

/** Processor time in seconds, of user and system. */
export interface ProcessorTime {
  /** Of the test process: its tests, and the modules that the file imports. */
  readonly own: number;
  /** Of the programs that it started and that have ended or run on after the file, with those that they started. */
  readonly programs: number;
}

/** Linux counts in hundredths of a second for all programs. */
const TICKS = 100;

const SECOND = 1_000_000;

function processorTime(): ProcessorTime {
  const { user, system } = process.cpuUsage();
  return { own: (user + system) / SECOND, programs: timeOfPrograms() };
}

/** 0: this is not Linux. */
function timeOfPrograms(): number {
  if (process.platform !== 'linux') return 0;
  let time = timesOf('self').ofEnded;
  for (const pid of lastingPrograms) {
    try {
      const { own, ofEnded } = timesOf(pid);
      time += own + ofEnded;
    } catch {
      // It has ended, and counts as such.
    }
  }
  return time;
}

/** The time of a process, and that of the programs that it started and that have ended. */
function timesOf(pid: number | 'self'): { readonly own: number; readonly ofEnded: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The fields after the name of the program, which may have spaces, are numbers.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const sum = (first: number): number => (Number(fields[first]) + Number(fields[first + 1])) / TICKS;
  return { own: sum(11), ofEnded: sum(13) };
}

const begin = processorTime();

// Registered before all other hooks, so it runs after them, when the services of the file have ended.
// biome-ignore lint/correctness/noEmptyPattern: Vitest reads from this pattern which fixtures a hook wants
afterAll(({}, file) => {
  const end = processorTime();
  file.meta.processorTime = { own: end.own - begin.own, programs: end.programs - begin.programs };
});
