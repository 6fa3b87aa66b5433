import type { Caller } from '@telecine/contract/domain/client.ts';
import { warningsForClient } from '@telecine/contract/domain/client-words.ts';
import type { ConversionRequest, InputSpec, Parameters } from '@telecine/contract/domain/conversion.ts';
import type { ConversionEstimate } from '@telecine/contract/domain/estimate.ts';
import { inputView } from '@telecine/contract/domain/input-view.ts';
import type { Plan, PlannedOutput, Warning } from '@telecine/contract/domain/plan.ts';
import type { PlannedName } from '@telecine/contract/domain/planned-names.ts';
import { invalidRequest } from '@telecine/contract/domain/problem.ts';
import { type Preset, type Recipe, shownPreset } from '@telecine/contract/domain/recipe.ts';
import { hideSecrets, hideSecretWords } from '@telecine/contract/domain/secret-options.ts';
import { plannedSizeText } from '@telecine/ffmpeg/sampling/choosers/frame-size.ts';
import { RequestProbes } from '../../recipes/request-probes.ts';
import type { ChunkWorker } from '../../workers/worker-operations.ts';
import type { SharingWorker } from '../chunk-length.ts';
import { autoLength } from '../chunk-length.ts';
import type { CommandTrial, Estimated, Estimator } from '../ports/ffmpeg.ts';
import type { JobStore } from '../ports/job-store.ts';
import type { PathStats } from '../ports/media-store.ts';
import { type CheckDeps, type CheckedRequest, checkRequest } from './check-request.ts';
import { requireParents } from './parents.ts';
import { fileWarnings, missingSequences, pathWarnings } from './request-warnings.ts';

export interface DryRun {
  /** One argv for each pass. The first word is the name of the program. Files have their logical names. */
  readonly argv: readonly (readonly string[])[];
  readonly plan: {
    /**
     * `path`: the path of the input. `name`: its logical name in the argv. `isFetched`: the input is at a URL and is
     * fetched when the job runs.
     */
    readonly inputs: readonly { readonly name: string; readonly path: string; readonly isFetched?: true }[];
    readonly outputs: readonly {
      readonly name: string;
      readonly path: string;
      readonly muxer: string;
      readonly replace: boolean;
      /** The paths of all files that the job can publish for this output. */
      readonly files: readonly PlannedName[];
      readonly encoders: PlannedOutput['encoders'];
    }[];
    readonly passes: number;
    /** Present if the request asks for chunks. `reason`: why the job runs whole, or what `auto` has chosen. */
    readonly chunks?: { readonly isWhole: boolean; readonly reason?: string };
    /** Present if the request has `frameSize`: how the job chooses the size. */
    readonly frameSize?: string;
  };
  /** The applied recipe: its version, all its arguments, and the names of the options that it has set. */
  readonly preset?: Preset;
  /** The options and inputs of the request with those of the recipe. Present with `preset`. */
  readonly parameters?: Parameters;
  readonly inputs?: readonly (string | InputSpec)[];
  /** Absent for requests of a batch. */
  readonly estimate?: ConversionEstimate;
  readonly warnings: readonly Warning[];
}

/**
 * Codes of warnings with which the job will certainly fail if the files stay as they are. INPUT_NOT_FOUND is not among
 * them, because a missing input may still arrive.
 */
const CERTAIN: ReadonlySet<string> = new Set([
  'NOTHING_LEFT',
  'UNSUPPORTED_FORMAT',
  'INPUT_INVALID',
  'UNSUPPORTED',
  'FFMPEG_FAILED',
  'OUTPUT_EXISTS',
]);

export interface ForesightDeps {
  readonly media: PathStats;
  /** Absent: nothing is estimated. */
  readonly estimate?: Estimator;
  /** Absent: no command is tried. */
  readonly tryCommand?: CommandTrial;
}

interface Foresight {
  readonly warnings: readonly Warning[];
  /** Absent if nothing was estimated. */
  readonly estimate?: ConversionEstimate;
}

/**
 * Throws INVALID_REQUEST if the job of a checked request would certainly fail: because of the request, an existing
 * output, the contents of an input, or a trial of the command. Otherwise, returns the warnings. `hangUp`: an abort ends
 * the probes.
 */
export async function rejectCertainFailure(
  deps: ForesightDeps,
  caller: Caller,
  checked: CheckedRequest<Plan>,
  hangUp?: AbortSignal,
): Promise<Foresight> {
  const known = [...checked.plan.warnings, ...pathWarnings(checked)];
  rejectAll(known.filter(isCertainFailure));
  const unfound = await missingSequences(deps.media, caller.root, checked.plan, checked.expected);
  const found = await deps.estimate?.(caller, checked.plan, checked.inputs, hangUp);
  if (found === undefined) return { warnings: unfound };
  const warnings = warningsForClient(checked.request, fileWarnings(checked.plan, found, known));
  // A warning about an encoder counts only if every output certainly encodes a stream of its kind.
  const failing = checked.failing.flatMap(({ kind, warning }) => (found.encoded.has(kind) ? [warning] : []));
  rejectAll([...failing, ...warnings.filter(isCertainFailure)]);
  rejectAll(await tryChecked(deps, caller, checked, hangUp));
  return { warnings: [...warnings, ...unfound], estimate: found.estimate };
}

/** Tries the command of a checked request. */
const tryChecked = async (
  { tryCommand }: Pick<ForesightDeps, 'tryCommand'>,
  caller: Caller,
  { request, planned, inputs }: CheckedRequest<Plan>,
  hangUp: AbortSignal | undefined,
): Promise<readonly Warning[]> =>
  warningsForClient(request, (await tryCommand?.(caller, request, planned, inputs, hangUp)) ?? []);

