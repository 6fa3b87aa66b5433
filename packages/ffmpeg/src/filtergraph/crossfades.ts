/** A part of a joined video or audio: one input, or one piece of an input. */
export interface Part {
  /** The label of its stream in the graph. The stream starts at 0 s. */
  readonly label: string;
  /** The exact length in frames. For audio too, so that audio and video stay in step. */
  readonly frames: number;
  /** The crossfade with the part before, in frames. 0: none. */
  readonly crossfade: number;
}

/** Frames per second, as a ratio of whole numbers: 30000 / 1001. */
export interface FrameRate {
  readonly frames: number;
  readonly per: number;
}

/** The longest crossfade that ffmpeg supports. */
export const MAX_CROSSFADE_SECONDS = 60;

export function frameRateOf(rate: number): FrameRate {
  for (const per of [1, 1001]) {
    const frames = Math.round(rate * per);
    if (frames > 0 && Math.abs(rate * per - frames) < 1e-6) return { frames, per };
  }
  return { frames: Math.max(1, Math.round(rate * 1000)), per: 1000 };
}

/** Prints a frame rate as `25` or `30000/1001`. */
export const rateText = ({ frames, per }: FrameRate): string => (per === 1 ? `${frames}` : `${frames}/${per}`);

export const framesIn = (seconds: number, { frames, per }: FrameRate): number => Math.round((seconds * frames) / per);

export const secondsOfFrames = (count: number, { frames, per }: FrameRate): number =>
  Math.round((count * per * 1e6) / frames) / 1e6;

/** The number of audio samples that last as long as `count` frames. */
export const samplesOf = (count: number, { frames, per }: FrameRate, sampleRate: number): number =>
  Math.round((count * per * sampleRate) / frames);

/** The length of all parts together, in frames. The frames of a crossfade are in two parts, but count once. */
export const totalFrames = (parts: readonly Pick<Part, 'frames' | 'crossfade'>[]): number =>
  parts.reduce((sum, { frames, crossfade }) => sum + frames - crossfade, 0);

/** Limits each crossfade to half of the shorter of its parts, in frames, so that the two crossfades of one part do not overlap. */
export const limitCrossfades = (lengths: readonly number[], wanted: readonly number[]): readonly number[] =>
  lengths.map((frames, index) =>
    Math.min(wanted[index] ?? 0, Math.floor(Math.min(frames, lengths[index - 1] ?? 0) / 2)),
  );

/** Adds filter chains that join the video of all parts. Returns the label of the result. */
export function joinVideo(parts: readonly Part[], rate: FrameRate, chains: string[]): string {
  const runs = runsOf(parts);
  const labels = runs.map((run, n) => {
    const label = concatRun(run, `q${n}`, '', chains);
    if (runs.length === 1) return label;
    // `concat` outputs a timebase of microseconds, but all inputs of `xfade` must have the same timebase.
    chains.push(`[${label}]settb=AVTB,fps=${rateText(rate)}[g${n}]`);
    return `g${n}`;
  });
  let [joined = ''] = labels;
  let total = runs[0]?.frames ?? 0;
  for (const [n, { frames, crossfade }] of runs.entries()) {
    if (n === 0) continue;
    const times = `duration=${secondsOfFrames(crossfade, rate)}:offset=${secondsOfFrames(total - crossfade, rate)}`;
    chains.push(`[${joined}][${labels[n]}]xfade=${times}[x${n}]`);
    joined = `x${n}`;
    total += frames - crossfade;
  }
  return joined;
}

/** Adds filter chains that join the audio of all parts. Returns the label of the result. */
export function joinAudio(parts: readonly Part[], rate: FrameRate, sampleRate: number, chains: string[]): string {
  const runs = runsOf(parts);
  let joined = '';
  for (const [n, run] of runs.entries()) {
    const label = concatRun(run, `r${n}`, ':v=0:a=1', chains);
    if (n === 0) {
      joined = label;
      continue;
    }
    chains.push(`[${joined}][${label}]acrossfade=nb_samples=${samplesOf(run.crossfade, rate, sampleRate)}[y${n}]`);
    joined = `y${n}`;
  }
  return joined;
}

/** Parts in a row without a crossfade between them. */
interface Run {
  readonly labels: readonly string[];
  readonly frames: number;
  readonly crossfade: number;
}

function runsOf(parts: readonly Part[]): readonly Run[] {
  const runs: { labels: string[]; frames: number; crossfade: number }[] = [];
  for (const { label, frames, crossfade } of parts) {
    const run = runs.at(-1);
    if (run === undefined || crossfade > 0) runs.push({ labels: [label], frames, crossfade });
    else {
      run.labels.push(label);
      run.frames += frames;
    }
  }
  return runs;
}

function concatRun({ labels }: Run, output: string, kinds: string, chains: string[]): string {
  const [first = ''] = labels;
  if (labels.length === 1) return first;
  chains.push(`${labels.map((label) => `[${label}]`).join('')}concat=n=${labels.length}${kinds}[${output}]`);
  return output;
}
