import type { Plan } from '../../packages/contract/src/domain/plan.ts';
import type { FieldError } from '../../packages/contract/src/domain/problem.ts';
import type { RequestDraft } from '../../packages/service/src/jobs/ports/ffmpeg.ts';

const notMeasured = (): never => {
  throw new Error('The request of this test measures nothing.');
};

/** The draft of a request whose plan depends on no content of its inputs. */
export const draftOf = (plan: Plan): RequestDraft => ({
  ...{ inputs: plan.inputs, outputs: plan.outputs, probes: [], errors: [] },
  finish: async () => ({ ok: true, plan }),
  planMeasurement: notMeasured,
});

/** The draft of a request that cannot be planned. */
export const faultyDraft = (errors: readonly FieldError[]): RequestDraft => ({
  ...{ inputs: [], outputs: [], probes: [], errors },
  finish: async () => ({ ok: false, errors }),
  planMeasurement: notMeasured,
});
