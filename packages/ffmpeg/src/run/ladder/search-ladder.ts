import type { Failure } from '@telecine/contract/domain/failure.ts';
import { LADDER_RUNGS, type PlannedLadder } from '@telecine/contract/domain/ladder.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import { MAX_OUTPUT_FILES } from '@telecine/contract/domain/planned-files.ts';
import { METRIC_NAMES } from '@telecine/contract/domain/quality.ts';
import {
  betterValues,
  chooseRungs,
  firstValues,
  type LadderPoint,
  type LadderSearch,
  ladderSamples,
  ladderSizes,
  leastSegmentSeconds,
  type OutputLength,
  rungsOfFiles,
} from '../../quality/ladder.ts';
import { partsOf } from '../../quality/samples.ts';
import type { PreparedRun } from '../conversion-run.ts';
import { explainEmptyOutput } from '../explain-failure.ts';
import type { Pass } from '../pass.ts';
import { runStep } from '../quality/run-step.ts';
import { listPackets, sourceOf } from '../quality/search-quality.ts';
import type { Failed } from '../run-pass.ts';
import type { RunState } from '../run-state.ts';
import { ladderArgv } from './fill-argv.ts';
import { frameSizeOf, SampledSizes, type SampledSource } from './sampled-sizes.ts';

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
  const tried = await trySizes(c, ladder, { size, samples, range }, state);
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

/** Whether the inputs have audio that the ladder maps. */
function hasAudioIn({ report }: Pass, { pass: { audio } }: PlannedLadder): boolean {
  const [, input = '0', number = '0'] = /^(\d+):a:(\d+)$/.exec(audio[1] ?? '') ?? [];
  const streams = report.inputs[Number(input)]?.streams ?? [];
  return streams.filter(({ type }) => type === 'audio').length > Number(number);
}

/** The failure of a video without a frame. */
export async function noFrames(c: PreparedRun, pass: Pass, { stopper }: RunState): Promise<Failed> {
  const failure: Failure = await explainEmptyOutput(c, pass.firstOutput, stopper);
  return { ok: false, failure, raw: pass.lastLines };
}

/** Tries all sizes of a ladder. Returns the tried points, and how many seconds of the output a second of the source becomes. */
async function trySizes(
  c: PreparedRun,
  ladder: PlannedLadder,
  source: SampledSource,
  state: RunState,
): Promise<{ readonly ok: true; readonly points: readonly LadderPoint[]; readonly share: number } | Failed> {
  const search = searchOf(ladder);
  const sizes = ladderSizes(source.size);
  const expected = { choose: 'ladder', tries: sizes.length + 1, mayUseWhole: true } as const;
  const samples = new SampledSizes(c, ladder, source, state, expected);
  const points: LadderPoint[] = [];
  let share = 1;
  for (const [index, size] of sizes.entries()) {
    const triesOf = (values: readonly number[]) => values.map((value) => ({ size, value }));
    const first = await samples.try(triesOf(firstValues(search)));
    if (!first.ok) return first;
    // Only the largest size may have to come nearer to the source.
    const better = index === 0 ? betterValues(search, first.points) : undefined;
    const second = better && (await samples.try(triesOf(better)));
    if (second?.ok === false) return second;
    const found = [...first.points, ...(second?.points ?? [])].toSorted((a, b) => a.value - b.value);
    noteSize(ladder, found, state);
    points.push(...found);
    ({ share } = first);
  }
  return { ok: true, points, share };
}

/** Adds what was tried at a size to the log of the job. */
function noteSize({ metric, scale }: PlannedLadder, points: readonly LadderPoint[], { log }: RunState): void {
  const [first] = points;
  if (first === undefined) return;
  const found = points.map(
    ({ value, score, bitsPerSecond }) => `${value} has ${score.toFixed(4)} at ${kilobits(bitsPerSecond)} kb/s`,
  );
  log.note(`Ladder, ${first.width}x${first.height}: ${METRIC_NAMES[metric]} by ${scale.option}: ${found.join(', ')}`);
}

const kilobits = (bitsPerSecond: number): number => Math.round(bitsPerSecond / 1000);

function noteRungs({ metric, scale }: PlannedLadder, rungs: readonly LadderPoint[], { log }: RunState): void {
  for (const [index, { width, height, value, score, bitsPerSecond }] of rungs.entries())
    log.note(
      `Ladder, rung ${index + 1} of ${rungs.length}: ${width}x${height} with ${scale.option} ${value}, about ${kilobits(bitsPerSecond)} kb/s and ${METRIC_NAMES[metric]} ${score.toFixed(4)}`,
    );
}
