import { lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Failure } from '@telecine/contract/domain/failure.ts';
import type { SampleProgress } from '@telecine/contract/domain/job.ts';
import {
  type FrameSize,
  PACKETS_FILE,
  type PlannedFrameSize,
  type PlannedSamples,
  sampleFile,
  scoresFile,
} from '@telecine/contract/domain/sampling.ts';
import type { PreparedRun } from '../../run/conversion-run.ts';
import { explainEmptyOutput } from '../../run/explain-failure.ts';
import type { Pass } from '../../run/pass.ts';
import type { Failed } from '../../run/run-pass.ts';
import type { RunState } from '../../run/run-state.ts';
import { CONVERSION_CANCELLED } from '../../run/stop.ts';
import type { Candidate, Try } from '../choosers/curve.ts';
import { partsOf, type Sample, type SourcePart } from '../choosers/samples.ts';
import { compareArgv, encodeArgv, type Pairing, timesOf } from '../fill-argv.ts';
import { bitsPerPixel, readPackets } from './packet-list.ts';
import { runStep, stopped } from './run-step.ts';
import { readMeanScore } from './scores.ts';

/** The part of the input that becomes the output. */
export interface SampledSource {
  readonly start: number;
  readonly seconds: number;
  /** false: `seconds` is only assumed. */
  readonly isKnown: boolean;
  readonly parts: readonly SourcePart[];
  /** The bytes of its audio. undefined: its packets could not be listed. */
  readonly audioBytes: number | undefined;
  /** The bits that H.264 would need for each of its pixels. undefined: unknown. */
  readonly bitsPerPixel: number | undefined;
}

/** The assumed length in seconds of an input without a list of packets, such as a source that never ends. */
const UNKNOWN_SECONDS = 10;

/** Lists the packets of the input. If ffmpeg cannot list them, samples are chosen by time alone, and the first fails as the conversion would. */
export async function readSource(
  c: PreparedRun,
  { packets: argv, range }: Pick<PlannedSamples, 'packets' | 'range'>,
  state: RunState,
): Promise<SampledSource | Failed> {
  const listing = argv && (await runStep(c, argv, state));
  const end = stopped(state);
  if (end !== undefined) return end;
  const file = join(c.dir, PACKETS_FILE);
  const packets = listing?.ok === true ? await readScratch(c, () => readPackets(file, c.signal)) : undefined;
  if (packets !== undefined && 'ok' in packets) return packets;
  await rm(file, { force: true });
  const available = (packets?.endSeconds ?? 0) - range.start;
  const lengths = [range.seconds, available > 0 ? available : undefined].filter((one) => one !== undefined);
  const source = { start: range.start, seconds: lengths.length > 0 ? Math.min(...lengths) : UNKNOWN_SECONDS };
  const stream = listing?.ok === true ? videoOf(listing.pass) : undefined;
  return {
    ...{ ...source, isKnown: lengths.length > 0, audioBytes: packets?.audioBytes },
    bitsPerPixel: packets && bitsPerPixel(packets.video, stream),
    parts: partsOf(packets?.video ?? [], source),
  };
}

/** Reads a file that ffmpeg wrote. Fails if the run was aborted meanwhile. */
async function readScratch<T>({ signal }: PreparedRun, read: () => Promise<T>): Promise<T | Failed> {
  try {
    return await read();
  } catch (error) {
    if (!signal.aborted) throw error;
    return { ok: false, failure: CONVERSION_CANCELLED, raw: '' };
  }
}

/** Finds the size of what the encoder gets, by its first frame. */
export async function inspectFrame(
  c: PreparedRun,
  { inspect }: Pick<PlannedFrameSize, 'inspect'>,
  state: RunState,
): Promise<{ readonly ok: true; readonly pass: Pass; readonly size: FrameSize } | Failed> {
  const step = await runStep(c, inspect, state);
  if (!step.ok) return step;
  const { pass } = step;
  const { width, height } = videoOf(pass) ?? {};
  if (width === undefined || height === undefined || pass.lastBlock?.frame === 0) return noFrames(c, pass, state);
  return { ok: true, pass, size: { width, height } };
}

const videoOf = ({ firstOutput }: Pass) => firstOutput.report.streams?.find(({ type }) => type === 'video');

/** The failure of a video without a frame. */
async function noFrames(c: PreparedRun, pass: Pass, { stopper }: RunState): Promise<Failed> {
  return { ok: false, failure: await explainEmptyOutput(c, pass.firstOutput, stopper), raw: pass.lastLines };
}

const DEFAULT_FPS = 25;

/** How the frames of encoded videos are paired with those of their source. `count`: ffmpeg counts the dropped frames of all together. */
export function pairingOf(pass: Pass, count = 1): Pairing {
  const { frame = 0, droppedFrames = 0, repeatedFrames = 0 } = pass.lastBlock ?? {};
  return {
    fps: videoOf(pass)?.fps ?? DEFAULT_FPS,
    sourceFrames: frame + Math.ceil(droppedFrames / count),
    hasAllFrames: droppedFrames + repeatedFrames === 0,
    hasRepeatedFrames: repeatedFrames > 0,
  };
}

/** What a search says about itself while it runs. */
export interface SearchProgress {
  readonly choose: SampleProgress['choose'];
  /** How many samples it usually encodes, each time with all values. */
  readonly expected: number;
}

/** Encodes samples of a video with values, and keeps what they show. */
export class SampleRuns {
  readonly #c: PreparedRun;
  readonly #planned: PlannedSamples;
  readonly #state: RunState;
  readonly #progress: SearchProgress;
  /** The size of the source, if the samples have sizes of their own. */
  readonly #size: FrameSize | undefined;
  #done = 0;
  #expected: number;
  /** Samples without a frame are removed, because the filters drop this part of the video. Empty: they drop all. */
  samples: readonly Sample[];
  tries: readonly Try[] = [];
  rounds = 0;

