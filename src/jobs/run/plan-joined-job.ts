import { type Failure, JobFailed } from '../../domain/failure.ts';
import type { Job } from '../../domain/job.ts';
import { fileInputs, type Plan, type Warning } from '../../domain/plan.ts';
import type { ProbedInput } from '../../domain/probed-input.ts';
import type { FieldError } from '../../domain/problem.ts';
import type { ClipProber } from '../ports/clip-prober.ts';
import type { StagedInput } from '../ports/input-staging.ts';
import type { Planner } from '../ports/planner.ts';
import type { PlannedJob } from './plan-job.ts';

export interface JoinDeps {
  readonly planner: Planner;
  /** Absent if this worker has no ffprobe. */
  readonly probeClip?: ClipProber;
}

/** The plan of a job as it runs, and the warnings that its first plan did not have. */
export interface FinalPlan {
  readonly plan: Plan;
  readonly warnings: readonly Warning[];
}

/** How many files are probed at a time. A probe uses a core for 50 ms. */
const AT_ONCE = 2;

/**
 * Plans a job again with what is in its staged inputs, if it joins them. Throws the failure of an input that cannot be read or
 * does not fit to the others, and the reason of an abort.
 */
export async function planJoinedJob(
  { planner, probeClip }: JoinDeps,
  job: Pick<Job, 'request' | 'warnings'>,
  { plan, context }: PlannedJob,
  staged: readonly StagedInput[],
  signal: AbortSignal,
): Promise<FinalPlan> {
  const { join } = plan;
  if (join === undefined) return { plan, warnings: [] };
  if (probeClip === undefined) throw new JobFailed(NO_FFPROBE);
  const files = fileInputs(plan.inputs);
  const media: (ProbedInput | undefined)[] = plan.inputs.map(() => undefined);
  const clips = join.clips.flatMap((index, at) => {
    const planned = plan.inputs[index];
    const input = planned && staged[files.indexOf(planned)];
    return planned === undefined || input === undefined ? [] : [{ index, planned, input, start: join.starts[at] ?? 0 }];
  });
  const probe = async ({ index, planned, input, start }: (typeof clips)[number]): Promise<void> => {
    const { path, logical } = planned;
    const probed = await probeClip({ path, logical, start }, input, signal);
    if (!probed.ok) throw new JobFailed(probed.failure);
    media[index] = probed.media;
  };
  for (let at = 0; at < clips.length; at += AT_ONCE) await Promise.all(clips.slice(at, at + AT_ONCE).map(probe));
  const result = await planner(job.request, context, media);
  if (!result.ok) throw new JobFailed(failureOf(result.errors));
  const known = new Set([...plan.warnings, ...(job.warnings ?? [])].map(keyOf));
  return { plan: result.plan, warnings: result.plan.warnings.filter((one) => !known.has(keyOf(one))) };
}

const keyOf = ({ field, code }: Warning): string => `${field} ${code}`;

/** The failure of inputs that do not fit to each other, by the first error of the plan. */
function failureOf([error]: readonly FieldError[]): Failure {
  const { message = 'The inputs cannot be joined.', fix } = error ?? {};
  return { code: 'INPUT_INVALID', message, ...(fix === undefined ? {} : { fix }) };
}

const NO_FFPROBE: Failure = {
  code: 'UNSUPPORTED',
  message: 'This worker has no ffprobe, by which it has to look into inputs that are joined.',
  fix: 'Ask the operator to install ffprobe, which comes with ffmpeg.',
};
