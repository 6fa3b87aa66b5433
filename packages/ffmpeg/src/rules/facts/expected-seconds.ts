import type { OutputPlan } from '@telecine/contract/domain/plan.ts';
import { STILL } from '../../allowlist/containers.ts';
import type { InputReport } from '../../log/report.ts';
import { secondsAfterCut } from '../../values/span-length.ts';

/** Computes how many seconds a pass will write, by its inputs and `ss`, `t`, `to`, `stream_loop`. Ignores filters. undefined: a still without `t`. */
export function expectedSeconds(plan: Pick<OutputPlan, 'inputs' | 'span'>, inputs: readonly InputReport[]) {
  const { joined } = plan.span;
  const lengths = plan.inputs.map(({ sequence }, index) => {
    const { demuxer = '', durationSeconds = Number.POSITIVE_INFINITY } = inputs[index] ?? {};
    const isStill = STILL.test(demuxer) && sequence === undefined;
    const { loops = 0, ...cut } = plan.span.inputs[index] ?? {};
    const isEndless = isStill || loops < 0;
    return secondsAfterCut(isEndless ? Number.POSITIVE_INFINITY : durationSeconds * (loops + 1), cut);
  });
  const known = joined === undefined ? lengths.filter(Number.isFinite) : [joined];
  const available =
    known.length === 0 ? Number.POSITIVE_INFINITY : plan.span.shortest ? Math.min(...known) : Math.max(...known);
  const seconds = secondsAfterCut(available, plan.span.output);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}
