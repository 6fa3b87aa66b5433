import { ONE_SLOT, type Workload } from '@telecine/contract/domain/lane.ts';
import { usedCores } from '@telecine/ffmpeg/estimate/machine-time.ts';

/** Returns how many cores a job uses if it has the machine for itself. A light job uses a part of one core. */
export function coresOf({ lane, weight }: Workload, cores: number): number {
  const share = Math.min(weight / ONE_SLOT, 1);
  return lane === 'light' ? share : share * usedCores(cores);
}

/**
 * Measures how many cores the jobs of this worker want, as an average over the time that one job runs: without this, a job
 * beside others would look like one on a slow machine.
 */
export function busyMeter(now: () => number = () => performance.now()) {
  let cores = 0;
  let total = 0;
  let changedAt = now();
  const sum = (): number => {
    const at = now();
    total += cores * (at - changedAt);
    changedAt = at;
    return total;
  };
  return {
    /** Sets how many cores all running jobs want from now on. */
    set: (wanted: number): void => {
      sum();
      cores = wanted;
    },
    /** Starts a measurement. Returns a function that returns the average since then. */
    start: (): (() => number) => {
      const [before, startedAt] = [sum(), now()];
      return () => {
        const ms = now() - startedAt;
        return ms > 0 ? (sum() - before) / ms : cores;
      };
    },
  };
}
