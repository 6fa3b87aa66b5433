import type { OutputFrameSize, PlannedFrameSize } from '@telecine/contract/domain/frame-size.ts';
import type { SizedSamples } from '@telecine/contract/domain/ladder.ts';
import { METRIC_NAMES } from '@telecine/contract/domain/quality.ts';
import {
  firstSizeTries,
  kilobits,
  nextSizeTries,
  type SizeSearch,
  sizeSamples,
  sizeScores,
  USUAL_ROUNDS,
  usualSize,
  withoutSamples,
} from '../../quality/frame-size.ts';
import type { FrameSize, LadderPoint } from '../../quality/ladder.ts';
import { partsOf } from '../../quality/samples.ts';
import { roundedScore } from '../../quality/search-scales.ts';
import type { PreparedRun } from '../conversion-run.ts';
import { frameSizeOf, SampledSizes, type SampledSource } from '../ladder/sampled-sizes.ts';
import { noFrames } from '../ladder/search-ladder.ts';
import type { SourcePackets } from '../quality/packet-list.ts';
import { runStep, stopped } from '../quality/run-step.ts';
import { listPackets, sourceOf } from '../quality/search-quality.ts';
import type { Failed } from '../run-pass.ts';
import type { RunState } from '../run-state.ts';

type Chosen = { readonly ok: true; readonly chosen: OutputFrameSize } | Failed;

/** How often samples are tried at most: more than all sizes need. */
const MOST_ROUNDS = 5;

/** Chooses the frame size of an output for its bit rate: by samples, or the usual one. */
export async function chooseFrameSize(c: PreparedRun, planned: PlannedFrameSize, state: RunState): Promise<Chosen> {
  const { samples, bitsPerSecond, inspect } = planned;
  const argv = 'none' in samples ? undefined : samples.packets;
  const packets = argv && (await listPackets(c, argv, state));
  if (packets !== undefined && 'ok' in packets) return packets;
  const inspection = await runStep(c, inspect, state, { isFirst: argv === undefined });
  if (!inspection.ok) return inspection;
  const size = frameSizeOf(inspection.pass);
  if (size === undefined) return noFrames(c, inspection.pass, state);
  const found = await findSize(c, samples, { size, packets, bitsPerSecond }, state);
  if ('ok' in found) return found;
  noteFrameSize(found, state);
  return { ok: true, chosen: { ...found, bitsPerSecond } };
}

/** Adds the frame size and why it was chosen to the log of the job. */
export const noteFrameSize = (
  { width, height, reason }: Pick<OutputFrameSize, 'width' | 'height' | 'reason'>,
  { log }: Pick<RunState, 'log'>,
): void => log.note(`Frame size: ${width}x${height}. ${reason}`);

/** What is known of a video before its samples are encoded. */
interface KnownSource {
  readonly size: FrameSize;
  readonly packets: SourcePackets | undefined;
  readonly bitsPerSecond: number;
}

async function findSize(
  c: PreparedRun,
  samples: PlannedFrameSize['samples'],
  { size, packets, bitsPerSecond }: KnownSource,
  state: RunState,
): Promise<Omit<OutputFrameSize, 'bitsPerSecond'> | Failed> {
  const usual = (why: string) => ({
    ...usualSize(size, bitsPerSecond),
    reason: `${why}. So it has the usual size for ${kilobits(bitsPerSecond)} kb/s.`,
  });
  if ('none' in samples) return usual(samples.none);
  const range = sourceOf(samples, packets);
  if (!range.isKnown) return usual('The length of the input is not known');
  const none = withoutSamples(size, bitsPerSecond, range.seconds);
  if (none !== undefined) return usual(none);
  const source = { size, range, samples: sizeSamples(partsOf(packets?.video ?? [], range), range.seconds) };
  const points = await triedSizes(c, samples, { source, bitsPerSecond }, state);
  const end = stopped(state);
  if (end !== undefined) return end;
  // A search must not fail a job that can do without it.
  if ('ok' in points) return usual('ffmpeg could not encode or compare samples of the video');
  if (points.length === 0) return usual('The filters drop all frames of the samples');
  return best({ ...samples, bitsPerSecond }, points);
}

/** Tries sizes until both neighbours of the best one are worse. */
async function triedSizes(
  c: PreparedRun,
  samples: SizedSamples,
  { source, bitsPerSecond }: { readonly source: SampledSource; readonly bitsPerSecond: number },
  state: RunState,
): Promise<readonly LadderPoint[] | Failed> {
  const search: SizeSearch = { metric: samples.metric, scale: samples.scale, bitsPerSecond };
  const expected = { choose: 'frameSize', tries: USUAL_ROUNDS, mayUseWhole: false } as const;
  const sized = new SampledSizes(c, samples, source, state, expected);
  const points: LadderPoint[] = [];
  let next: ReturnType<typeof nextSizeTries> = firstSizeTries(source.size, search);
  for (let round = 0; next !== undefined && round < MOST_ROUNDS; round++) {
    const tried = await sized.try(next);
    if (!tried.ok) return tried;
    if (tried.points.length === 0) return [];
    points.push(...tried.points);
    next = nextSizeTries(source.size, search, points);
  }
  return points;
}

/** The size whose samples look best, and why. */
function best(search: SizeSearch, points: readonly LadderPoint[]): Omit<OutputFrameSize, 'bitsPerSecond'> {
  const compared = sizeScores(search, points).map((one) => ({ ...one, score: roundedScore(one.score) }));
  const [first, ...others] = compared.toSorted((a, b) => b.score - a.score);
  if (first === undefined) throw new RangeError('There is no size.');
  const { width, height, score } = first;
  const rest = others.map((one, index) => `${one.width}x${one.height}${index === 0 ? ' has' : ''} ${shown(one.score)}`);
  const name = METRIC_NAMES[search.metric];
  return {
    width,
    height,
    reason: `At ${kilobits(search.bitsPerSecond)} kb/s, samples in ${width}x${height} are most like the source: ${name} ${shown(score)}.${rest.length === 0 ? '' : ` ${rest.join(', ')}.`}`,
    compared,
  };
}

const shown = (score: number): string => score.toFixed(4);
