import type { Failure } from '@telecine/contract/domain/failure.ts';
import type { Plan } from '@telecine/contract/domain/plan.ts';
import { METRIC_NAMES, type OutputQuality } from '@telecine/contract/domain/quality.ts';
import type {
  ChosenBySamples,
  PlannedQuality,
  PlannedSamples,
  SizedPoint,
} from '@telecine/contract/domain/sampling.ts';
import type { ConversionRun, PreparedRun, RunFailed } from '../../run/conversion-run.ts';
import { prepareRun } from '../../run/prepare-run.ts';
import { ProgressTracker } from '../../run/progress.ts';
import type { Failed } from '../../run/run-pass.ts';
import type { RunState } from '../../run/run-state.ts';
import type { Chooser } from '../choosers/curve.ts';
import { frameSizeChooser } from '../choosers/frame-size.ts';
import { ladderChooser } from '../choosers/ladder.ts';
import { qualityChooser } from '../choosers/quality.ts';
import { type SampledSource, sumOf } from '../choosers/samples.ts';
import { kilobits, sizeName } from '../choosers/sizes.ts';
import { runStep, stopped } from './run-step.ts';
import { readSource } from './source.ts';
import { type SampleTask, type TriedSample, type TryEach, tryHere, trySample, trySamples } from './try-samples.ts';

const samplesOf = ({ quality, ladder, frameSize }: Plan): PlannedSamples | undefined =>
  (quality ?? ladder ?? frameSize)?.samples;

/**
 * Finds what a plan leaves to samples: a value for its quality target, the rungs of its ladder, or a frame size.
 *
 * @param tryEach Tries the samples. Default: here, one after the other.
 */
export async function search(c: PreparedRun, state: RunState, tryEach?: TryEach): Promise<ChosenBySamples | Failed> {
  const planned = samplesOf(c.plan);
  if (planned === undefined) return {};
  const source = await readSource(c, planned, state);
  if ('ok' in source) return source;
  const chooser = await chooserOf(c, source, state);
  if (chooser === undefined || 'ok' in chooser) return chooser ?? {};
  if (tryEach !== undefined) {
    // Each sample has a run with limits of its own. The wait for other workers and for the database does not count.
    state.stall.stop();
    state.time.stop();
  }
  const tries = await trySamples(c, chooser, source, state, tryEach ?? tryHere(c, planned, state));
  const end = stopped(state);
  if (end !== undefined) return end;
  const hasFailed = 'ok' in tries;
  if (hasFailed && chooser.withoutTries === undefined) return tries;
  const chosen = hasFailed ? { ...chooser.withoutTries } : chooser.choose(tries);
  noteChosen(chosen, state);
  return chosen;
}

async function chooserOf(
  c: PreparedRun,
  source: SampledSource,
  state: RunState,
): Promise<Chooser | Failed | undefined> {
  const { quality, ladder, frameSize } = c.plan;
  if (ladder !== undefined) {
    const chooser = ladderChooser(ladder, source);
    return 'code' in chooser ? { ok: false, failure: chooser, raw: '' } : chooser;
  }
  if (quality === undefined) return frameSize && frameSizeChooser(frameSize, source);
  const limit = await highestBits(c, quality, source, state);
  return typeof limit === 'object' ? limit : qualityChooser(quality, source, limit);
}

/** Encodes aim at this share of `maxSize` and `maxBitrate`: samples only estimate the full video, and the container needs some bytes. */
const AIM = 0.95;

/** The bits per second of audio that cannot be encoded alone. */
const ASSUMED_AUDIO = 128_000;

/** The bits per second that `maxBitrate` and `maxSize` leave for the video. undefined: there is no limit. */
async function highestBits(
  c: PreparedRun,
  { maxBitrate = Number.POSITIVE_INFINITY, maxSize }: PlannedQuality,
  { seconds, isKnown, audioStreams }: SampledSource,
  state: RunState,
): Promise<number | Failed> {
  if (maxSize === undefined) return maxBitrate * AIM;
  if (!isKnown) return { ok: false, failure: UNKNOWN_LENGTH, raw: '' };
  // No table knows the bit rate of every encoder, so the audio is encoded alone, into nothing.
  const pass = c.plan.passes.at(-1) ?? [];
  const alone = ['-vn', '-sn', '-dn', '-t', seconds.toFixed(6), '-y', 'file:/dev/null'];
  const step = await runStep(c, [...pass.slice(0, -1), ...alone], state);
  const end = stopped(state);
  if (end !== undefined) return end;
  // Without audio, ffmpeg has nothing to write, and fails.
  const hasAudio = c.plan.outputs.some(({ encoders }) => encoders.audio !== undefined) && sumOf(audioStreams) > 0;
  const assumed = hasAudio ? Math.min((ASSUMED_AUDIO * seconds) / 8, maxSize / 2) : 0;
  const audio = (step.ok ? step.pass.runComplaints.found.written?.audio : undefined) ?? assumed;
  const bytes = maxSize * AIM - audio;
  if (bytes <= 0) return { ok: false, failure: tooSmall(audio), raw: '' };
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

interface FoundBySamples {
  readonly ok: true;
  readonly chosen: ChosenBySamples;
  /** The log, with what was tried. */
  readonly log: string;
}

/** Finds what all chunks of a conversion have in common. Its passes do not run. `tryEach`: see `search`. */
export const findBySamples = (run: ConversionRun, tryEach?: TryEach): Promise<FoundBySamples | RunFailed> =>
  prepareRun<FoundBySamples>(run, async (c, parts) => {
    const chosen = await search(c, { ...parts, tracker: new ProgressTracker(1) }, tryEach);
    const log = parts.log.text();
    return 'ok' in chosen ? { ...chosen, log } : { ok: true, chosen, log };
  });

interface SampleTried {
  readonly ok: true;
  readonly tried: TriedSample;
}

/** Tries one sample for a search that another run does. */
export const tryOneSample = (run: ConversionRun, task: SampleTask): Promise<SampleTried | RunFailed> =>
  prepareRun<SampleTried>(run, async (c, parts) => {
    const planned = samplesOf(c.plan);
    if (planned === undefined) throw new TypeError('The plan has no samples.');
    const tried = await trySample(c, planned, task, { ...parts, tracker: new ProgressTracker(1) });
    return 'ok' in tried ? { ...tried, log: parts.log.text() } : { ok: true, tried };
  });
