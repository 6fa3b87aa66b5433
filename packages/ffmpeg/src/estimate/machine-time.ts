/** The work of a conversion, without the machine that does it. */
export interface Work {
  /** Conversions of one kind take about as long for each of `seconds`. */
  readonly kind: string;
  /** The processor seconds of a core of about 2.5 GHz, as far as nothing is measured. */
  readonly seconds: number;
  /** Whether more cores shorten it. Encoders of audio have one thread. */
  readonly isVideo: boolean;
  /** Why the time is unknown until jobs of the same kind were measured, as a sentence. */
  readonly unknown?: string;
}

/** More cores hardly make an encoder faster, and some of its threads wait for others. */
const MAX_CORES = 12;
const USED_CORES = 0.85;

/** How many of these cores a conversion uses if it has the machine for itself. */
export const usedCores = (cores: number, isVideo = true): number =>
  isVideo ? Math.max(1, Math.min(cores, MAX_CORES) * USED_CORES) : 1;

/** How long work takes on a machine whose other jobs use `busyCores`, without the starts of ffmpeg. */
export const secondsOn = ({ seconds, isVideo }: Work, cores: number, busyCores: number): number => {
  const used = usedCores(cores, isVideo);
  return (seconds / used) * Math.max(1, (used + busyCores) / Math.max(1, cores));
};

/** The seconds that the sandbox and ffmpeg take to start and to end. */
export const START_SECONDS = 0.1;

/** What a job has shown of a kind: what it took, divided by what was expected. See `Measured`. */
export interface Observation {
  readonly kind: string;
  readonly processors: number;
  readonly ratio: number;
}

/**
 * What a run has shown of its kind of work on a machine. The other jobs of the machine used `busyCores`.
 */
export function observedSpeed(work: Work, seconds: number, processors: number, busyCores: number): Observation {
  // An estimate adds the start again.
  const converting = Math.max(seconds / 2, seconds - START_SECONDS);
  return { kind: work.kind, processors, ratio: converting / secondsOn(work, processors, busyCores) };
}
