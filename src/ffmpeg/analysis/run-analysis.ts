import type { Measurements } from '../../domain/analysis.ts';
import type { Failure } from '../../domain/failure.ts';
import type { MediaPath } from '../../domain/media-path.ts';
import type { Plan, PlannedAnalysis, PlannedOutput } from '../../domain/plan.ts';
import { type ConversionRun, type RunOutcome, runConversion } from '../run/run.ts';
import { CONVERSION_CANCELLED } from '../run/stop.ts';
import { listPackets } from './list-packets.ts';
import { PacketCounter } from './packet-counter.ts';
import { readMeasurements } from './read-measurements.ts';

/** How an analysis ended. */
export type AnalysisOutcome =
  | { readonly ok: true; readonly measurements: Measurements; readonly log: string }
  | Extract<RunOutcome, { ok: false }>;

/**
 * Runs the plan of an analysis: the decoding pass like one of a conversion, whose frames are discarded, then ffprobe for
 * measurements of packets. Throws only if the machine fails.
 */
export async function runAnalysis(
  c: ConversionRun & { readonly plan: Plan & { readonly analysis: PlannedAnalysis } },
): Promise<AnalysisOutcome> {
  const startMs = performance.now();
  const { analysis } = c.plan;
  const outcome = await runConversion({ ...c, plan: { ...c.plan, outputs: [discardedOutput(c.plan)] } });
  if (!outcome.ok) return outcome;
  const failed = (failure: Failure): AnalysisOutcome => ({ ok: false, failure, log: outcome.log, raw: '' });
  let packets: PacketCounter | undefined;
  if (analysis.packets !== undefined) {
    if (c.ffprobePath === undefined) return failed(NO_FFPROBE);
    const left = c.timeoutSeconds - (performance.now() - startMs) / 1000;
    const listed = await listPackets({ ...c, ffprobePath: c.ffprobePath }, analysis.packets, Math.max(1, left));
    if (!(listed instanceof PacketCounter)) return failed(listed);
    packets = listed;
  }
  const { dir, signal } = c;
  try {
    const measurements = await readMeasurements({ dir, analysis, signal, ...(packets && { packets }) });
    return { ok: true, measurements, log: outcome.log };
  } catch (error) {
    if (!signal.aborted) throw error;
    return failed(CONVERSION_CANCELLED);
  }
}

const NO_FFPROBE: Failure = {
  code: 'UNSUPPORTED',
  message: 'The worker has no ffprobe, which "bitrate" and "keyframes" need.',
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
