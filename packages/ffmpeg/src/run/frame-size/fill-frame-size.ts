import type { OutputFrameSize } from '@telecine/contract/domain/frame-size.ts';
import type { Plan } from '@telecine/contract/domain/plan.ts';
import { inFrameSize } from '../../quality/frame-size-argv.ts';

/** The plan with a frame size that was chosen. */
export function withFrameSize({ frameSize: _, ...plan }: Plan, chosen: OutputFrameSize): Plan {
  return { ...plan, passes: plan.passes.map((argv) => inFrameSize(argv, chosen)), chosenFrameSize: chosen };
}
