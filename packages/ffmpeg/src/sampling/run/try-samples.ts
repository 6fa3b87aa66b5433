import { lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Failure, JobFailed } from '@telecine/contract/domain/failure.ts';
import type { FrameSize, PlannedSamples } from '@telecine/contract/domain/sampling.ts';
import type { PreparedRun } from '../../run/conversion-run.ts';
import type { RunState } from '../../run/run-state.ts';
import type { Candidate, Chooser, Try } from '../choosers/curve.ts';
import type { Sample, SampledSource } from '../choosers/samples.ts';
import { sizeName } from '../choosers/sizes.ts';
import { fillArgv } from '../fill-argv.ts';
import { compareVideos, fpsOf } from './compare.ts';
import { runStep } from './run-step.ts';

/** A sample, and the values that one run of ffmpeg encodes it with. Its fields are JSON: another machine may try it. */
export interface SampleTask {
  readonly sample: Sample;
  readonly candidates: readonly Candidate[];
  /** The size of the frames of the source that the encoder gets. */
  readonly size: FrameSize;
}

/** What a sample showed with each candidate. Empty: filters drop all of its frames. */
export type TriedSample = readonly Omit<Try, 'sample'>[];

/** Tries samples, and returns what each showed. `onDone` is called with the number of those that were tried. Throws `JobFailed`. */
export type TryEach = (
  tasks: readonly SampleTask[],
  onDone: (count: number) => void,
) => Promise<readonly TriedSample[]>;

/** Tries samples as long as a chooser wants more, and returns what they show. Throws `JobFailed`. */
export async function trySamples(
  c: PreparedRun,
  { member, samples: wanted, usualRuns, next }: Chooser,
  { size }: Pick<SampledSource, 'size'>,
  state: RunState,
  tryEach: TryEach,
): Promise<readonly Try[]> {
  let samples = wanted;
  const tries: Try[] = [];
  let [rounds, before] = [0, 0];
  let total = Math.round(usualRuns * samples.length);
  const report = (done: number): void => {
    const progress = state.tracker.update(0, { outSeconds: done, ended: false }, total);
    c.onProgress({ ...progress, samples: { choose: member, done, total } }, state.log.text());
  };
  for (let round = next(samples, tries, rounds); round !== undefined; round = next(samples, tries, rounds)) {
    const { groups } = round;
    const tasks = round.samples.flatMap((sample) => groups.map((candidates) => ({ sample, candidates, size })));
    total = Math.max(total, before + tasks.length);
    report(before);
    const found = await tryEach(tasks, (count) => report(before + count));
    for (const [at, { sample }] of tasks.entries()) {
      const tried = found[at] ?? [];
      tries.push(...tried.map((one) => ({ ...one, sample })));
      // Filters may drop all frames of a part.
      if (tried.length === 0) samples = samples.filter((one) => one !== sample);
    }
    before += tasks.length;
    rounds += 1;
    if (samples.length === 0) throw new JobFailed(NO_FRAMES);
  }
  return tries;
}

/** Tries samples one after the other on this machine. */
export const tryHere =
  (c: PreparedRun, planned: PlannedSamples, state: RunState): TryEach =>
  async (tasks, onDone) => {
    const tried: TriedSample[] = [];
    for (const task of tasks) onDone(tried.push(await trySample(c, planned, task, state)));
    return tried;
  };

const NO_FRAMES: Failure = {
  code: 'UNSUPPORTED',
  message: 'The samples of the video have no frames: a filter drops most of it.',
  fix: 'Send "ss" and "t" instead of the filter, or a fixed "crf".',
};

/** Encodes a sample with all candidates at once, and compares all with their source. Throws `JobFailed`. */
export async function trySample(
  c: PreparedRun,
  { encode, scale, compare, metric }: PlannedSamples,
  { sample, candidates, size }: SampleTask,
  state: RunState,
): Promise<TriedSample> {
  const times = { start: sample.start.toFixed(6), seconds: sample.seconds.toFixed(6) };
  const files = candidates.map((_, number) => `pass/sample-${number}.nut`);
  const each = candidates.flatMap(({ value, size: scaled }, number) => [
    ...[...encode.each, `-${scale.option}:v`, String(value)],
    ...(scaled === undefined ? [] : ['-s:v', sizeName(scaled)]),
    ...['-f', 'nut', '-y', `file:${files[number]}`],
  ]);
  // ffmpeg reports each encoded sample as an output.
  const several = { ...c, plan: { ...c.plan, outputs: candidates.flatMap(() => c.plan.outputs.slice(0, 1)) } };
  const paths = files.map((file) => join(c.dir, file));
  try {
    const pass = await runStep(several, [...fillArgv(encode.start, times), ...each], state);
    const encoded = pass.lastBlock?.frame ?? 0;
    if (encoded === 0) return [];
    const isSized = candidates.some((one) => one.size !== undefined);
    const frames = Math.max(1, Math.round(encoded * (1 - (sample.tail ?? 0) / sample.seconds)));
    const comparison = { ...compare, start: fillArgv(compare.start, times) };
    const videos = { files, frames, pass, ...(isSized && { size }) };
    const scores = await compareVideos(c, comparison, metric, videos, state);
    const written = await Promise.all(paths.map((path) => lstat(path)));
    const seconds = isSized ? encoded / fpsOf(pass) : sample.seconds;
    return candidates.map((one, at) => ({ ...one, bytes: written[at]?.size ?? 0, seconds, score: scores[at] ?? 0 }));
  } finally {
    await Promise.all(paths.map((path) => rm(path, { force: true })));
  }
}
