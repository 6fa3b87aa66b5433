import type { Caller } from '../../domain/client.ts';
import type { ConversionRequest } from '../../domain/conversion.ts';
import type { Plan } from '../../domain/plan.ts';
import { shownPreset, warningsForClient } from '../../domain/recipe-options.ts';
import { hideSecrets, hideSecretWords } from '../../domain/secret-options.ts';
import { type ApplyPreset, RequestProbes } from '../../recipes/apply-preset.ts';
import type { DryRun } from '../operations.ts';
import type { CommandTrial } from '../ports/command-trial.ts';
import type { Estimator } from '../ports/estimator.ts';
import type { JobStore } from '../ports/job-store.ts';
import type { PathStats } from '../ports/path-stats.ts';
import type { Planner } from '../ports/planner.ts';
import { isCertainFailure } from './certain-failures.ts';
import { type CheckCallback, type CheckedRequest, checkRequest } from './check-request.ts';
import { requireParents } from './expected-paths.ts';
import { fileWarnings } from './file-warnings.ts';
import type { InputTimes } from './input-times.ts';
import { missingSequences } from './missing-sequences.ts';
import { pathWarnings } from './path-warnings.ts';
import type { ProbeForClient } from './probe-clips.ts';
import type { IsMet } from './select-fallback.ts';

export interface DryRunDeps {
  readonly planner: Planner;
  readonly media: PathStats;
  readonly jobs: Pick<JobStore, 'getMany'>;
  readonly checkCallback?: CheckCallback;
  readonly applyPreset?: ApplyPreset;
  readonly inputTimes?: InputTimes;
  /** Absent if nothing is estimated. */
  readonly estimate?: Estimator;
  /** Absent if no command is tried. */
  readonly tryCommand?: CommandTrial;
  /** See `checkRequest`. */
  readonly isMet?: IsMet;
  /** See `checkRequest`. */
  readonly probe?: ProbeForClient;
}

/**
 * Plans a request without queuing it, and warns if the job would fail now. Throws INVALID_REQUEST.
 *
 * @param hangUp See `RequestProbes`.
 */
export async function dryRunRequest(
  deps: DryRunDeps,
  caller: Caller,
  request: ConversionRequest,
  hangUp?: AbortSignal,
): Promise<DryRun> {
  const findExpected = await requireParents(deps.jobs, caller, request.after ?? []);
  const probes = new RequestProbes(hangUp);
  const checked = await checkRequest(deps, caller, request, { findExpected, assumesFacts: true, probes });
  const planned = dryRunOf(checked);
  const unfound = await missingSequences(deps.media, caller.root, checked.plan, checked.expected);
  const run = unfound.length === 0 ? planned : { ...planned, warnings: [...planned.warnings, ...unfound] };
  const found = await deps.estimate?.(caller, checked.plan, checked.inputs, hangUp);
  if (found === undefined) return run;
  const warnings = [
    ...run.warnings,
    ...warningsForClient(checked.request, fileWarnings(checked.plan, found, run.warnings)),
  ];
  const tried = warnings.some(isCertainFailure)
    ? undefined
    : await deps.tryCommand?.(caller, checked.request, checked.plan, checked.inputs, hangUp);
  return { ...run, estimate: found.estimate, warnings: [...warnings, ...(tried ?? [])] };
}

/** What a checked request would run. */
export function dryRunOf(checked: CheckedRequest<Plan>): DryRun {
  const { plan } = checked;
  const { preset, parameters } = checked.request;
  return {
    argv: [...(plan.transcript ? [plan.transcript.argv] : []), ...plan.passes].map((words) => [
      'ffmpeg',
      ...hideSecretWords(words),
    ]),
    plan: {
      inputs: plan.inputs.map((input) => ({
        name: input.logical,
        path: input.path,
        ...(input.url !== undefined && { isFetched: true as const }),
      })),
      outputs: plan.outputs.map(({ logical, path, muxer, replace, folder, names, encoders }) => ({
        name: logical,
        path,
        muxer,
        replace,
        files: names.map((name) => [folder, ...name].filter((part) => part !== '')),
        encoders,
      })),
      passes: plan.passes.length,
    },
    ...(preset && { preset: shownPreset(preset), parameters: hideSecrets(parameters ?? {}) }),
    warnings: [...plan.warnings, ...pathWarnings(checked)],
  };
}
