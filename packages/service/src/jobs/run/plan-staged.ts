import { errorsForClient, warningsForClient } from '@telecine/contract/domain/client-words.ts';
import type { ConversionRequest } from '@telecine/contract/domain/conversion.ts';
import { type Failure, JobFailed } from '@telecine/contract/domain/failure.ts';
import type { Job } from '@telecine/contract/domain/job.ts';
import {
  fileInputs,
  type InputProbe,
  type Plan,
  type ProbedInput,
  type Warning,
} from '@telecine/contract/domain/plan.ts';
import { probeParameters, readProbeOptions } from '@telecine/ffmpeg/probe/probe-options.ts';
import { failureOf, type Inspector, inspectInputs } from '../inspect-inputs.ts';
import type { ClipProber } from '../ports/ffmpeg.ts';
import type { StagedInput } from '../ports/media-store.ts';
import { type DraftedJob, type DraftJobDeps, noLongerSupported } from './draft-job.ts';
import { retryWhileUnavailable } from './outage-retries.ts';

export interface PlanStagedDeps extends Pick<DraftJobDeps, 'planner'> {
  /** Probes a staged input. Absent if this worker has no ffprobe. */
  readonly probeClip?: ClipProber;
}

interface PlanOfJob {
  /** The request that runs, with the facts of its first input. */
  readonly request: ConversionRequest;
  readonly plan: Plan;
  /** The warnings that the submission could not know, because it read no input. */
  readonly warnings: readonly Warning[];
}

/**
 * Inspects the staged inputs of a job, and plans it with what was found. Throws a failure if an input does not fit.
 *
 * @param measure Absent if the job measures nothing.
 */
export async function planStaged(
  deps: PlanStagedDeps,
  job: Pick<Job, 'warnings'>,
  drafted: DraftedJob,
  staged: readonly StagedInput[],
  signal: AbortSignal,
  measure?: Inspector['measure'],
): Promise<PlanOfJob> {
  const { probeClip } = deps;
  const { request, draft } = await applyFacts(deps, drafted, staged, signal);
  const isRequired = draft.probes.some(({ needsHeaders }) => needsHeaders === true);
  if (isRequired && probeClip === undefined) throw new JobFailed(NO_FFPROBE);
  const files = fileInputs(draft.inputs);
  const probe = async (
    { input: index, parameters, ...part }: InputProbe,
    known: ProbedInput | undefined,
  ): Promise<ProbedInput | undefined> => {
    const one = draft.inputs[index];
    const input = one && staged[files.indexOf(one)];
    if (one === undefined || input === undefined || probeClip === undefined) return undefined;
    const { path, logical } = one;
    const options = readProbeOptions(probeParameters(parameters ?? {}), []);
    const probed = await probeClip({ ...part, path, logical, options, ...(known && { known }) }, input, signal);
    if (probed.ok) return probed.media;
    // The run itself says what is wrong with an input that is neither joined, cut nor transcribed.
    if (part.needsHeaders !== true) return undefined;
    throw new JobFailed(probed.failure);
  };
  const media = await inspectInputs(draft, request, { probe, ...(measure && { measure }) });
  const planned = await draft.finish(media);
  const isApplied = request !== drafted.request;
  if (!planned.ok)
    throw new JobFailed(
      isApplied || media.some(Boolean)
        ? failureOf(errorsForClient(request, planned.errors))
        : noLongerSupported(planned.errors[0]?.message),
    );
  const { plan } = planned;
  // Without a recipe, leave out what the build of this worker or the fallback adds: it does not make a strict job fail.
  const found = isApplied ? plan.warnings : (plan.inputWarnings ?? []);
  return { request, plan, warnings: warningsForClient(request, found).filter(isNewTo(job.warnings)) };
}

const isNewTo =
  (known: readonly Warning[] = []) =>
  ({ field, code, message }: Warning): boolean =>
    !known.some((one) => one.code === code && (one.field === field || one.message === message));

/**
 * Applies the recipe of a job with the facts of its first input, and drafts the result. Throws a failure if the recipe cannot
 * be applied to this file.
 */
async function applyFacts(
  { probeClip, planner }: PlanStagedDeps,
  { request, draft, context, facts }: DraftedJob,
  [staged]: readonly StagedInput[],
  signal: AbortSignal,
): Promise<Pick<DraftedJob, 'request' | 'draft'>> {
  const [input] = fileInputs(draft.inputs);
  if (facts === undefined || input === undefined || staged === undefined) return { request, draft };
  const { path, logical } = input;
  const whole = { path, logical, options: readProbeOptions({}, []), start: 0, needsLength: false };
  const probed = await (probeClip?.(whole, staged, signal) ?? { ok: false as const, failure: NO_FFPROBE });
  if (!probed.ok) {
    // The run itself reports a wrong file. After any other failure, such as that of a slow disk, the output would lack subtitles, so the job fails.
    if (!facts.areRequired && OF_THE_FILE.has(probed.failure.code)) return { request, draft };
    const message = `The recipe "${facts.recipe}" reads its input first. ${probed.failure.message}`;
    throw new JobFailed({ ...probed.failure, message });
  }
  const applied = facts.apply({ chapters: [], ...probed.media });
  const read = await retryWhileUnavailable(() => planner(applied, context), signal);
  if (read.errors.length > 0) throw new JobFailed(failureOf(errorsForClient(applied, read.errors)));
  return { request: applied, draft: read };
}

/** The failures of a probe whose cause is the file, or that no later attempt avoids. */
const OF_THE_FILE: ReadonlySet<Failure['code']> = new Set(['INPUT_INVALID', 'UNSUPPORTED']);

const NO_FFPROBE: Failure = {
  code: 'UNSUPPORTED',
  message: 'This worker has no ffprobe, which it needs to join, cut or transcribe inputs.',
  fix: 'Ask the operator to install ffprobe, which comes with ffmpeg.',
};
