import { type Failure, JobFailed } from '@telecine/contract/domain/failure.ts';
import type { Job } from '@telecine/contract/domain/job.ts';
import {
  fileInputs,
  type InputProbe,
  type Plan,
  type ProbedInput,
  type Warning,
} from '@telecine/contract/domain/plan.ts';
import { inWordsOfRecipe, warningsForClient } from '@telecine/contract/domain/recipe-options.ts';
import { probeParameters, readProbeOptions } from '@telecine/ffmpeg/probe/probe-options.ts';
import { failureOf, type Inspector, inspectInputs } from '../inspect-inputs.ts';
import type { ClipProber } from '../ports/ffmpeg.ts';
import type { StagedInput } from '../ports/media-store.ts';
import { type DraftedJob, noLongerSupported } from './draft-job.ts';

export interface PlanStagedDeps {
  /** Probes a staged input. Absent if this worker has no ffprobe. */
  readonly probeClip?: ClipProber;
}

interface PlanOfJob {
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
  { probeClip }: PlanStagedDeps,
  job: Pick<Job, 'warnings'>,
  { request, draft }: DraftedJob,
  staged: readonly StagedInput[],
  signal: AbortSignal,
  measure?: Inspector['measure'],
): Promise<PlanOfJob> {
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
  if (!planned.ok)
    throw new JobFailed(
      media.some(Boolean)
        ? inWordsOfRecipe(failureOf(planned.errors), request)
        : noLongerSupported(planned.errors[0]?.message),
    );
  const { plan } = planned;
  const found = warningsForClient(request, plan.warnings).map((one) => inWordsOfRecipe(one, request));
  const added = isRequired ? found.filter(isNewTo(job.warnings ?? [])) : [];
  if (added.length === 0) return { plan, warnings: [] };
  // Leave out what the build of this worker or the fallback adds: it does not make a strict job fail.
  const assumed = await draft.finish([]);
  const ofRequest = assumed.ok ? warningsForClient(request, assumed.plan.warnings) : [];
  const isOfInput = isNewTo(ofRequest.map((one) => inWordsOfRecipe(one, request)));
  return { plan, warnings: added.filter(isOfInput) };
}

/** Returns whether a warning is not among those of the submission, in which those about options of a recipe are about the recipe. */
const isNewTo =
  (known: readonly Warning[]) =>
  ({ field, code, message }: Warning): boolean =>
    !known.some(
      (one) =>
        one.code === code &&
        (one.field === field || one.message === message || one.field?.startsWith('/preset') === true),
    );

const NO_FFPROBE: Failure = {
  code: 'UNSUPPORTED',
  message: 'This worker has no ffprobe, which it needs to join, cut or transcribe inputs.',
  fix: 'Ask the operator to install ffprobe, which comes with ffmpeg.',
};
