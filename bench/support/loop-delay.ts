import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const PRELOAD = resolve(import.meta.dirname, 'loop-delay-preload.mjs');
const PATIENCE_MS = 5000;

/** Reads how long the event loop of a service is blocked. */
export interface LoopDelay {
  /** The options of node and the variables with which the service must be started. */
  readonly nodeArgs: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Starts the measurement, which takes processor time of the service. */
  start(pid: number): void;
  /** Ends the measurement. Returns the 99th percentile of the delay since `start`, in milliseconds. */
  p99(pid: number): Promise<number>;
}

/**
 * The preloaded module starts or ends a measurement when the service receives SIGUSR2. At the end, it writes its figures to a file in
 * `folder`.
 */
export function loopDelay(folder: string): LoopDelay {
  const file = join(folder, 'loop-delay.json');
  let count = 0;
  const read = (): { readonly count: number; readonly p99: number } | undefined => {
    try {
      return JSON.parse(readFileSync(file, 'utf8')) as { count: number; p99: number };
    } catch {
      return undefined;
    }
  };
  return {
    nodeArgs: ['--import', PRELOAD],
    env: { BENCH_LOOP_DELAY_FILE: file },
    start: (pid) => void process.kill(pid, 'SIGUSR2'),
    async p99(pid) {
      process.kill(pid, 'SIGUSR2');
      for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await sleep(5)) {
        const figures = read();
        if (figures === undefined || figures.count === count) continue;
        count = figures.count;
        return figures.p99;
      }
      throw new Error('The service did not write its event loop delay.');
    },
  };
}
