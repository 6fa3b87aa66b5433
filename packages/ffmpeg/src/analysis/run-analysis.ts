import type { Measurements } from '@telecine/contract/domain/analysis.ts';
import type { Failure } from '@telecine/contract/domain/failure.ts';
import type { Progress } from '@telecine/contract/domain/job.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { Plan, PlannedAnalysis, PlannedOutput, Warning } from '@telecine/contract/domain/plan.ts';
import type { InputReport } from '../log/report.ts';
import { measuresErrors, measuresPackets, measuresSound } from '../plan/analysis/measuring-filters.ts';
import { secondsText } from '../rules/facts/media-facts.ts';
import { streamToMeasure } from '../rules/failures/absent-streams.ts';
import type { ConversionRun, RunOutcome } from '../run/conversion-run.ts';
import { runConversion } from '../run/run.ts';
import { CONVERSION_CANCELLED } from '../run/stop.ts';
import { endsEarly, measuredPart, shortInput, statedSeconds } from './cut-off-file.ts';
import { FrameList } from './frame-list.ts';
import { PacketCounter } from './packet-counter.ts';
import { decodedEnd, readMeasurements } from './read-measurements.ts';
import { listFrames, listPackets } from './run-ffprobe.ts';

type AnalysisOutcome =
  | {
      readonly ok: true;
      readonly measurements: Measurements;
      readonly log: string;
      /** Reasons why the measurements may not describe the file that the client means. */
      readonly warnings: readonly Warning[];
    }
  | Extract<RunOutcome, { ok: false }>;

type Found = Parameters<typeof decodedEnd>[0];
type AnalysisRun = ConversionRun & { readonly plan: Plan & { readonly analysis: PlannedAnalysis } };

/**
 * Runs the plan of an analysis. First, ffmpeg decodes the inputs without writing an output. Then ffprobe measures
 * packets and errors. Throws only if the machine fails.
 */
export async function runAnalysis(c: AnalysisRun): Promise<AnalysisOutcome> {
  let startMs = performance.now();
  const { analysis } = c.plan;
  const onStart = (): void => {
    startMs = performance.now();
    c.onStart?.();
  };
  const outcome = await runConversion({
    ...c,
    onStart,
    plan: { ...c.plan, outputs: [discardedOutput(c.plan)] },
    // The search for errors is the second half of the progress.
    ...(measuresErrors(analysis) && { onProgress: (progress, log) => c.onProgress(halved(progress), log) }),
  });
  if (!outcome.ok) return outcome;
  const failed = (failure: Failure): AnalysisOutcome => ({ ok: false, failure, log: outcome.log, raw: '' });
  const { dir, signal, ffprobePath } = c;
  const found = { dir, analysis, signal };
  try {
    const needsPackets = measuresPackets(analysis);
    const needsFrames = measuresErrors(analysis);
    if ((needsPackets || needsFrames) && ffprobePath === undefined) return failed(NO_FFPROBE);
    const hasDecoded = c.plan.passes.length > 0;
    if (!hasDecoded) c.onStart?.();
    const undecoded = hasDecoded ? await notDecoded(c, found, outcome.inputs) : undefined;
    if (undecoded !== undefined) return failed(undecoded);
    const secondsLeft = (): number => Math.max(1, c.timeoutSeconds - (performance.now() - startMs) / 1000);
    let frames: FrameList | undefined;
    if (needsFrames && ffprobePath !== undefined) {
      const before = { percent: hasDecoded ? 50 : 0, log: outcome.log };
      const listed = await listFrames({ ...c, ffprobePath }, analysis.frames, secondsLeft(), before);
      if (!(listed instanceof FrameList)) return failed(listed);
      frames = listed;
    }
    let packets: PacketCounter | undefined;
    if (ffprobePath !== undefined && (needsPackets || (await mayBeCutOff(found, outcome.inputs)))) {
      const listed = await listPackets({ ...c, ffprobePath }, analysis.packets, secondsLeft());
      if (listed instanceof PacketCounter) packets = listed;
      else if (needsPackets) return failed(listed);
    }
    const unmeasured = packets && notInPackets(c, packets);
    if (unmeasured !== undefined) return failed(unmeasured);
    const measurements = await readMeasurements({ ...found, ...(packets && { packets }), ...(frames && { frames }) });
    return {
      ok: true,
      measurements,
      log: outcome.log,
      warnings: [...unchosenAudio(c, outcome.inputs), ...warningsAbout(c, outcome.warnings, packets)],
    };
  } catch (error) {
    if (!signal.aborted) throw error;
    return failed(CONVERSION_CANCELLED);
  }
}

