import type { Failure } from '@telecine/contract/domain/failure.ts';
import { LADDER_RUNGS, type PlannedLadder } from '@telecine/contract/domain/ladder.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import { MAX_OUTPUT_FILES } from '@telecine/contract/domain/planned-files.ts';
import { METRIC_NAMES } from '@telecine/contract/domain/quality.ts';
import {
  betterValues,
  chooseRungs,
  expectedPoint,
  type FrameSize,
  firstValues,
  type LadderPoint,
  type LadderSample,
  type LadderSearch,
  type LadderTry,
  ladderSamples,
  ladderSizes,
  leastSegmentSeconds,
  type OutputLength,
  outputShare,
  rungsOfFiles,
} from '../../quality/ladder.ts';
import { partsOf, type Sample } from '../../quality/samples.ts';
import type { PreparedRun } from '../conversion-run.ts';
import { explainEmptyOutput } from '../explain-failure.ts';
import type { Pass } from '../pass.ts';
import { runStep } from '../quality/run-step.ts';
import { listPackets, type Source, sourceOf } from '../quality/search-quality.ts';
import type { Failed } from '../run-pass.ts';
import type { RunState } from '../run-state.ts';
import { ladderArgv } from './fill-argv.ts';
import { tryValues } from './try-values.ts';

/** A finished search: the rungs, the best first, the argv that writes them, and what was tried. */
export interface FoundLadder {
  readonly ok: true;
  readonly rungs: readonly LadderPoint[];
  readonly tried: readonly LadderPoint[];
  readonly argv: readonly string[];
  readonly warnings: readonly Warning[];
}

/** Finds the rungs of a ladder by encoding samples of the inputs in several sizes. */
export async function searchLadder(
  c: PreparedRun,
  ladder: PlannedLadder,
  state: RunState,
): Promise<FoundLadder | Failed> {
  const packets = ladder.packets && (await listPackets(c, ladder.packets, state));
  if (packets !== undefined && 'ok' in packets) return packets;
  const inspection = await runStep(c, ladder.inspect, state, { isFirst: ladder.packets === undefined });
  if (!inspection.ok) return inspection;
  const { pass } = inspection;
  const size = frameSizeOf(pass);
  if (size === undefined) return noFrames(c, pass, state);
  const range = sourceOf(ladder, packets);
  const samples = ladderSamples(partsOf(packets?.video ?? [], range), ladder.segmentSeconds);
  const tried = await new LadderTries(c, ladder, { size, samples, range }, state).run();
  if (!tried.ok) return tried;
  if (tried.points.length === 0) return noFrames(c, pass, state);
  const hasAudio = ladder.audio === 'always' || (ladder.audio === 'found' && hasAudioIn(pass, ladder));
  const { segmentSeconds } = ladder;
  const maxRungs = rungsThatFit(ladder, { seconds: range.seconds * tried.share, segmentSeconds, hasAudio });
  if (typeof maxRungs !== 'number') return { ok: false, failure: maxRungs, raw: '' };
  const rungs = chooseRungs({ ...searchOf(ladder), maxRungs }, tried.points);
  noteRungs(ladder, rungs, state);
  const warnings = ladderWarnings(ladder, rungs);
  return { ok: true, rungs, tried: tried.points, argv: ladderArgv(ladder, rungs, hasAudio), warnings };
}

/** The most rungs whose files can be published, or why there are none. */
function rungsThatFit({ maxRungs, isSingleFile }: PlannedLadder, length: OutputLength): number | Failure {
  if (isSingleFile) return maxRungs;
  const most = rungsOfFiles(MAX_OUTPUT_FILES, length);
  if (most >= LADDER_RUNGS.min) return Math.min(maxRungs, most);
  return {
    code: 'UNSUPPORTED',
    message: `Even ${LADDER_RUNGS.min} rungs of this video would have more than ${MAX_OUTPUT_FILES} files, which is the most that can be published: each has about ${Math.ceil(length.seconds / length.segmentSeconds)} segments.`,
    fix: `Send a longer "hls_time", such as "${leastSegmentSeconds(MAX_OUTPUT_FILES, length)}".`,
  };
}

