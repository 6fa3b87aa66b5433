import { type Failure, JobFailed } from '@telecine/contract/domain/failure.ts';
import { METRIC_NAMES, type OutputQuality } from '@telecine/contract/domain/quality.ts';
import type { ChosenBySamples, PlannedQuality, PlannedSearch, SizedPoint } from '@telecine/contract/domain/sampling.ts';
import type { ConversionRun, PreparedRun } from '../../run/conversion-run.ts';
import { prepareRun } from '../../run/prepare-run.ts';
import { ProgressTracker } from '../../run/progress.ts';
import type { RunState } from '../../run/run-state.ts';
import type { Chooser } from '../choosers/curve.ts';
import { frameSizeChooser } from '../choosers/frame-size.ts';
import { ladderChooser } from '../choosers/ladder.ts';
import { qualityChooser } from '../choosers/quality.ts';
import { type SampledSource, sumOf } from '../choosers/samples.ts';
import { kilobits, sizeName } from '../choosers/sizes.ts';
import { type Ended, orFailed, runStep, throwIfStopped } from './run-step.ts';
import { readSource } from './source.ts';
import { type SampleTask, type TriedSample, type TryEach, tryHere, trySample, trySamples } from './try-samples.ts';

/** Finds what a plan leaves to samples: a value for its quality target, the rungs of its ladder, or a frame size. */
export const search = (c: PreparedRun, state: RunState): Promise<Ended<ChosenBySamples>> =>
  orFailed(chooseBySamples(c, state));

async function chooseBySamples(c: PreparedRun, state: RunState, tryEach?: TryEach): Promise<ChosenBySamples> {
  const { search: planned } = c.plan;
  if (planned === undefined) return {};
  const source = await readSource(c, planned.samples, state);
  const chooser = await chooserOf(c, planned, source, state);
  if (tryEach !== undefined) {
    // Each sample has a run with limits of its own. The wait for other workers and for the database does not count.
    state.stall.stop();
    state.time.stop();
  }
  const tries = await orFailed(trySamples(c, chooser, source, state, tryEach ?? tryHere(c, planned.samples, state)));
  throwIfStopped(state);
  if (!tries.ok && chooser.withoutTries === undefined) throw new JobFailed(tries.failure, tries.raw);
  const chosen = tries.ok ? chooser.choose(tries.value) : { ...chooser.withoutTries };
  noteChosen(chosen, state);
  return chosen;
}

async function chooserOf(
  c: PreparedRun,
  planned: PlannedSearch,
  source: SampledSource,
  state: RunState,
): Promise<Chooser> {
  if (planned.choose === 'frameSize') return frameSizeChooser(planned, source);
  if (planned.choose === 'ladder') return ladderChooser(planned, source);
  return qualityChooser(planned, source, await highestBits(c, planned, source, state));
}

/** Encodes aim at this share of `maxSize` and `maxBitrate`: samples only estimate the full video, and the container needs some bytes. */
const AIM = 0.95;

/** The bits per second of audio that cannot be encoded alone. */
const ASSUMED_AUDIO = 128_000;

/** The bits per second that `maxBitrate` and `maxSize` leave for the video. Throws `JobFailed`. */
async function highestBits(
  c: PreparedRun,
  { maxBitrate = Number.POSITIVE_INFINITY, maxSize }: PlannedQuality,
  { seconds, isKnown, audioStreams }: SampledSource,
  state: RunState,
): Promise<number> {
  if (maxSize === undefined) return maxBitrate * AIM;
  if (!isKnown) throw new JobFailed(UNKNOWN_LENGTH);
  // No table knows the bit rate of every encoder, so the audio is encoded alone, into nothing.
  const pass = c.plan.passes.at(-1) ?? [];
  const alone = ['-vn', '-sn', '-dn', '-t', seconds.toFixed(6), '-y', 'file:/dev/null'];
  const step = await orFailed(runStep(c, [...pass.slice(0, -1), ...alone], state));
  throwIfStopped(state);
  // Without audio, ffmpeg has nothing to write, and fails.
  const hasAudio = c.plan.outputs.some(({ encoders }) => encoders.audio !== undefined) && sumOf(audioStreams) > 0;
  const assumed = hasAudio ? Math.min((ASSUMED_AUDIO * seconds) / 8, maxSize / 2) : 0;
  const audio = (step.ok ? step.value.runComplaints.found.written?.audio : undefined) ?? assumed;
  const bytes = maxSize * AIM - audio;
  if (bytes <= 0) throw new JobFailed(tooSmall(audio));
  return Math.max(1, Math.min((bytes * 8) / seconds, maxBitrate * AIM));
}

const UNKNOWN_LENGTH: Failure = {
  code: 'INPUT_INVALID',
  message: 'The length of the input is not known, so "maxSize" cannot be turned into a bit rate.',
  fix: 'Send "t", the length of the output in seconds, or leave "maxSize" out.',
};

const tooSmall = (audioBytes: number): Failure => ({
  code: 'INPUT_INVALID',
  message: `"maxSize" leaves nothing for the video: the audio alone needs about ${Math.ceil(audioBytes)} bytes.`,
  fix: 'Send a higher "maxSize", or a lower bit rate for the audio, such as "b:a": "64k".',
});

/** Adds what samples let choose to the log of the job. */
export function noteChosen({ frameSize, quality, ladder }: ChosenBySamples, { log }: Pick<RunState, 'log'>): void {
  if (frameSize !== undefined) log.note(`Frame size: ${sizeName(frameSize)}. ${frameSize.reason}`);
  const found = quality ?? ladder;
  if (found === undefined) return;
  const note = (what: string, { value, score, bitsPerSecond, ...size }: TriedPoint): void =>
    log.note(
      `${what}: ${'width' in size ? `${sizeName(size)} with ` : ''}${found.option} ${value} has ${METRIC_NAMES[found.metric]} ${score} at ${kilobits(bitsPerSecond)} kb/s`,
    );
  for (const point of found.tried) note(`${ladder === undefined ? 'Quality' : 'Ladder'}, samples`, point);
  const { rungs } = ladder ?? { rungs: [] };
  for (const [index, rung] of rungs.entries()) note(`Ladder, rung ${index + 1} of ${rungs.length}`, rung);
}

type TriedPoint = OutputQuality['tried'][number] | SizedPoint;

/** Runs one part of a search as a run of its own. Resolves to its result and its log. */
const runAlone = <T>(run: ConversionRun, part: (c: PreparedRun, state: RunState) => Promise<T>) =>
  prepareRun<{ readonly ok: true; readonly value: T; readonly log: string }>(run, async (c, parts) => ({
    ...(await orFailed(part(c, { ...parts, tracker: new ProgressTracker(1) }))),
    log: parts.log.text(),
  }));

/**
 * Finds the values that all chunks of a conversion share. Does not run the passes of the plan.
 *
 * @param tryEach Tries the samples. Default: here, one after the other.
 */
export const findBySamples = (run: ConversionRun, tryEach?: TryEach) =>
  runAlone(run, (c, state) => chooseBySamples(c, state, tryEach));

/** Tries one sample for a search that another run does. */
export const tryOneSample = (run: ConversionRun, task: SampleTask) =>
  runAlone(run, async (c, state): Promise<TriedSample> => {
    if (c.plan.search === undefined) throw new TypeError('The plan has no samples.');
    return trySample(c, c.plan.search.samples, task, state);
  });