  constructor(
    c: PreparedRun,
    planned: PlannedSamples,
    { samples, size }: { readonly samples: readonly Sample[]; readonly size?: FrameSize },
    state: RunState,
    progress: SearchProgress,
  ) {
    this.#c = c;
    this.#planned = planned;
    this.#state = state;
    this.#progress = progress;
    this.#size = size;
    this.#expected = progress.expected;
    this.samples = samples;
  }

  /**
   * Encodes samples with each of the candidates.
   *
   * @param whole The sample that has all frames of the output, which stands in for the others if all of them are dropped. Absent: none does.
   */
  async run(
    candidates: readonly Candidate[],
    wanted: readonly Sample[] = this.samples,
    whole?: Sample,
  ): Promise<Failed | undefined> {
    this.rounds += 1;
    this.#report(wanted.length);
    for (const [at, sample] of wanted.entries()) {
      const end = await this.#try(sample, candidates);
      if ('ok' in end) return end;
      this.tries = [...this.tries, ...end.tries];
      this.#done += 1;
      this.#report(wanted.length - at - 1);
      if (end.tries.length > 0) continue;
      if (sample === whole) return noFrames(this.#c, end.pass, this.#state);
      this.samples = this.samples.filter((one) => one !== sample);
    }
    if (this.samples.length > 0 || whole === undefined) return undefined;
    this.samples = [whole];
    return this.run(candidates, this.samples, whole);
  }

  /** Encodes a sample with all candidates at once, and compares all with their source. */
  async #try(
    sample: Sample,
    candidates: readonly Candidate[],
  ): Promise<{ readonly tries: readonly Try[]; readonly pass: Pass } | Failed> {
    const [c, planned, state] = [this.#c, this.#planned, this.#state];
    const count = candidates.length;
    // ffmpeg reports each encoded sample as an output.
    const several = { ...c, plan: { ...c.plan, outputs: candidates.flatMap(() => c.plan.outputs.slice(0, 1)) } };
    const encoding = await runStep(several, encodeArgv(planned, sample, candidates), state);
    if (!encoding.ok) return encoding;
    const { pass } = encoding;
    if (pass.firstOutput.streamCount('video') > 1) return { ok: false, failure: SEVERAL_VIDEOS, raw: pass.lastLines };
    const frames = pass.lastBlock?.frame ?? 0;
    if (frames === 0) return { tries: [], pass };
    const pairing = pairingOf(pass, count);
    const size = this.#size && { sourceWidth: this.#size.width, sourceHeight: this.#size.height };
    const values = { ...timesOf(sample), ...size };
    const scored = Math.max(1, Math.round(frames * (1 - (sample.tail ?? 0) / sample.seconds)));
    const argv = compareArgv(planned.compare, count, pairing, values);
    const scores = await compareVideos(c, { argv, count, frames: scored, metric: planned.metric }, state);
    if ('ok' in scores) return scores;
    const [file = ''] = planned.encode.each.slice(-1);
    const suffix = /\.\w+$/.exec(file)?.[0] ?? '';
    const tries: Try[] = [];
    for (const [number, candidate] of candidates.entries()) {
      const path = join(c.dir, sampleFile(number, suffix));
      const { size: bytes } = await lstat(path);
      await rm(path, { force: true });
      const seconds = this.#size === undefined ? sample.seconds : frames / pairing.fps;
      tries.push({ ...candidate, sample, bytes, seconds, score: scores[number] ?? 0 });
    }
    return { tries, pass };
  }

  /** @param left How many samples of the running round are left. */
  #report(left: number): void {
    const { tracker, log } = this.#state;
    this.#expected = Math.max(this.#expected, this.#done + left);
    const progress = tracker.update(0, { outSeconds: this.#done, ended: false }, this.#expected);
    const samples = { choose: this.#progress.choose, done: this.#done, total: this.#expected };
    this.#c.onProgress({ ...progress, samples }, log.text());
  }
}

/** A comparison of some videos with their source. `frames`: how many frames from the start are scored. */
interface ComparedVideos extends Pick<PlannedSamples, 'metric'> {
  readonly argv: readonly string[];
  readonly count: number;
  readonly frames: number;
}

/** Compares videos with their source, and returns the mean score of each. */
export async function compareVideos(
  c: PreparedRun,
  { argv, metric, count, frames }: ComparedVideos,
  state: RunState,
  onFrame?: (frame: number) => void,
): Promise<readonly number[] | Failed> {
  const step = await runStep(c, argv, state, ({ frame = 0 }) => onFrame?.(frame));
  if (!step.ok) return step;
  const scores: number[] = [];
  for (let number = 0; number < count; number += 1) {
    const path = join(c.dir, scoresFile(number));
    const score = await readScratch(c, () => readMeanScore(path, metric, frames, c.signal));
    if (typeof score === 'object') return score;
    if (score === undefined) return { ok: false, failure: NO_SCORE, raw: step.pass.lastLines };
    await rm(path, { force: true });
    scores.push(score);
  }
  return scores;
}

const SEVERAL_VIDEOS: Failure = {
  code: 'UNSUPPORTED',
  message: 'Samples are of one video, but the output has several.',
  fix: 'Map one video, such as "map": ["0:v:0", "0:a"].',
};

const NO_SCORE: Failure = {
  code: 'FFMPEG_FAILED',
  message: 'ffmpeg compared an encoded video with its source, but wrote no score.',
  fix: 'Send another "metric", such as "ssim", or a fixed "crf" instead.',
};
