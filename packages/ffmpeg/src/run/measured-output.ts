import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { OutputReport } from '@telecine/contract/domain/job.ts';
import { type Mount, outputOf, type Plan, type PlannedOutput, planOfOutput } from '@telecine/contract/domain/plan.ts';
import { wordSet } from '../allowlist/words.ts';
import { LOUD_SAMPLES } from '../filtergraph/loudness-passes.ts';
import { TRANSPARENT_FRAMES } from '../filtergraph/video-colours.ts';
import { readPrinted } from '../log/printed-frames.ts';
import { frameDataPlan } from '../probe/plan-probe.ts';
import type { ProbeOutcome } from '../probe/probe.ts';
import { type JobProbe, probeAfterRun, probeOutput, toJobOutput } from '../probe/probe-clip.ts';
import { readerOf, readRegularFile } from '../process/regular-file.ts';
import type { FinishedPass, StreamTimes } from '../rules/facts/pass.ts';
import { streamTimesOf } from '../rules/result/lengths.ts';
import { readPinned } from '../sandbox/pinned-files.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { MeasuredFile, PassOutput } from './pass-output.ts';
import { readSegmentTimes } from './playlists.ts';

export interface MeasuredOutput extends MeasuredFile {
  /** True if ffmpeg wrote nothing into this output, and still reported success. Only with several outputs, and for subtitles. */
  readonly isEmpty?: boolean;
}

/** The members of a `ConversionRun` that are needed to measure an output. */
export interface MeasuringRun {
  readonly plan: Plan;
  readonly mounts: readonly Mount[];
  readonly dir: string;
  readonly ffprobePath?: string;
  readonly sandbox: Sandbox;
  readonly signal: AbortSignal;
}

/** The members of a `PassOutput` that are needed to measure the output. It belongs to the last pass. */
export type MeasuredPassOutput = Pick<
  PassOutput,
  | 'index'
  | 'isOneOfSeveral'
  | 'isDoubtful'
  | 'isForged'
  | 'encodedHdr'
  | 'hasEmptyStream'
  | 'hasMedia'
  | 'hasOnlySubtitles'
  | 'report'
  | 'reportOf'
  | 'mediaSeconds'
  | 'runSeconds'
>;

/**
 * Measures one output of the last pass. For an output without a duration, returns the seconds that ffmpeg wrote, because a quota counts
 * them.
 */
export async function measureOutput(c: MeasuringRun, output: MeasuredPassOutput): Promise<MeasuredOutput> {
  if (outputOf(c.plan, output.index).needsNoProbe) return { output: output.report };
  const plan = planOfOutput(c.plan, output.index);
  const { longest, total } = await readSegmentTimes(c.dir, plan);
  const beside = {
    ...(longest !== undefined && { longestSegment: longest }),
    ...((await isNoted(c, plan.passes, TRANSPARENT_FRAMES)) && { isTransparent: true }),
    ...((await isNoted(c, plan.passes, LOUD_SAMPLES)) && { isLoud: true }),
    ...(OF_IMAGES.test(plan.output.muxer) && { photoParts: await photoPartsOf(c) }),
    ...(output.encodedHdr && { frameData: await frameDataOf(c, output.encodedHdr, plan.output.logical) }),
  };
  const isEmpty = output.hasOnlySubtitles && !(await hasCue(c, plan.output));
  if (output.isOneOfSeveral) {
    const measured = await measureOneOfSeveral(c, output);
    return { ...measured, ...beside, isEmpty: isEmpty || measured.isEmpty === true };
  }
  const measured = atLeast(await measureOnly(c, output), output.isForged ? undefined : total);
  return { ...withMediaSeconds(measured, output.mediaSeconds), ...beside, ...(isEmpty && { isEmpty }) };
}

/** True if the filters of a plan have listed a frame in a file. */
async function isNoted({ dir, signal }: MeasuringRun, passes: Plan['passes'], file: string): Promise<boolean> {
  if (!passes.some((argv) => argv.some((word) => word.includes(file)))) return false;
  for await (const _frame of readPrinted(join(dir, file), signal)) return true;
  return false;
}

/** What the first frames of an HDR video and of its source say about themselves. undefined: one of them cannot be read. */
async function frameDataOf(
  c: MeasuringRun,
  { input, stream, output }: NonNullable<MeasuredPassOutput['encodedHdr']>,
  logical: string,
): Promise<FinishedPass['frameData']> {
  const how = jobProbe(c);
  const source = c.plan.inputs[input];
  const mount = c.mounts.find((one) => one.logical === source?.logical);
  if (how === undefined || source === undefined || mount === undefined) return undefined;
  const dataIn = (found: ProbeOutcome | undefined) => (found?.ok === true ? found.clip?.frameData : undefined);
  const before = dataIn(await probeAfterRun(how, frameDataPlan(source, stream), mount));
  if (before === undefined || before.length === 0) return undefined;
  const file = join(c.dir, logical);
  const after = dataIn(await probeOutput({ ...how, file, planOf: (one) => frameDataPlan(one, output) }));
  return after && { input, before, after };
}

function jobProbe({ ffprobePath, dir, sandbox, signal }: MeasuringRun): JobProbe | undefined {
  return ffprobePath === undefined ? undefined : { ffprobePath, sandbox, workRoot: dir, signal };
}

