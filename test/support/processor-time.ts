import { readFileSync } from 'node:fs';
import { afterAll } from 'vitest';

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
  /** Of the programs that it started and that have ended, with those that they started. */
  readonly programs: number;
}

/** Linux counts in hundredths of a second for all programs. */
const TICKS = 100;

const SECOND = 1_000_000;

function processorTime(): ProcessorTime {
  const { user, system } = process.cpuUsage();
  return { own: (user + system) / SECOND, programs: timeOfPrograms() };
}

/** The fields after the name of the program, which may have spaces, are numbers. 0: this is not Linux. */
function timeOfPrograms(): number {
  if (process.platform !== 'linux') return 0;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user = 0, system = 0] = fields.slice(13, 15).map(Number);
  return (user + system) / TICKS;
}

const begin = processorTime();

// Registered before all other hooks, so it runs after them, when the services of the file have ended.
// biome-ignore lint/correctness/noEmptyPattern: Vitest reads from this pattern which fixtures a hook wants
afterAll(({}, file) => {
  const end = processorTime();
  file.meta.processorTime = { own: end.own - begin.own, programs: end.programs - begin.programs };
});