/** The warning about a ladder above its limit. */
export function ladderWarnings(
  { maxBitrate = Number.POSITIVE_INFINITY }: Pick<PlannedLadder, 'maxBitrate'>,
  rungs: readonly LadderPoint[],
): readonly Warning[] {
  const least = Math.min(...rungs.map(({ bitsPerSecond }) => bitsPerSecond));
  if (least <= maxBitrate) return [];
  return [
    {
      field: '/ladder/maxBitrate',
      code: 'QUALITY_MISSED',
      message: `The ladder has one rung, of about ${kilobits(least)} kb/s: nothing that was tried has at most "maxBitrate" (${maxBitrate / 1000} kb/s).`,
      fix: `Send a "maxBitrate" of at least ${2 * least}, a lower "target", or a lower frame rate, such as "r": "15".`,
    },
  ];
}

const searchOf = ({ encoder, metric, target, scale, maxRungs, maxBitrate }: PlannedLadder): LadderSearch => ({
  ...{ encoder, metric, target, scale, maxRungs },
  ...(maxBitrate !== undefined && { maxBitsPerSecond: maxBitrate }),
});

/** The size of what the encoder gets. undefined: ffmpeg logged none, because there is no frame. */
function frameSizeOf({ firstOutput, lastBlock }: Pass): FrameSize | undefined {
  const { width, height } = firstOutput.report.streams?.find(({ type }) => type === 'video') ?? {};
  return width === undefined || height === undefined || lastBlock?.frame === 0 ? undefined : { width, height };
}

/** Whether the inputs have audio that the ladder maps. */
function hasAudioIn({ report }: Pass, { pass: { audio } }: PlannedLadder): boolean {
  const [, input = '0', number = '0'] = /^(\d+):a:(\d+)$/.exec(audio[1] ?? '') ?? [];
  const streams = report.inputs[Number(input)]?.streams ?? [];
  return streams.filter(({ type }) => type === 'audio').length > Number(number);
}

async function noFrames(c: PreparedRun, pass: Pass, { stopper }: RunState): Promise<Failed> {
  const failure: Failure = await explainEmptyOutput(c, pass.firstOutput, stopper);
  return { ok: false, failure, raw: pass.lastLines };
}

/** The part of the input from which the samples are taken. */
interface LadderSource {
  readonly size: FrameSize;
  readonly samples: readonly Sample[];
  readonly range: Source;
}

/** What was tried at one size. */
interface SizeTries {
  readonly size: FrameSize;
  readonly tries: readonly LadderTry[];
}

/** Tries all sizes of a ladder. */
class LadderTries {
  readonly #c: PreparedRun;
  readonly #ladder: PlannedLadder;
  readonly #search: LadderSearch;
  readonly #source: LadderSource;
  readonly #state: RunState;
  /** Samples without a frame are removed, because the filters drop this part of the video. */
  #samples: readonly Sample[];
  /** The share of the source that the samples stand for. */
  #kept = 1;
  #done = 0;
  #expected = 1;

  constructor(c: PreparedRun, ladder: PlannedLadder, source: LadderSource, state: RunState) {
    this.#c = c;
    this.#ladder = ladder;
    this.#search = searchOf(ladder);
    this.#source = source;
    this.#state = state;
    this.#samples = source.samples;
  }

