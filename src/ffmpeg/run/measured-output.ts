import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { OutputReport } from '../../domain/job.ts';
import { outputOf, type Plan, type PlannedOutput } from '../../domain/plan.ts';
import { toJobOutput } from '../probe/job-output.ts';
import { probeOutput } from '../probe/probe-output.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { type PictureDelay, pictureDelayOf } from './late-picture.ts';
import type { PassOutput } from './pass-output.ts';

/** A finished output, and what ffprobe says about it. */
export interface MeasuredOutput extends PictureDelay {
  readonly output: OutputReport;
  /** Whether nothing was written, although ffmpeg reports success. Known only of one of several outputs. */
  readonly isEmpty?: boolean;
}

/** What measuring needs of a conversion; see `ConversionRun`. */
export interface MeasuringRun {
  readonly plan: Plan;
  readonly dir: string;
  readonly ffprobePath?: string;
  readonly sandbox: Sandbox;
  readonly signal: AbortSignal;
}

/** Returns one output of the last pass. Quotas count it also if its duration is unknown. */
export async function measureOutput(c: MeasuringRun, output: PassOutput): Promise<MeasuredOutput> {
  if (output.isOneOfSeveral) return measureOneOfSeveral(c, output);
  const measured = await measureOnly(c, output);
  return withMediaSeconds(measured, output.mediaSeconds);
}

const withMediaSeconds = (measured: MeasuredOutput, mediaSeconds: number | undefined): MeasuredOutput =>
  measured.output.durationSeconds !== undefined || mediaSeconds === undefined
    ? measured
    : { ...measured, output: { ...measured.output, mediaSeconds } };

/**
 * Returns the only output as ffmpeg reported it. If that report is forged or doubtful, or a stream is empty, ffprobe reads the file. If ffprobe
 * fails too, a forged report is not used.
 */
async function measureOnly(c: MeasuringRun, output: PassOutput): Promise<MeasuredOutput> {
  if (!output.isDoubtful) return { output: output.report };
  const { measured, delay } = await probe(c, outputOf(c.plan, output.index));
  if (output.isForged || (output.hasEmptyStream && measured.streams !== undefined))
    return { output: measured, ...delay };
  const { durationSeconds = output.report.durationSeconds } = measured;
  return { output: { ...output.report, ...(durationSeconds === undefined ? {} : { durationSeconds }) }, ...delay };
}

/** ffmpeg reports one progress for all outputs, so ffprobe measures each. */
async function measureOneOfSeveral(c: MeasuringRun, output: PassOutput): Promise<MeasuredOutput> {
  const planned = outputOf(c.plan, output.index);
  const { measured, delay } = await probe(c, planned);
  if (output.isForged) return { output: measured, ...delay };
  const reported = output.reportOf(measured.durationSeconds);
  // A picture has no duration, although ffprobe measures one.
  const report = reported.durationSeconds === undefined ? reported : { ...reported, ...durationOf(measured) };
  const isEmpty = await hasNothing(c, planned, measured, output.hasMedia);
  return { ...withMediaSeconds({ output: report }, output.runSeconds), ...delay, isEmpty };
}

const durationOf = ({ durationSeconds }: OutputReport): OutputReport =>
  durationSeconds === undefined ? {} : { durationSeconds };

async function probe(
  { ffprobePath, dir, sandbox, signal }: MeasuringRun,
  { logical }: PlannedOutput,
): Promise<{ readonly measured: OutputReport; readonly delay: PictureDelay }> {
  const file = join(dir, logical);
  const info =
    ffprobePath === undefined ? undefined : await probeOutput({ ffprobePath, file, sandbox, workRoot: dir, signal });
  const pictureDelay = info && pictureDelayOf(info.streams);
  return {
    measured: info === undefined ? {} : toJobOutput(info),
    delay: pictureDelay === undefined ? {} : { pictureDelay },
  };
}

/** Muxers whose files have a header also if no frame follows. Others then write no byte. */
const WITH_HEADER: ReadonlySet<string> = new Set(
  'mp4 mov ipod 3gp 3g2 psp f4v matroska webm wav w64 flac ogg oga opus ogv avi mp3 caf aiff au asf flv mxf nut'.split(
    ' ',
  ),
);

/** More bytes than a header has. */
const MAX_HEADER_BYTES = 16 * 1024;

/** Whether an output has no frame and no sample. Of a manifest or a series of files, the files themselves tell that. */
async function hasNothing(
  { dir }: MeasuringRun,
  { logical, muxer, names }: PlannedOutput,
  { durationSeconds = 0 }: OutputReport,
  hasMedia: boolean,
): Promise<boolean> {
  if (!hasMedia || names.some((parts) => parts.some((part) => typeof part !== 'string'))) return false;
  const bytes = await lstat(join(dir, logical)).then(
    ({ size }) => size,
    () => 0,
  );
  return bytes === 0 || (WITH_HEADER.has(muxer) && bytes <= MAX_HEADER_BYTES && durationSeconds === 0);
}