const OF_IMAGES = /^(?:image2|webp|avif)$/;

/** In bytes. The metadata of a photo is before its pixels. */
const METADATA_WITHIN = 128 * 1024;

/** What phones write into the metadata of a photo that has more than its image. */
const PHOTO_PARTS = { 'gain map': /hdrgm:|hdrgainmap/i, video: /(?:MotionPhoto|MicroVideo)(?:="|>)1/ };

/** The parts beside the image of the only input, if it is a photo. */
async function photoPartsOf({ plan, mounts }: MeasuringRun): Promise<readonly string[]> {
  const [mount, ...others] = mounts;
  const isPhoto = /\.(?:jpe?g|hei[cf]|avif)$/.test(mount?.logical ?? '') && plan.inputs.length + others.length === 1;
  const head = mount && isPhoto ? await readPinned(mount, METADATA_WITHIN).catch(() => undefined) : undefined;
  const text = Buffer.from(head ?? []).toString('latin1');
  return Object.entries(PHOTO_PARTS).flatMap(([part, mark]) => (mark.test(text) ? [part] : []));
}

/** How a cue begins in subtitle files. In Matroska, the id of a cluster (1F 43 B6 75), without which the file has no packets. */
const CUES: Readonly<Record<string, RegExp>> = { srt: /-->/, webvtt: /-->/, ass: /^Dialogue:/m, matroska: /C\u00b6u/ };

/** In bytes. The first cue comes early: before it, a file has only its header and attached fonts. */
const CUE_WITHIN = 64 * 1024 * 1024;

/** True if a subtitle file has a cue, or if its format does not show that. In the log, a file without cues looks like one with a short cue. */
async function hasCue(
  { dir }: MeasuringRun,
  { logical, muxer }: Pick<PlannedOutput, 'logical' | 'muxer'>,
): Promise<boolean> {
  const cue = CUES[muxer];
  if (cue === undefined) return true;
  const bytes = await readRegularFile(join(dir, logical), (file, size) =>
    readerOf(file)(0, Math.min(size, CUE_WITHIN)),
  ).catch(() => undefined);
  return bytes === undefined || bytes.length === CUE_WITHIN || cue.test(Buffer.from(bytes).toString('latin1'));
}

/** Returns at least the total of the segments in the playlist: since ffmpeg 7, the duration is that of the shortest stream. */
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

/** Measures the only output by the ffmpeg log. ffprobe reads the file too if the log is forged or doubtful, or if a stream is empty. */
async function measureOnly(c: MeasuringRun, output: MeasuredPassOutput): Promise<MeasuredOutput> {
  if (!output.isDoubtful) return { output: output.report };
  const { measured, times } = await probe(c, outputOf(c.plan, output.index));
  if (output.isForged || (output.hasEmptyStream && measured.streams !== undefined))
    return { output: measured, ...times };
  const { durationSeconds = output.report.durationSeconds } = measured;
  return { output: { ...output.report, ...(durationSeconds === undefined ? {} : { durationSeconds }) }, ...times };
}

/** Measures one of several outputs with ffprobe, because ffmpeg reports one progress for all of them. */
async function measureOneOfSeveral(c: MeasuringRun, output: MeasuredPassOutput): Promise<MeasuredOutput> {
  const planned = outputOf(c.plan, output.index);
  const { measured, times, isKnown } = await probe(c, planned);
  if (output.isForged) return { output: measured, ...times };
  const reported = output.reportOf(measured.durationSeconds);
  // Keep an image without a duration, although ffprobe reports one.
  const report = reported.durationSeconds === undefined ? reported : { ...reported, ...durationOf(measured) };
  const hasNoTime = isKnown && (measured.durationSeconds ?? 0) === 0;
  const isEmpty = output.hasMedia && (await hasNothing(c, planned, hasNoTime));
  return { ...withMediaSeconds({ output: report }, output.runSeconds), ...times, isEmpty };
}

const durationOf = ({ durationSeconds }: OutputReport): OutputReport =>
  durationSeconds === undefined ? {} : { durationSeconds };

/** What ffprobe found in an output. `isKnown`: ffprobe ran to its end, even if it cannot read the file. */
interface ProbedOutput {
  readonly measured: OutputReport;
  readonly times: StreamTimes;
  readonly isKnown: boolean;
}

async function probe(c: MeasuringRun, { logical }: PlannedOutput): Promise<ProbedOutput> {
  const how = jobProbe(c);
  const outcome = how && (await probeOutput({ ...how, file: join(c.dir, logical) }));
  if (!outcome?.ok) return { measured: {}, times: {}, isKnown: outcome !== undefined };
  return {
    measured: toJobOutput(outcome.info),
    times: streamTimesOf(outcome.info),
    isKnown: true,
  };
}

/** Muxers that write a header even without frames. Other muxers then write nothing. */
const WITH_HEADER = wordSet(
  'mp4 mov ipod 3gp 3g2 psp f4v matroska webm wav w64 flac ogg oga opus ogv avi mp3 caf aiff au asf flv mxf nut',
);

/** The maximum size of a file that may have only a header, in bytes. */
const MAX_HEADER_BYTES = 16 * 1024;

/**
 * True if an output has no frame and no sample. False for a manifest or an image sequence, which are not checked.
 *
 * @param hasNoTime True if ffprobe found no duration. Without ffprobe, a short file counts as valid.
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