  /** Returns the tried points, and how many seconds of the output a second of the source becomes. */
  async run(): Promise<
    { readonly ok: true; readonly points: readonly LadderPoint[]; readonly share: number } | Failed
  > {
    const sizes = ladderSizes(this.#source.size);
    this.#expected = this.#samples.length * (sizes.length + 1);
    const points: LadderPoint[] = [];
    let share = 1;
    for (const [index, size] of sizes.entries()) {
      const first = await this.#try(size, firstValues(this.#search));
      if ('failure' in first) return first;
      // Only the largest size may have to come nearer to the source.
      const better = index === 0 ? betterValues(this.#search, this.#pointsOf(first)) : undefined;
      const second = better && (await this.#try(size, better));
      if (second !== undefined && 'failure' in second) return second;
      const found = this.#pointsOf({ size, tries: [...first.tries, ...(second?.tries ?? [])] });
      this.#note(found);
      points.push(...found);
      const [one] = first.tries;
      if (one !== undefined) share = this.#kept * outputShare(this.#samples, one);
    }
    return { ok: true, points, share };
  }

  /** Encodes all samples in a size with some values. */
  async #try(size: FrameSize, values: readonly number[]): Promise<SizeTries | Failed> {
    const byValue = values.map((): LadderSample[] => []);
    const empty = new Set<Sample>();
    for (const [index, sample] of this.#samples.entries()) {
      const tried = await tryValues(
        this.#c,
        this.#ladder,
        { sample, size, values, source: this.#source.size },
        this.#state,
      );
      if (!tried.ok) return tried;
      if (tried.found.length === 0) empty.add(sample);
      for (const [number, one] of tried.found.entries()) byValue[number]?.push({ index, ...one });
      this.#report();
    }
    if (empty.size === 0)
      return { size, tries: values.map((value, number) => ({ value, samples: byValue[number] ?? [] })) };
    return this.#without(empty) ? this.#try(size, values) : { size, tries: [] };
  }

  /** Removes samples. If none is left, uses the full video as the only sample. Returns false if it was that already. */
  #without(empty: ReadonlySet<Sample>): boolean {
    const { start, seconds } = this.#source.range;
    const kept = this.#samples.filter((sample) => !empty.has(sample));
    const isWhole = this.#samples.length === 1 && this.#samples[0]?.seconds === seconds;
    const weight = kept.reduce((sum, sample) => sum + sample.weight, 0);
    this.#kept = kept.length === 0 ? 1 : this.#kept * weight;
    this.#samples =
      kept.length === 0
        ? [{ start, seconds, weight: 1 }]
        : kept.map((sample) => ({ ...sample, weight: sample.weight / weight }));
    return !isWhole;
  }

  #pointsOf({ size, tries }: SizeTries): readonly LadderPoint[] {
    return tries.toSorted((a, b) => a.value - b.value).flatMap((one) => expectedPoint(size, this.#samples, one) ?? []);
  }

  #report(): void {
    const { tracker, log } = this.#state;
    this.#done = Math.min(this.#expected, this.#done + 1);
    this.#c.onProgress(tracker.update(0, { outSeconds: this.#done, ended: false }, this.#expected), log.text());
  }

  /** Adds what was tried at a size to the log of the job. */
  #note(points: readonly LadderPoint[]): void {
    const [first] = points;
    if (first === undefined) return;
    const { metric, scale } = this.#ladder;
    const found = points.map(
      ({ value, score, bitsPerSecond }) => `${value} has ${score.toFixed(4)} at ${kilobits(bitsPerSecond)} kb/s`,
    );
    this.#state.log.note(
      `Ladder, ${first.width}x${first.height}: ${METRIC_NAMES[metric]} by ${scale.option}: ${found.join(', ')}`,
    );
  }
}

const kilobits = (bitsPerSecond: number): number => Math.round(bitsPerSecond / 1000);

function noteRungs({ metric, scale }: PlannedLadder, rungs: readonly LadderPoint[], { log }: RunState): void {
  for (const [index, { width, height, value, score, bitsPerSecond }] of rungs.entries())
    log.note(
      `Ladder, rung ${index + 1} of ${rungs.length}: ${width}x${height} with ${scale.option} ${value}, about ${kilobits(bitsPerSecond)} kb/s and ${METRIC_NAMES[metric]} ${score.toFixed(4)}`,
    );
}
