import type { Plan } from '../domain/plan.ts';
import type { InputReport } from './report.ts';

/** Demuxers that show one picture for as long as they are asked to; the duration they report is one frame's. */
const STILL = /^(image2|[a-z0-9]+_pipe)$/;

interface Cut {
  readonly start?: number;
  readonly duration?: number;
  readonly end?: number;
}

/** What a cut asks for, in seconds; ffmpeg lets `t` win over `to`. */
function asked(cut: Cut): number | undefined {
  if (cut.duration !== undefined) return cut.duration;
  return cut.end === undefined ? undefined : Math.max(0, cut.end - (cut.start ?? 0));
}

/** Seconds that `cut` leaves of `available`; Infinity where neither says. */
function leaves(available: number, cut: Cut): number {
  return Math.max(0, Math.min(available - (cut.start ?? 0), asked(cut) ?? Number.POSITIVE_INFINITY));
}

/**
 * Seconds of output that one pass of `plan` will write, as far as the inputs' own durations and the trimming
 * tell; undefined where they do not (a live pipe, a lone still picture). Filters that change the tempo are not
 * seen.
 */
export function expectedSeconds(
  plan: Pick<Plan, 'inputs' | 'span'>,
  inputs: readonly InputReport[],
): number | undefined {
  const lengths = plan.inputs.map((planned, index) => {
    const report = inputs[index];
    const still = report !== undefined && STILL.test(report.demuxer) && planned.sequence === undefined;
    const reported = still ? undefined : report?.durationSeconds;
    return leaves(reported ?? Number.POSITIVE_INFINITY, plan.span.inputs[index] ?? {});
  });
  const known = lengths.filter(Number.isFinite);
  const available =
    known.length === 0 ? Number.POSITIVE_INFINITY : plan.span.shortest ? Math.min(...known) : Math.max(...known);
  const seconds = leaves(available, plan.span.output);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}
