import { type AnalysisSpec, usedSettings } from '@telecine/contract/domain/analysis.ts';
import type { Caller } from '@telecine/contract/domain/client.ts';
import { errorsForClient, warningsForClient } from '@telecine/contract/domain/client-words.ts';
import type { ConversionRequest } from '@telecine/contract/domain/conversion.ts';
import { measuredBy } from '@telecine/contract/domain/cut.ts';
import { deviceNeed, fallbackOf } from '@telecine/contract/domain/devices.ts';
import { leaveOut } from '@telecine/contract/domain/edit.ts';
import type { Requirements } from '@telecine/contract/domain/lane.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { originOf, originsOf } from '@telecine/contract/domain/origins.ts';
import { fileInputs, type Warning } from '@telecine/contract/domain/plan.ts';
import { type FieldError, invalidRequest, Problem } from '@telecine/contract/domain/problem.ts';
import type { RecipeDefinition } from '@telecine/contract/domain/recipe.ts';
import { isApplied } from '@telecine/contract/domain/sent-request.ts';
import type { ApplyPreset, ApplyPresetOptions } from '../../recipes/apply-preset.ts';
import type { UnreadRequest } from '../../recipes/apply-recipe.ts';
import type { PlanOfPaths, PlanResult } from '../ports/ffmpeg.ts';
import type { InputReading, RequestPlanner } from './probed-plans.ts';
import { tagWarnings } from './request-warnings.ts';

/** Returns whether a live worker meets the needs of a job. Also returns true while no worker is live. */
type IsMet = (needs: Requirements['needs']) => Promise<boolean>;

export interface PrepareDeps<P extends PlanOfPaths> {
  readonly planner: RequestPlanner<P>;
  readonly applyPreset?: ApplyPreset;
  /** Absent: all needs count as met. */
  readonly isMet?: IsMet;
}

export interface PrepareOptions extends ApplyPresetOptions, InputReading {}

/**
 * A request that is ready to run: its recipe is applied, and it has a plan. Its warnings use the fields and words of
 * the client.
 */
export interface PreparedRequest<P extends PlanOfPaths = PlanOfPaths> {
  /** The request that runs: the request of the client with its recipe applied, or its fallback. */
  readonly request: ConversionRequest;
  /** The request that a job keeps: what was sent, with the definition of its recipe. */
  readonly stored: ConversionRequest;
  /** Whether `request` has facts that are assumed about its first input. */
  readonly areFactsAssumed: boolean;
  readonly plan: P;
  /** The plan as it runs: with inputs from filtergraphs too, and with the fields of `request`. */
  readonly planned: P;
  /** The warnings of the plan that become errors if the output encodes a stream of `kind`. */
  readonly failing: readonly { readonly kind: NonNullable<Warning['failsWith']>; readonly warning: Warning }[];
}

/** The request that runs. */
interface Source extends UnreadRequest {
  readonly recipe?: RecipeDefinition;
  readonly usesFallback?: true;
  /** Warnings about assumptions and replacements. They do not make a strict request invalid. */
  readonly notes: readonly Warning[];
}

interface PlannedSource<P extends PlanOfPaths> extends Source {
  readonly result: PlanResult<P>;
}

/**
 * Applies the recipe of a request, plans the request, and replaces it by its fallback if no worker has the needed
 * device. Throws INVALID_REQUEST, also for warnings about a strict request.
 */
export async function prepareRequest<P extends PlanOfPaths>(
  deps: PrepareDeps<P>,
  caller: Caller,
  sent: ConversionRequest,
  options: PrepareOptions,
): Promise<PreparedRequest<P>> {
  const source = await applyRecipe(deps, caller, sent, options);
  const { recipe, withoutFacts } = source;
  const prepare = async (one: Source) => {
    const planned = await planSource(deps, caller, one, options);
    return { ...forClient(planned, options), usesFallback: planned.usesFallback };
  };
  const { usesFallback, ...prepared } = await prepare(source).catch((error: unknown) => {
    const isOfRequest = error instanceof Problem && error.code === 'INVALID_REQUEST';
    if (withoutFacts === undefined || !isOfRequest) throw error;
    // What is wrong only with assumed facts may be right for the file.
    return prepare({ ...source, ...withoutFacts() });
  });
  return {
    ...prepared,
    stored: { ...sent, ...(recipe && { recipe }), ...(usesFallback && { usesFallback }) },
    areFactsAssumed: withoutFacts !== undefined,
  };
}

async function applyRecipe(
  { applyPreset }: Pick<PrepareDeps<PlanOfPaths>, 'applyPreset'>,
  caller: Caller,
  sent: ConversionRequest,
  options: PrepareOptions,
): Promise<Source> {
  const { preset } = sent;
  if (preset === undefined || applyPreset === undefined || isApplied(sent))
    return { request: sent, warnings: [], notes: [] };
  const { warning, ...applied } = await applyPreset(caller, { ...sent, preset }, options);
  return { ...applied, notes: warning === undefined ? [] : [warning] };
}

async function planSource<P extends PlanOfPaths>(
  deps: PrepareDeps<P>,
  caller: Caller,
  source: Source,
  reading: InputReading,
): Promise<PlannedSource<P>> {
  const fallback = fallbackOf(source.request);
  const planned = { ...source, result: await deps.planner(source.request, caller, reading) };
  return fallback === undefined ? planned : selectFallback(deps, caller, planned, { request: fallback, reading });
}

/**
 * Returns the fallback if no live worker has the needed device. Throws INVALID_REQUEST for errors of the fallback even
 * if it is not needed now, because it may have to run later.
 */
