import { type Measurements, measuredKind } from '@telecine/contract/domain/analysis.ts';
import type { Failure } from '@telecine/contract/domain/failure.ts';
import type { Progress } from '@telecine/contract/domain/job.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { Plan, PlannedAnalysis, PlannedInput, PlannedOutput, Warning } from '@telecine/contract/domain/plan.ts';
import { andList } from '@telecine/contract/domain/quantity.ts';
import type { InputReport } from '../log/report.ts';
import { measuresAudio, measuresErrors, measuresPackets } from '../plan/analysis/measuring-filters.ts';
import { alignReference } from '../plan/analysis/plan-analysis.ts';
import { secondsText } from '../rules/facts/media-facts.ts';
import type { ConversionRun, RunOutcome } from '../run/conversion-run.ts';
import { runConversion } from '../run/run.ts';
import { CONVERSION_CANCELLED } from '../run/stop.ts';
import { prepareWorkFolder } from '../sandbox/work-folder.ts';
import { endsEarly, measuredPart, shortInput, statedSeconds } from './cut-off-file.ts';
import { FrameList } from './frame-list.ts';
import { PacketCounter } from './packet-counter.ts';
import { decodedEnd, readMeasurements } from './read-measurements.ts';
import { listFrames, listPackets, videoDelay } from './run-ffprobe.ts';

type AnalysisOutcome =
  | {
      readonly ok: true;
      readonly measurements: Measurements;
      readonly log: string;
      /** Reasons why the measurements may not be those of the file that the client means, such as a file that is cut off. */
      readonly warnings: readonly Warning[];
    }
  | Extract<RunOutcome, { ok: false }>;

/** In seconds. Rounded times differ by less, and frames by more. */
const NOTICED_DELAY = 0.002;

type Found = Parameters<typeof decodedEnd>[0];
type AnalysisRun = ConversionRun & { readonly plan: Plan & { readonly analysis: PlannedAnalysis } };

/**
 * Runs the plan of an analysis: ffmpeg decodes the inputs without an output, then ffprobe lists packets and finds errors. Throws only if
 * the machine fails.
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
    plan: { ...c.plan, passes: await passesOf(c), outputs: [discardedOutput(c.plan)] },
    // The search for errors follows as the second half of the progress.
    ...(measuresErrors(analysis) && { onProgress: (progress, log) => c.onProgress(halved(progress), log) }),
  });
  if (!outcome.ok) return { ...outcome, failure: ofMeasurements(c, outcome.failure) };
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

/** Two videos are compared from their first frames on, whatever their files have before. `ss` counts from the start of the input. */
async function passesOf(c: AnalysisRun): Promise<Plan['passes']> {
  const { plan, ffprobePath } = c;
  const [input, reference] = plan.inputs;
  if (plan.analysis.ss === undefined || input === undefined || reference === undefined || ffprobePath === undefined)
    return plan.passes;
  await prepareWorkFolder(c.dir, c.mounts, c.sandbox);
  const delayOf = ({ logical }: PlannedInput): Promise<number> =>
    videoDelay({ ...c, ffprobePath }, logical, c.timeoutSeconds);
  const delay = (await delayOf(reference)) - (await delayOf(input));
  return Math.abs(delay) < NOTICED_DELAY ? plan.passes : alignReference(plan, delay);
}

const halved = (progress: Progress): Progress =>
  progress.percent === undefined ? progress : { ...progress, percent: progress.percent / 2 };

/** Says in the words of the request that a file lacks what is measured: the client has sent no filtergraph. */
function ofMeasurements({ plan: { inputs, analysis } }: AnalysisRun, failure: Failure): Failure {
  if (failure.about?.isUnlike === true)
    return {
      code: 'INPUT_INVALID',
      message: 'Videos that are compared need the same frame size.',
      fix: 'Convert one of them to the size of the other first ("vf": "scale=WIDTH:HEIGHT"), and measure the result.',
    };
  const kind = failure.about?.absent?.kind;
  if (kind !== 'video' && kind !== 'audio') return failure;
  const path = kind === 'audio' || inputs.length === 1 ? `"${inputs[0]?.path}"` : 'one of the files';
  if (kind === 'video' || !analysis.audio) return nothingToMeasure(analysis, kind, path);
  return {
    code: 'INPUT_INVALID',
    message: `"audio": ${analysis.audio} names no stream of ${path}: its audio streams count from 0.`,
    fix: 'Send a lower "audio", or leave it out.',
  };
}

