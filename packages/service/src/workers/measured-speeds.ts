import type { MeasuredSpeed, WorkKind } from '@telecine/contract/domain/work-kinds.ts';
import { modelSeconds, slowdown, startSeconds, type Work } from '@telecine/ffmpeg/estimate/machine-time.ts';

/** A conversion that this worker ran alone, from the start of ffmpeg to its end. */
export interface MeasuredConversion {
  readonly work: Work;
  readonly seconds: number;
  /** How many cores the other jobs of the worker used meanwhile, on average. */
  readonly busyCores: number;
}

/** How much a new job counts at least, so that a worker forgets how fast it was long ago. */
const MIN_SHARE = 1 / 20;

/**
 * Work that takes less by the model is mostly the start of processes, and shows no speed. The model decides and not the real
 * time, because otherwise only those short jobs would count that happened to be slow.
 */
const MIN_MODEL_SECONDS = 1;

/** Ratios beyond this factor count as this factor: a disk that hangs once must not spoil the speed for long. */
const MAX_RATIO = 50;

/** Measures how fast this worker is, by kind of work. There are few kinds, so that the speeds stay small. */
export function measuredSpeeds(cores: number) {
  const speeds = new Map<WorkKind, MeasuredSpeed>();
  return {
    /** Takes over speeds of an earlier process, unless this one has measured the kind. */
    restore: (earlier: readonly MeasuredSpeed[]): void => {
      for (const speed of earlier) if (!speeds.has(speed.kind)) speeds.set(speed.kind, speed);
    },
    add: ({ work, seconds, busyCores }: MeasuredConversion): void => {
      const expected = modelSeconds(work, cores);
      if (expected < MIN_MODEL_SECONDS) return;
      // An estimate adds the starts again. On a slow machine they take longer, but not more than half of so long a run.
      const converting = Math.max(seconds / 2, seconds - startSeconds(work));
      const ratio = converting / (expected * slowdown(work, busyCores, cores));
      if (!(ratio > 0)) return;
      speeds.set(work.kind, withRatio(speeds.get(work.kind), work.kind, ratio));
    },
    /** Returns the measured speeds, by kind. Empty: no job has shown a speed. */
    list: (): readonly MeasuredSpeed[] => [...speeds.values()].toSorted((a, b) => (a.kind < b.kind ? -1 : 1)),
  };
}

/** Adds a ratio to a speed: the mean and the variance of logarithms, in which the last twenty jobs count most. Pure. */
export function withRatio(before: MeasuredSpeed | undefined, kind: WorkKind, ratio: number): MeasuredSpeed {
  const value = Math.log(Math.min(MAX_RATIO, Math.max(1 / MAX_RATIO, ratio)));
  if (before === undefined) return { kind, jobs: 1, ratio: rounded(Math.exp(value)), spread: 0 };
  const jobs = before.jobs + 1;
  const share = Math.max(1 / jobs, MIN_SHARE);
  const mean = Math.log(before.ratio);
  const distance = value - mean;
  // The stored spread is a sample deviation, so it has n - 1 degrees of freedom.
  const population = (before.spread ** 2 * Math.max(0, before.jobs - 1)) / before.jobs;
  const variance = ((1 - share) * (population + share * distance ** 2) * jobs) / (jobs - 1);
  return { kind, jobs, ratio: rounded(Math.exp(mean + share * distance)), spread: rounded(Math.sqrt(variance)) };
}

const rounded = (value: number): number => Number(value.toPrecision(6));