/** Returns whether a warning says that the job would certainly fail. */
export const isCertainFailure = ({ code }: Pick<Warning, 'code'>): boolean => CERTAIN.has(code);

/** Throws INVALID_REQUEST with these warnings as errors, if there are any. */
export function rejectAll(failing: readonly Warning[]): void {
  if (failing.length > 0)
    throw invalidRequest(
      failing.map(({ field = '', code, message, fix }) => ({
        field,
        code,
        message,
        ...(fix !== undefined && { fix }),
      })),
    );
}

/** Returns those of the live workers that would share a job in chunks. */
export type SharingWorkersOf = (live: readonly ChunkWorker[]) => readonly SharingWorker[];

export interface DryRunDeps extends CheckDeps<Plan>, Pick<ForesightDeps, 'estimate' | 'tryCommand'> {
  readonly jobs: Pick<JobStore, 'getMany'>;
  /** Absent: dry runs do not say what `"chunks": "auto"` does. */
  readonly sharingWorkers?: SharingWorkersOf | undefined;
}

/**
 * Plans a request without queuing it. Warns if the job would fail now. Throws INVALID_REQUEST.
 *
 * @param options.unstored See `ApplyPresetOptions`.
 */
export async function dryRunRequest(
  deps: DryRunDeps,
  caller: Caller,
  request: ConversionRequest,
  hangUp?: AbortSignal,
  { unstored }: { readonly unstored?: Recipe | undefined } = {},
): Promise<DryRun> {
  const findExpected = await requireParents(deps.jobs, caller, request.after ?? []);
  const probes = new RequestProbes(hangUp);
  const how = { findExpected, assumesFacts: true, probes, unstored };
  const checked = await checkRequest(deps, caller, request, how);
  const planned = dryRunOf(checked);
  const unfound = await missingSequences(deps.media, caller.root, checked.plan, checked.expected);
  const run = unfound.length === 0 ? planned : { ...planned, warnings: [...planned.warnings, ...unfound] };
  const found = await deps.estimate?.(caller, checked.plan, checked.inputs, hangUp);
  if (found === undefined) return run;
  const shown = (some: readonly Warning[]): readonly Warning[] => warningsForClient(checked.request, some);
  const warnings = [...run.warnings, ...shown(fileWarnings(checked.plan, found, run.warnings))];
  const tried = warnings.some(isCertainFailure) ? [] : await tryChecked(deps, caller, checked, hangUp);
  const { chunks, estimate } = sharedChunks(deps, caller, request, run.plan, found);
  return {
    ...run,
    plan: { ...run.plan, ...(chunks && { chunks }) },
    estimate,
    warnings: [...warnings, ...tried],
  };
}

/** What chunks do with an input of the estimated length: what `"auto"` chooses, and how long the job takes. */
function sharedChunks(
  { sharingWorkers }: Pick<DryRunDeps, 'sharingWorkers'>,
  { policy }: Caller,
  { chunks: requested }: ConversionRequest,
  { chunks }: Pick<DryRun['plan'], 'chunks'>,
  { estimate, workers = [] }: Pick<Estimated, 'estimate' | 'workers'>,
): Pick<DryRun['plan'], 'chunks'> & { readonly estimate: ConversionEstimate } {
  const length = Math.max(...estimate.outputs.map(({ durationSeconds = Number.NaN }) => durationSeconds));
  if (requested === undefined || requested === 'off' || chunks?.isWhole !== false) return { estimate };
  if (sharingWorkers === undefined || !(length > 0)) return { estimate };
  const sharing = sharingWorkers(workers);
  const seconds = requested === 'auto' ? autoLength(length, sharing, policy.running) : requested.seconds;
  if (typeof seconds !== 'number') return { chunks: { isWhole: true, reason: seconds.whole }, estimate };
  const shared = `${sharing.length} workers share the input, in chunks of about ${Math.round(seconds)} s.`;
  return {
    ...(requested === 'auto' && { chunks: { isWhole: false, reason: shared } }),
    estimate: {
      ...estimate,
      time: timeInChunks(estimate.time, Math.min(sharing.length, policy.running ?? sharing.length)),
    },
  };
}

/** The time if the other workers take chunks at once. If they stay busy, the worker of the job encodes all chunks itself. */
function timeInChunks({ seconds, ...others }: ConversionEstimate['time'], workers: number): ConversionEstimate['time'] {
  if (seconds === undefined) return others;
  const share = (one: number): number => Number((one / Math.max(1, workers)).toPrecision(2));
  return { ...others, seconds: { low: share(seconds.low), likely: share(seconds.likely), high: seconds.high } };
}

function chunksOf({ plan: { chunks } }: { readonly plan: Pick<Plan, 'chunks'> }): Pick<DryRun['plan'], 'chunks'> {
  if (chunks === undefined) return {};
  return { chunks: 'whole' in chunks ? { isWhole: true, reason: chunks.whole } : { isWhole: false } };
}

export function dryRunOf(checked: CheckedRequest<Plan>): DryRun {
  const { plan } = checked;
  const { preset, parameters = {}, input = '', inputs = [input] } = checked.request;
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
      ...chunksOf(checked),
      ...(plan.search?.choose === 'frameSize' && { frameSize: plannedSizeText(plan.search) }),
    },
    ...(preset && {
      preset: shownPreset(preset),
      parameters: hideSecrets(parameters),
      inputs: inputs.map(inputView),
    }),
    warnings: [...plan.warnings, ...pathWarnings(checked)],
  };
}