async function selectFallback<P extends PlanOfPaths>(
  { planner, isMet }: PrepareDeps<P>,
  caller: Caller,
  preferred: PlannedSource<P>,
  fallback: { readonly request: ConversionRequest; readonly reading: InputReading },
): Promise<PlannedSource<P>> {
  const { request, result, notes } = preferred;
  const planned = await planner(fallback.request, caller, fallback.reading);
  if (!planned.ok) throw invalidRequest(errorsForClient(fallback.request, planned.errors));
  const other = { ...preferred, request: fallback.request, usesFallback: true as const, result: planned };
  const field = request.fallback === undefined ? '/outputs' : '/fallback';
  const replacedBecause = (reason: string) => ({ ...other, notes: [...notes, replaced(field, reason)] });
  if (!result.ok) {
    const reason = result.errors.find(({ code }) => code === 'NEEDS_DEVICE')?.message;
    // The plan failed, but not for lack of a device (NEEDS_DEVICE). Then the fallback does not help.
    return reason === undefined ? preferred : replacedBecause(reason);
  }
  const { devices = [] } = result.plan;
  if (devices.length === 0) return { ...preferred, notes: [...notes, noDevice(field)] };
  const isLive = isMet === undefined || (await isMet(devices.map(deviceNeed)));
  return isLive ? preferred : replacedBecause('No live worker has the hardware device.');
}

const replaced = (field: string, reason: string): Warning => ({
  field,
  code: 'DEVICE_FALLBACK',
  message: `${reason} So "fallback" replaces "parameters".`,
});

const noDevice = (field: string): Warning => ({
  field,
  code: 'NO_EFFECT',
  message: 'The request uses no hardware device, so "fallback" never replaces "parameters".',
  fix: leaveOut('fallback'),
});

/**
 * Returns the plan, with warnings in the fields and words of the client. Throws INVALID_REQUEST if the request cannot
 * be planned.
 */
function forClient<P extends PlanOfPaths>(
  source: PlannedSource<P>,
  { assumesFacts = false }: PrepareOptions,
): Pick<PreparedRequest<P>, 'request' | 'plan' | 'planned' | 'failing'> {
  const { request, result } = source;
  if (!result.ok) throw invalidRequest(errorsForClient(request, result.errors));
  const { plan: planned } = result;
  const shown = (some: readonly Warning[]): readonly Warning[] => warningsForClient(request, some);
  const failing = planned.warnings.flatMap((one) => {
    const { failsWith: kind } = one;
    return kind === undefined ? [] : shown([one]).map((warning) => ({ kind, warning }));
  });
  const warnings = [...source.warnings, ...shown([...planned.warnings, ...tagWarnings(request)])];
  if (request.strict === true && warnings.length > 0) throw invalidRequest(warnings.map(strictError));
  const origins = originsOf(request);
  const inSentField = <T extends { readonly field: string }>(one: T): T => ({
    ...one,
    field: originOf(origins, one.field).field,
  });
  if (assumesFacts && planned.assumes) warnings.push(inSentField(assumedMedia(request, planned.assumes.unread)));
  warnings.push(...source.notes);
  const inputs = fileInputs(planned.inputs).map(inSentField);
  const plan = { ...planned, inputs, outputs: planned.outputs.map(inSentField), warnings };
  return { request, planned, failing, plan };
}

/** Converts a warning about a strict request to an error. */
const strictError = ({ field = '', ...warning }: Warning): FieldError => ({ field, ...warning });

type FieldWarning = Warning & { readonly field: string };

/**
 * The warning of a dry run about assumptions that only the job can check. `unread`: an input that could not be read in
 * time.
 */
function assumedMedia({ cut, join, transcribe }: ConversionRequest, unread: MediaPath | undefined): FieldWarning {
  const code = 'ASSUMED_MEDIA';
  if (unread !== undefined)
    return {
      field: join !== undefined ? '/join' : cut !== undefined ? '/cut' : '/transcribe',
      code,
      message: `"${unread}" could not be read in time, so the dry run assumes its contents. The job reads it before it runs ffmpeg.`,
      fix: 'Send the dry run again when the service has less to do.',
    };
  if (transcribe !== undefined)
    return {
      field: '/transcribe',
      code,
      message:
        'The input cannot be read now: a missing file, a URL or a file in a bucket is read when the job runs. The dry run assumes that it has audio.',
      fix: 'Upload the file first to be sure.',
    };
  const measured = cut && measuredBy(cut);
  if (measured === undefined)
    return {
      field: cut === undefined ? '/join' : '/cut',
      code,
      message:
        'Not all inputs can be read now: missing files, URLs and files in buckets are read when the job runs. The dry run assumes 1920x1080, 25 frames a second and stereo audio of 48 kHz for these.',
      fix: 'The job probes all inputs before it runs ffmpeg. Upload the files first to see the exact command.',
    };
  const { measure } = measured;
  return {
    field: measure.includes('scenes') ? '/cut/keep' : '/cut/remove',
    code,
    message: `The job first measures ${measure.join(', ')}${settingsText(measured)}, and then cuts. The dry run measures nothing: it shows the command for an input without any ${measure.join(' or ')}.`,
    fix: 'To see the parts first, send an analysis of the same measurement, and its intervals in "cut".',
  };
}

/** Returns the settings of a measurement as text for a message, such as ` with {"noiseDb":-60,"minSeconds":2}`. */
function settingsText(spec: AnalysisSpec): string {
  const [used] = Object.values(usedSettings(spec) ?? {});
  return used === undefined ? '' : ` with ${JSON.stringify(used)}`;
}