const halved = (progress: Progress): Progress =>
  progress.percent === undefined ? progress : { ...progress, percent: progress.percent / 2 };

/** Returns the failure if the input has no packets in the measured stream or part. */
function notInPackets({ plan: { inputs, analysis } }: AnalysisRun, packets: PacketCounter): Failure | undefined {
  const path = `"${inputs[0]?.path}"`;
  if (analysis.measure.includes('keyframes') && !packets.hasVideo)
    return streamToMeasure(analysis, 'video', { path, content: 'no video' });
  const { from } = measuredPart(analysis);
  if (!measuresPackets(analysis) || from === 0 || from < packets.endSeconds) return undefined;
  return startsBehind(from, path, packets.endSeconds);
}

const startsBehind = (from: number, path: string, end: number): Failure => ({
  code: 'INPUT_INVALID',
  message: `Nothing was measured: "ss" starts at ${secondsText(from)}, but ${path} ends at ${secondsText(end)}.`,
  fix: 'Send an "ss" before the end, or leave it out.',
});

/** Returns the failure if nothing was decoded because "ss" is after the end of the input. */
async function notDecoded({ plan: { inputs, analysis } }: AnalysisRun, found: Found, [input]: readonly InputReport[]) {
  const { from } = measuredPart(analysis);
  const end = input?.durationSeconds;
  if (from === 0 || end === undefined || from < end || (await decodedEnd(found)) !== undefined) return undefined;
  return startsBehind(from, `"${inputs[0]?.path}"`, end);
}

/**
 * Whether decoding ended before the duration in the header of the input. The packets then show the reason: the file is
 * cut off, an unmeasured stream is longer, or the other file of a comparison is shorter.
 */
async function mayBeCutOff(found: Found, [input]: readonly InputReport[]): Promise<boolean> {
  const stated = input && statedSeconds(input);
  if (stated === undefined) return false;
  const end = await decodedEnd(found);
  return end === undefined || endsEarly(end, stated, measuredPart(found.analysis));
}

/** Returns the warnings about reading the inputs. An analysis has no outputs. */
function warningsAbout(
  { plan: { inputs, analysis } }: AnalysisRun,
  warnings: readonly Warning[],
  packets: PacketCounter | undefined,
): readonly Warning[] {
  const [input] = inputs;
  const { statedSeconds: stated, lastSeconds = 0 } = packets ?? {};
  if (input !== undefined && stated !== undefined && endsEarly(lastSeconds, stated, measuredPart(analysis)))
    return [shortInput(input, lastSeconds, stated)];
  return measuresErrors(analysis) ? [] : warnings.filter(({ code }) => code === 'DECODE_ERRORS');
}

/**
 * Returns the warning that the first of several audio streams was measured, because the request does not choose one.
 */
function unchosenAudio(
  { plan: { inputs, analysis } }: AnalysisRun,
  [report]: readonly InputReport[],
): readonly Warning[] {
  const streams = report?.streams.filter(({ type }) => type === 'audio') ?? [];
  if (!measuresSound(analysis) || analysis.audio !== undefined || streams.length < 2) return [];
  const named = streams.map(({ language }, number) => `${number}${language === undefined ? '' : ` (${language})`}`);
  return [
    {
      field: '/input',
      code: 'UNUSED_STREAM',
      message: `"${inputs[0]?.path}" has ${streams.length} audio streams, and the first was measured: ${named[0]}.`,
      fix: `Send "audio" for another one: ${named.slice(1).join(', ')}.`,
    },
  ];
}

const NO_FFPROBE: Failure = {
  code: 'UNSUPPORTED',
  message: 'The worker has no ffprobe, which "bitrate", "keyframes" and "errors" need.',
  fix: 'Leave them out, or ask the operator to install ffprobe.',
};

/** The output of a run that writes no output file. */
const discardedOutput = ({ inputs, analysis }: Plan): PlannedOutput => {
  const [start, duration] = [analysis?.ss, analysis?.t].map((text) => (text === undefined ? undefined : Number(text)));
  return {
    ...{ field: '/measure', logical: '-', subfolder: '', names: [], folder: '', path: '-' as MediaPath, muxer: 'null' },
    ...{ replace: false, encoders: {} },
    span: {
      inputs: inputs.map(() => ({
        ...(start !== undefined && { start }),
        ...(duration !== undefined && { duration }),
      })),
      output: {},
      shortest: false,
    },
  };
};