function nothingToMeasure({ measure }: PlannedAnalysis, kind: 'audio' | 'video', path: string): Failure {
  const concerned = measure.filter((one) => measuredKind(one) === kind);
  const names = andList(concerned.map((one) => `"${one}"`));
  return {
    code: 'INPUT_INVALID',
    message: `${names} ${concerned.length === 1 ? 'measures' : 'measure'} ${kind}, and ${path} has no ${kind}.`,
    fix: `${concerned.length < measure.length ? `Leave ${names} out, or send` : 'Send'} a file with ${kind}.`,
  };
}

/** The failure if the packets have no video for `keyframes`, or if "ss" is after the end of the input. */
function notInPackets({ plan: { inputs, analysis } }: AnalysisRun, packets: PacketCounter): Failure | undefined {
  const path = `"${inputs[0]?.path}"`;
  if (analysis.measure.includes('keyframes') && !packets.hasVideo) return nothingToMeasure(analysis, 'video', path);
  const { from } = measuredPart(analysis);
  if (!measuresPackets(analysis) || from === 0 || from < packets.endSeconds) return undefined;
  return startsBehind(from, path, packets.endSeconds);
}

const startsBehind = (from: number, path: string, end: number): Failure => ({
  code: 'INPUT_INVALID',
  message: `Nothing was measured: "ss" starts at ${secondsText(from)}, but ${path} ends at ${secondsText(end)}.`,
  fix: 'Send an "ss" before the end, or leave it out.',
});

/** The failure if nothing was decoded because "ss" is after the end of the input. */
async function notDecoded({ plan: { inputs, analysis } }: AnalysisRun, found: Found, [input]: readonly InputReport[]) {
  const { from } = measuredPart(analysis);
  const end = input?.durationSeconds;
  if (from === 0 || end === undefined || from < end || (await decodedEnd(found)) !== undefined) return undefined;
  return startsBehind(from, `"${inputs[0]?.path}"`, end);
}

/**
 * True if decoding ended before the duration in the header of the input. The packets then tell why: the file is cut off, a stream that is
 * not measured is longer, or the other file of a comparison is shorter.
 */
async function mayBeCutOff(found: Found, [input]: readonly InputReport[]): Promise<boolean> {
  const stated = input && statedSeconds(input);
  if (stated === undefined) return false;
  const end = await decodedEnd(found);
  return end === undefined || endsEarly(end, stated, measuredPart(found.analysis));
}

/** Returns the warnings about inputs. Warnings about outputs are dropped, because an analysis has no outputs. */
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

/** The warning that the first of several audio streams was measured because the request chooses none. */
function unchosenAudio(
  { plan: { inputs, analysis } }: AnalysisRun,
  [report]: readonly InputReport[],
): readonly Warning[] {
  const streams = report?.streams.filter(({ type }) => type === 'audio') ?? [];
  if (!measuresAudio(analysis) || analysis.audio !== undefined || streams.length < 2) return [];
  const named = streams.map(({ language }, number) => `${number}${language === undefined ? '' : ` (${language})`}`);
  return [
    {
      field: '/input',
      code: 'UNUSED_STREAM',
      message: `"${inputs[0]?.path}" has ${streams.length} audio streams, and the first was measured: ${named[0]}.`,
      fix: `To measure another stream, send its number as "audio": ${named.slice(1).join(', ')}.`,
    },
  ];
}

const NO_FFPROBE: Failure = {
  code: 'UNSUPPORTED',
  message: 'The worker has no ffprobe, which "bitrate", "keyframes" and "errors" need.',
  fix: 'Leave these measurements out, or ask the operator to install ffprobe.',
};

/** Returns an output that is thrown away, because a run of ffmpeg needs one. */
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
