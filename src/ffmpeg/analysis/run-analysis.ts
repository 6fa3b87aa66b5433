import type { Measurements } from '../../domain/analysis.ts';
import type { Failure } from '../../domain/failure.ts';
import type { Progress } from '../../domain/job.ts';
import type { MediaPath } from '../../domain/media-path.ts';
import type { Plan, PlannedAnalysis, PlannedOutput, Warning } from '../../domain/plan.ts';
import type { InputReport } from '../log/report.ts';
import { measuresErrors, measuresPackets, measuresSound } from '../plan/analysis/measuring-filters.ts';
import { secondsText } from '../rules/facts/media-facts.ts';
import { streamToMeasure } from '../rules/failures/absent-streams.ts';
import { type ConversionRun, type RunOutcome, runConversion } from '../run/run.ts';
import { CONVERSION_CANCELLED } from '../run/stop.ts';
import { endsEarly, shortInput, statedSeconds } from './cut-off-file.ts';
import { FrameList } from './frame-list.ts';
import { PacketCounter } from './packet-counter.ts';
import { decodedEnd, readMeasurements } from './read-measurements.ts';
import { listFrames, listPackets } from './run-ffprobe.ts';

/** How an analysis ended. */
type AnalysisOutcome =
  | {
      readonly ok: true;
      readonly measurements: Measurements;
      readonly log: string;
      /** Why the measurements may not be those of the file that is meant. */
      readonly warnings: readonly Warning[];
    }
  | Extract<RunOutcome, { ok: false }>;

type Found = Parameters<typeof decodedEnd>[0];
type AnalysisRun = ConversionRun & { readonly plan: Plan & { readonly analysis: PlannedAnalysis } };

/**
 * Runs the plan of an analysis: the decoding pass like one of a conversion, whose frames are discarded, then ffprobe for
 * measurements of packets. Throws only if the machine fails.
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
    // The run that looks for errors is the other half.
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
      warnings: [...unnamedSound(c, outcome.inputs), ...warningsAbout(c, outcome.warnings, packets)],
    };
  } catch (error) {
    if (!signal.aborted) throw error;
    return failed(CONVERSION_CANCELLED);
  }
}

const halved = (progress: Progress): Progress =>
  progress.percent === undefined ? progress : { ...progress, percent: progress.percent / 2 };

const partOf = ({ ss = '0', t = 'Infinity' }: PlannedAnalysis) => ({ from: Number(ss), to: Number(ss) + Number(t) });

/** Why the packets of the input do not say what is measured. undefined if they do. */
function notInPackets({ plan: { inputs, analysis } }: AnalysisRun, packets: PacketCounter): Failure | undefined {
  const path = `"${inputs[0]?.path}"`;
  if (analysis.measure.includes('keyframes') && !packets.hasVideo)
    return streamToMeasure(analysis, 'video', { path, content: 'no video' });
  const { from } = partOf(analysis);
  if (!measuresPackets(analysis) || from === 0 || from < packets.endSeconds) return undefined;
  return startsBehind(from, path, packets.endSeconds);
}

const startsBehind = (from: number, path: string, end: number): Failure => ({
  code: 'INPUT_INVALID',
  message: `Nothing was measured: "ss" starts at ${secondsText(from)}, but ${path} ends at ${secondsText(end)}.`,
  fix: 'Send an "ss" before the end, or leave it out.',
});

/** The failure if nothing was decoded because "ss" is after the end. undefined otherwise. */
async function notDecoded({ plan: { inputs, analysis } }: AnalysisRun, found: Found, [input]: readonly InputReport[]) {
  const { from } = partOf(analysis);
  const end = input?.durationSeconds;
  if (from === 0 || end === undefined || from < end || (await decodedEnd(found)) !== undefined) return undefined;
  return startsBehind(from, `"${inputs[0]?.path}"`, end);
}

/**
 * Whether fewer frames were decoded than the header of the input says. Its packets tell whether it is cut off, or has a longer
 * stream that was not measured. Comparisons end with the shorter one of two files, so only packets tell it then.
 */
async function mayBeCutOff(found: Found, [input]: readonly InputReport[]): Promise<boolean> {
  const stated = input && statedSeconds(input);
  if (stated === undefined) return false;
  const end = await decodedEnd(found);
  return end === undefined || endsEarly(end, stated, partOf(found.analysis));
}

/** Warnings about reading the inputs. Those about outputs do not apply: an analysis has none. */
function warningsAbout(
  { plan: { inputs, analysis } }: AnalysisRun,
  warnings: readonly Warning[],
  packets: PacketCounter | undefined,
): readonly Warning[] {
  const [input] = inputs;
  const { statedSeconds: stated, lastSeconds = 0 } = packets ?? {};
  if (input !== undefined && stated !== undefined && endsEarly(lastSeconds, stated, partOf(analysis)))
    return [shortInput(input, lastSeconds, stated)];
  return measuresErrors(analysis) ? [] : warnings.filter(({ code }) => code === 'DECODE_ERRORS');
}

/** The warning that the first of several audio streams was measured, because the request does not choose one. */
function unnamedSound(
  { plan: { inputs, analysis } }: AnalysisRun,
  [report]: readonly InputReport[],
): readonly Warning[] {
  const sounds = report?.streams.filter(({ type }) => type === 'audio') ?? [];
  const [first] = sounds;
  if (!measuresSound(analysis) || analysis.audio !== undefined || first === undefined || sounds.length < 2) return [];
  const named = sounds.map(({ language }, number) => `${number}${language === undefined ? '' : ` (${language})`}`);
  return [
    {
      field: '/input',
      code: 'UNUSED_STREAM',
      message: `"${inputs[0]?.path}" has ${sounds.length} audio streams, and the first was measured: ${named[0]}.`,
      fix: `Send "audio" for another one: ${named.slice(1).join(', ')}.`,
    },
  ];
}

const NO_FFPROBE: Failure = {
  code: 'UNSUPPORTED',
  message: 'The worker has no ffprobe, which "bitrate", "keyframes" and "errors" need.',
  fix: 'Leave them out, or ask the operator to install ffprobe.',
};

/** What stands for the output of a run that writes none. */
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
