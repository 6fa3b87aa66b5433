import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { OutputReport } from '../../domain/job.ts';
import { outputOf, type Plan, type PlannedOutput, planOfOutput } from '../../domain/plan.ts';
import { wordSet } from '../allowlist/words.ts';
import { probeOutput, toJobOutput } from '../probe/probe-clip.ts';
import { type PictureDelay, pictureDelayOf } from '../rules/times/copy-starts.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { PassOutput } from './pass-output.ts';
import { readMeasuredRates, readSegmentTimes } from './playlists.ts';

/** A finished output, and what ffprobe says about it. */
export interface MeasuredOutput extends PictureDelay {
  readonly output: OutputReport;
  /** Whether nothing was written, although ffmpeg reports success. Known only of one of several outputs. */
  readonly isEmpty?: boolean;
  /** The longest segment of HLS or DASH in seconds. Absent for other outputs. */
  readonly longestSegment?: number;
  /** See `FinishedPass`. */
  readonly hasMeasuredRates?: boolean;
}

/** What measuring needs of a conversion; see `ConversionRun`. */
export interface MeasuringRun {
  readonly plan: Plan;
  readonly dir: string;
  readonly ffprobePath?: string;
  readonly sandbox: Sandbox;
  readonly signal: AbortSignal;
}

/** What measuring needs of an output of the last pass. */
export type MeasuredPassOutput = Pick<
  PassOutput,
  | 'index'
  | 'isOneOfSeveral'
  | 'isDoubtful'
  | 'isForged'
  | 'hasEmptyStream'
  | 'hasMedia'
  | 'report'
  | 'reportOf'
  | 'mediaSeconds'
  | 'runSeconds'
>;

/** Returns one output of the last pass. Quotas count it also if its duration is unknown. */
export async function measureOutput(c: MeasuringRun, output: MeasuredPassOutput): Promise<MeasuredOutput> {
  const plan = planOfOutput(c.plan, output.index);
  const { longest, total } = await readSegmentTimes(c.dir, plan);
  const hasMeasuredRates = await readMeasuredRates(c.dir, plan);
  const playlists = {
    ...(longest !== undefined && { longestSegment: longest }),
    ...(hasMeasuredRates !== undefined && { hasMeasuredRates }),
  };
  if (output.isOneOfSeveral) return { ...(await measureOneOfSeveral(c, output)), ...playlists };
  const measured = atLeast(await measureOnly(c, output), output.isForged ? undefined : total);
  return { ...withMediaSeconds(measured, output.mediaSeconds), ...playlists };
}

/** Since ffmpeg 7, the reported duration is that of the stream that ends first, such as subtitles; the segments tell more. */
function atLeast(measured: MeasuredOutput, listed: number | undefined): MeasuredOutput {
  const { durationSeconds } = measured.output;
  return durationSeconds === undefined || listed === undefined || listed <= durationSeconds
    ? measured
    : { ...measured, output: { ...measured.output, durationSeconds: listed } };
}

const withMediaSeconds = (measured: MeasuredOutput, mediaSeconds: number | undefined): MeasuredOutput =>
  measured.output.durationSeconds !== undefined || mediaSeconds === undefined
    ? measured
    : { ...measured, output: { ...measured.output, mediaSeconds } };

/**
 * Returns the only output as ffmpeg reported it. If that report is forged or doubtful, or a stream is empty, ffprobe reads the file. If ffprobe
 * fails too, a forged report is not used.
 */
async function measureOnly(c: MeasuringRun, output: MeasuredPassOutput): Promise<MeasuredOutput> {
  if (!output.isDoubtful) return { output: output.report };
  const { measured, delay } = await probe(c, outputOf(c.plan, output.index));
  if (output.isForged || (output.hasEmptyStream && measured.streams !== undefined))
    return { output: measured, ...delay };
  const { durationSeconds = output.report.durationSeconds } = measured;
  return { output: { ...output.report, ...(durationSeconds === undefined ? {} : { durationSeconds }) }, ...delay };
}

/** ffmpeg reports one progress for all outputs, so ffprobe measures each. */
async function measureOneOfSeveral(c: MeasuringRun, output: MeasuredPassOutput): Promise<MeasuredOutput> {
  const planned = outputOf(c.plan, output.index);
  const { measured, delay, isKnown } = await probe(c, planned);
  if (output.isForged) return { output: measured, ...delay };
  const reported = output.reportOf(measured.durationSeconds);
  // A picture has no duration, although ffprobe measures one.
  const report = reported.durationSeconds === undefined ? reported : { ...reported, ...durationOf(measured) };
  const hasNoTime = isKnown && (measured.durationSeconds ?? 0) === 0;
  const isEmpty = output.hasMedia && (await hasNothing(c, planned, hasNoTime));
  return { ...withMediaSeconds({ output: report }, output.runSeconds), ...delay, isEmpty };
}

const durationOf = ({ durationSeconds }: OutputReport): OutputReport =>
  durationSeconds === undefined ? {} : { durationSeconds };

/** What ffprobe says about a file. `isKnown`: whether it answered, if only that it cannot read the file. */
interface ProbedOutput {
  readonly measured: OutputReport;
  readonly delay: PictureDelay;
  readonly isKnown: boolean;
}

async function probe(
  { ffprobePath, dir, sandbox, signal }: MeasuringRun,
  { logical }: PlannedOutput,
): Promise<ProbedOutput> {
  const file = join(dir, logical);
  const outcome =
    ffprobePath === undefined ? undefined : await probeOutput({ ffprobePath, file, sandbox, workRoot: dir, signal });
  if (!outcome?.ok) return { measured: {}, delay: {}, isKnown: outcome !== undefined };
  const pictureDelay = pictureDelayOf(outcome.info.streams);
  return {
    measured: toJobOutput(outcome.info),
    delay: pictureDelay === undefined ? {} : { pictureDelay },
    isKnown: true,
  };
}

/** Muxers whose files have a header also if no frame follows. Others then write no byte. */
const WITH_HEADER = wordSet(
  'mp4 mov ipod 3gp 3g2 psp f4v matroska webm wav w64 flac ogg oga opus ogv avi mp3 caf aiff au asf flv mxf nut',
);

/** More bytes than a header has. */
const MAX_HEADER_BYTES = 16 * 1024;

/**
 * Whether an output has no frame and no sample. Of a manifest or a series of files, the files themselves tell that.
 *
 * @param hasNoTime Whether ffprobe found no duration. A short file that ffprobe did not read may be right.
 */
async function hasNothing(
  { dir }: MeasuringRun,
  { logical, muxer, names }: PlannedOutput,
  hasNoTime: boolean,
): Promise<boolean> {
  if (names.some((parts) => parts.some((part) => typeof part !== 'string'))) return false;
  const bytes = await lstat(join(dir, logical)).then(
    ({ size }) => size,
    () => 0,
  );
  return bytes === 0 || (hasNoTime && WITH_HEADER.has(muxer) && bytes <= MAX_HEADER_BYTES);
}
