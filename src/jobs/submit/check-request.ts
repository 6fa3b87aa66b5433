import { type AnalysisSpec, usedSettings } from '../../domain/analysis.ts';
import type { Caller } from '../../domain/client.ts';
import type { ConversionRequest } from '../../domain/conversion.ts';
import { hasFallback } from '../../domain/devices.ts';
import { formatOfOptions, nameInFolder } from '../../domain/folder-output.ts';
import { otherSpellings } from '../../domain/foreign-path.ts';
import { type MaybePromise, whenKnown } from '../../domain/maybe-promise.ts';
import { fileInFolder, type MediaPath } from '../../domain/media-path.ts';
import { fileInputs, inspected, type Warning } from '../../domain/plan.ts';
import { priorityError } from '../../domain/priority.ts';
import { type FieldError, invalidRequest, outputIsInput, pointerKey } from '../../domain/problem.ts';
import { inWordsOfClient, warningsForClient } from '../../domain/recipe-options.ts';
import type { ApplyPreset, ApplyPresetOptions } from '../../recipes/apply-preset.ts';
import type { ExpandedRequest } from '../../recipes/expand.ts';
import type { PathStat, PathStats } from '../ports/path-stats.ts';
import type { ClientContext, InputMedia, PlanOfPaths, PlanResult } from '../ports/planner.ts';
import { findHostPaths, type MeantPath } from './host-paths.ts';
import { type InputTimes, withInputTimes } from './input-times.ts';
import { type ProbedClips, type ProbeForClient, probeClips } from './probe-clips.ts';
import { type IsMet, selectFallback } from './select-fallback.ts';
import { tagWarnings } from './tag-warnings.ts';

/** Finds what is wrong with the `callbackUrl` of a request. */
export type CheckCallback = (clientId: string, callbackUrl: string) => Promise<FieldError | undefined>;

export interface CheckedRequest<P extends PlanOfPaths = PlanOfPaths> {
  /** What runs: the request, with its recipe applied. */
  readonly request: ConversionRequest;
  readonly plan: P;
  /** The warnings of the plan that become failures if the output has an encoded stream of `kind`. */
  readonly failing: readonly { readonly kind: NonNullable<Warning['failsWith']>; readonly warning: Warning }[];
  /** In the order of the plan's outputs. */
  readonly outputs: readonly PathStat[];
  /** In the order of the plan's inputs. */
  readonly inputs: readonly PathStat[];
  /** For missing inputs, by index: an existing file whose path is another spelling. */
  readonly meant: ReadonlyMap<number, MediaPath>;
  /** The indexes of missing inputs that jobs will create before this one starts. */
  readonly expected: ReadonlySet<number>;
  /** What outputs probably mean whose paths are those of another machine, by index. */
  readonly hostPaths: ReadonlyMap<number, MeantPath>;
}

interface CheckDeps<P extends PlanOfPaths> {
  readonly planner: (
    request: ConversionRequest,
    context: ClientContext,
    media?: InputMedia,
  ) => MaybePromise<PlanResult<P>>;
  readonly media: PathStats;
  readonly checkCallback?: CheckCallback;
  readonly applyPreset?: ApplyPreset;
  /** Absent if inputs that are joined are probed only when the job runs. */
  readonly probe?: ProbeForClient;
  /** Absent: all workers are live. */
  readonly isMet?: IsMet;
  /** Absent if fixes do not need it. */
  readonly inputTimes?: InputTimes;
}

/** How one request is checked. */
export interface CheckOptions extends ApplyPresetOptions {
  /** Default: no job creates a path before this one starts. */
  readonly findExpected?: FindExpected | undefined;
  /** Whether the recipe of the request is applied already. */
  readonly isApplied?: boolean;
}

/**
 * Checks everything that can be checked before a job runs: applies the recipe, plans the request and stats its paths. A missing input is
 * allowed, because the file may arrive before the job starts. Throws INVALID_REQUEST, also for the warnings about a
 * strict request. Returns a promise only if a check has to wait, for example for a slow disk.
 */
export function checkRequest<P extends PlanOfPaths>(
  deps: CheckDeps<P>,
  caller: Caller,
  sent: ConversionRequest,
  options: CheckOptions = {},
): MaybePromise<CheckedRequest<P>> {
  const explain = async (error: unknown): Promise<never> => {
    throw await withInputTimes(error, sent, async (path) => deps.inputTimes?.(caller, path));
  };
  try {
    const checked = checkSent(deps, caller, sent, options);
    return checked instanceof Promise ? checked.catch(explain) : checked;
  } catch (error) {
    return explain(error);
  }
}

function checkSent<P extends PlanOfPaths>(
  deps: CheckDeps<P>,
  caller: Caller,
  sent: ConversionRequest,
  options: CheckOptions,
): MaybePromise<CheckedRequest<P>> {
  const { callbackUrl } = sent;
  const callbackError = callbackUrl ? deps.checkCallback?.(caller.clientId, callbackUrl) : undefined;
  return whenKnown(callbackError, (wrongCallback) => {
    const wrong = wrongCallback ?? priorityError(sent, caller.policy);
    if (wrong !== undefined) throw invalidRequest([wrong]);
    const isPlain = recipeOf(deps, sent, options) === undefined && !hasFallback(sent);
    return isPlain ? checkPlan(deps, caller, sent, NO_RECIPE, options) : checkApplied(deps, caller, sent, options);
  });
}

/** The recipe that has to be applied to a request. undefined if there is none, or if it is applied already. */
const recipeOf = <P extends PlanOfPaths>(deps: CheckDeps<P>, { preset }: ConversionRequest, options: CheckOptions) =>
  deps.applyPreset === undefined || options.isApplied === true ? undefined : preset;

/** Applies the recipe and the fallback of a request, and checks the request that results. */
async function checkApplied<P extends PlanOfPaths>(
  deps: CheckDeps<P>,
  caller: Caller,
  sent: ConversionRequest,
  options: CheckOptions,
): Promise<CheckedRequest<P>> {
  const preset = recipeOf(deps, sent, options);
  const applied =
    preset === undefined || deps.applyPreset === undefined
      ? { ...NO_RECIPE, request: sent, warning: undefined }
      : await deps.applyPreset(caller, { ...sent, preset }, options);
  const selected = await selectFallback(deps.planner, deps.isMet ?? allLive, caller, applied.request);
  const request = selected?.request ?? applied.request;
  const found = { ...applied, fieldOf: fieldsOf(applied.fieldOf, selected?.fieldOf) };
  const checked = await checkPlan(deps, caller, request, found, options);
  const warnings = [applied.warning, selected?.warning].filter((one) => one !== undefined);
  if (warnings.length === 0) return checked;
  return { ...checked, plan: { ...checked.plan, warnings: [...checked.plan.warnings, ...warnings] } };
}

const allLive: IsMet = async () => true;

const NO_RECIPE: AppliedRecipe = { fieldOf: undefined, warnings: [] };

/** Where the client set a field, after a fallback and a recipe were applied to its request. */
const fieldsOf = (
  ofRecipe: ExpandedRequest['fieldOf'] | undefined,
  ofFallback: ((field: string) => string) | undefined,
): ExpandedRequest['fieldOf'] | undefined =>
  ofFallback === undefined
    ? ofRecipe
    : (field) => {
        const own = ofFallback(field);
        return own === field && ofRecipe !== undefined ? ofRecipe(field) : own;
      };

/** A plan, or the errors in the request. `late`: an input that could not be read in time. */
interface PlannedWithMedia<P extends PlanOfPaths> {
  readonly result: PlanResult<P>;
  readonly late?: ProbedClips['late'];
}

/** Plans a request. If it joins inputs, it plans again with what is in those that are there. */
const planWithMedia = <P extends PlanOfPaths>(
  deps: Pick<CheckDeps<P>, 'planner' | 'probe'>,
  caller: Caller,
  request: ConversionRequest,
  findExpected: FindExpected,
): MaybePromise<PlannedWithMedia<P>> =>
  whenKnown(deps.planner(request, caller), (result) =>
    result.ok && inspected(result.plan) !== undefined
      ? planProbed(deps, caller, request, findExpected, result)
      : { result },
  );

async function planProbed<P extends PlanOfPaths>(
  { planner, probe }: Pick<CheckDeps<P>, 'planner' | 'probe'>,
  caller: Caller,
  request: ConversionRequest,
  findExpected: FindExpected,
  first: PlanResult<P> & { readonly ok: true },
): Promise<PlannedWithMedia<P>> {
  const { media = [], ...probed } =
    (await (probe && probeClips(probe, caller, request, first.plan, findExpected()))) ?? {};
  return { ...probed, result: media.some(Boolean) ? await planner(request, caller, media) : first };
}

const ASSUMED_MEDIA: Warning = {
  field: '/join',
  code: 'ASSUMED_MEDIA',
  message:
    'Not all inputs could be read now: missing ones, URLs and buckets are read when the job runs. The dry run assumes 1920x1080, 25 frames a second and stereo sound of 48 kHz for these.',
  fix: 'The job looks into all inputs before it runs ffmpeg. Upload the files first to see the exact command.',
};

const ASSUMED_SOUND: Warning = {
  field: '/transcribe',
  code: 'ASSUMED_MEDIA',
  message:
    'The input could not be read now: a missing one, a URL or a bucket is read when the job runs. The dry run assumes that it has sound.',
  fix: 'Upload the file first to be sure.',
};

/** What a dry run assumes that only the job finds out. `late`: an input that could not be read in time. */
const assumedMedia = ({ cut, join, transcript }: PlanOfPaths, late: ProbedClips['late']): Warning => {
  if (late !== undefined)
    return {
      field: join !== undefined ? '/join' : cut !== undefined ? '/cut' : '/transcribe',
      code: 'ASSUMED_MEDIA',
      message: `"${late}" could not be read in time, so the dry run assumes what is in it. The job reads it before it runs ffmpeg.`,
      fix: 'Send the dry run again when the service has less to do.',
    };
  if (transcript !== undefined) return ASSUMED_SOUND;
  return cut?.measure === undefined
    ? { ...ASSUMED_MEDIA, ...(cut && { field: '/cut' }) }
    : {
        field: cut.measure.measure.includes('scenes') ? '/cut/keep' : '/cut/remove',
        code: 'ASSUMED_MEDIA',
        message: `The job measures ${cut.measure.measure.join(', ')} before it cuts${settingsText(cut.measure)}. The dry run shows the command for an input without any.`,
        fix: 'To see the parts first, send an analysis of the same measurement, and its intervals in "cut".',
      };
};

/** The settings of a measurement, as a request has them: ` by {"noiseDb":-60,"minSeconds":2}`. */
function settingsText(spec: AnalysisSpec): string {
  const [used] = Object.values(usedSettings(spec) ?? {});
  return used === undefined ? '' : ` by ${JSON.stringify(used)}`;
}

/** What the application of a recipe returned. Without a recipe, `fieldOf` is undefined. */
interface AppliedRecipe extends Pick<ExpandedRequest, 'warnings' | 'misplaced'> {
  readonly fieldOf: ExpandedRequest['fieldOf'] | undefined;
}

/** Replaces the errors about unknown options that are arguments of the recipe. */
function withArguments(errors: readonly FieldError[], misplaced: ExpandedRequest['misplaced']): readonly FieldError[] {
  const unknown = errors.flatMap(({ field, code }) => {
    const [, name] = code === 'UNKNOWN_OPTION' ? (/^\/parameters\/([^/]+)$/.exec(field) ?? []) : [];
    return name === undefined ? [] : [pointerKey(name)];
  });
  const found = unknown.length === 0 ? [] : (misplaced?.(unknown) ?? []);
  return errors.map((one) => found.find(({ field }) => field === one.field) ?? one);
}

/** Plans a request whose recipe is applied, and checks its paths. */
const checkPlan = <P extends PlanOfPaths>(
  deps: CheckDeps<P>,
  caller: Caller,
  request: ConversionRequest,
  recipe: AppliedRecipe,
  options: CheckOptions,
): MaybePromise<CheckedRequest<P>> =>
  whenKnown(planWithMedia(deps, caller, request, options.findExpected ?? noneExpected), (planned) => {
    const { plan, failing } = planForClient(request, planned, recipe, options);
    const paths = [...plan.outputs, ...plan.inputs].map(({ path }) => path);
    return whenKnown(deps.media.statPaths(caller.root, paths), (stats) =>
      checkPaths(deps.media, caller, { request, plan, failing }, stats, options),
    );
  });

/** Returns the plan with its warnings in the fields and words of the client. Throws INVALID_REQUEST for a request that cannot be planned. */
function planForClient<P extends PlanOfPaths>(
  request: ConversionRequest,
  { result, late }: PlannedWithMedia<P>,
  { fieldOf, misplaced, warnings: ofRecipe }: AppliedRecipe,
  { assumesFacts = false }: CheckOptions,
): Pick<CheckedRequest<P>, 'plan' | 'failing'> {
  const { name: recipe = '' } = request.preset ?? {};
  if (!result.ok) {
    const errors = withArguments(result.errors, misplaced);
    throw invalidRequest(fieldOf === undefined ? errors : errors.map(inField(fieldOf, recipe)));
  }
  const { plan: planned } = result;
  const found = [...planned.warnings, ...tagWarnings(request)];
  const inWords = (one: Warning): Warning =>
    fieldOf === undefined || one.field === undefined ? one : inField(fieldOf, recipe)({ ...one, field: one.field });
  const failing = planned.warnings.flatMap((one) => {
    const { failsWith: kind } = one;
    if (kind === undefined) return [];
    return warningsForClient(request, [one], fieldOf).map((shown) => ({ kind, warning: inWords(shown) }));
  });
  const warnings = [...ofRecipe, ...warningsForClient(request, found, fieldOf).map(inWords)];
  if (request.strict === true && warnings.length > 0) throw invalidRequest(warnings.map(strictError));
  if (assumesFacts && inspected(planned)?.isAssumed === true) warnings.push(assumption(planned, late, fieldOf));
  const plan = { ...planned, inputs: fileInputs(planned.inputs), warnings };
  return { plan: fieldOf === undefined ? plan : withFields(plan, fieldOf), failing };
}

/** Compares a plan with what is at its paths. Throws INVALID_REQUEST. */
function checkPaths<P extends PlanOfPaths>(
  media: PathStats,
  caller: Caller,
  { request, plan, failing }: Pick<CheckedRequest<P>, 'request' | 'plan' | 'failing'>,
  stats: readonly PathStat[],
  { findExpected = noneExpected }: CheckOptions,
): MaybePromise<CheckedRequest<P>> {
  const outputs = stats.slice(0, plan.outputs.length);
  const inputs = stats.slice(plan.outputs.length);
  const errors = pathErrors(request, plan, outputs, inputs);
  if (errors.length > 0) throw invalidRequest(errors);
  const isMissing = inputs.some(({ kind }) => kind === 'missing');
  const expected = isMissing ? indexesOf(plan, findExpected()) : NO_INDEXES;
  const otherNames = isMissing ? findMeant(media, caller, plan, inputs, expected) : NONE_MEANT;
  return whenKnown(otherNames, (meant) =>
    whenKnown(findHostPaths(media, caller, { request, plan, meant, inputs }), (hostPaths) => {
      return { request, plan, failing, outputs, inputs, expected, meant, hostPaths };
    }),
  );
}

const noneExpected: FindExpected = () => new Set();
const NO_INDEXES: ReadonlySet<number> = new Set();
const NONE_MEANT: ReadonlyMap<number, MediaPath> = new Map();

const indexesOf = ({ inputs }: PlanOfPaths, paths: ReadonlySet<MediaPath>): ReadonlySet<number> =>
  new Set(inputs.flatMap(({ path }, index) => (paths.has(path) ? [index] : [])));

/** The warning about what a dry run assumes, in the field of the client. */
function assumption(plan: PlanOfPaths, late: ProbedClips['late'], fieldOf: AppliedRecipe['fieldOf']): Warning {
  const warning = assumedMedia(plan, late);
  return warning.field === undefined ? warning : { ...warning, field: fieldOf?.(warning.field) ?? warning.field };
}

/** The same with the field in which the client set it, and in its words. */
const inField =
  (fieldOf: ExpandedRequest['fieldOf'], recipe: string) =>
  <T extends FieldError>(one: T): T => {
    const field = fieldOf(one.field);
    return { ...inWordsOfClient(one, field, recipe), field };
  };

/** A plan whose inputs and outputs name the fields of the request that the client sent. */
function withFields<P extends PlanOfPaths>(plan: P, fieldOf: ExpandedRequest['fieldOf']): P {
  const { inputs, outputs } = plan;
  const sentField = <T extends { readonly field: string }>(one: T): T => ({ ...one, field: fieldOf(one.field) });
  return {
    ...plan,
    inputs: inputs.map(sentField),
    outputs: outputs.map(sentField),
  };
}

/** Returns the paths that jobs will create before this one starts. Called only if an input is missing. */
export type FindExpected = () => ReadonlySet<MediaPath>;

/** The maximum number of missing inputs whose other spellings are looked up. */
const MAX_SEARCHED = 3;

async function findMeant(
  media: PathStats,
  caller: Caller,
  plan: PlanOfPaths,
  inputs: readonly PathStat[],
  expected: ReadonlySet<number>,
): Promise<ReadonlyMap<number, MediaPath>> {
  const meant = new Map<number, MediaPath>();
  const missing = plan.inputs.flatMap(({ path, sequence }, index) =>
    inputs[index]?.kind === 'missing' && sequence === undefined && !expected.has(index) ? [{ path, index }] : [],
  );
  for (const { path, index } of missing.slice(0, MAX_SEARCHED)) {
    const spellings = otherSpellings(path);
    const stats = await media.statPaths(caller.root, spellings);
    const found = spellings.find((_spelling, at) => stats[at]?.kind === 'file');
    if (found !== undefined) meant.set(index, found);
  }
  return meant;
}

/** The error that a warning is in a strict request. */
const strictError = ({ field = '', ...warning }: Warning): FieldError => ({ field, ...warning });

const MISSING: PathStat = { kind: 'missing' };

function pathErrors(
  request: ConversionRequest,
  plan: PlanOfPaths,
  outputs: readonly PathStat[],
  inputs: readonly PathStat[],
): FieldError[] {
  const errors: FieldError[] = [];
  plan.outputs.forEach(({ field, path }, index) => {
    const stat = outputs[index] ?? MISSING;
    if (stat.kind === 'missing' || stat.kind === 'file') return;
    const { format = request.format, parameters = request.parameters } = request.outputs?.[index] ?? {};
    const named = format ?? parameters?.['f']?.toString() ?? formatOfOptions(Object.keys(parameters ?? {}));
    const error = pathError(field, 'output', stat, path, nameInFolder(named, plan.inputs[0]?.path));
    if (error !== undefined) errors.push(error);
  });
  plan.inputs.forEach(({ field, path }, index) => {
    const input = inputs[index] ?? MISSING;
    const inputError = pathError(field, 'input', input, path);
    if (inputError !== undefined) errors.push(inputError);
    if (input.kind !== 'file') return;
    // The last one, if several outputs are the same file.
    const same = outputs.findLastIndex((output) => output.kind === 'file' && output.fileId === input.fileId);
    const output = plan.outputs[same];
    if (output !== undefined) errors.push(outputIsInput(field, output.field, output.path));
  });
  return errors;
}

/**
 * Returns the error if a path cannot be an input or an output; undefined for a file and for a missing path. `name`: that of a
 * file in it, if it is a folder.
 */
export function pathError(
  field: string,
  role: 'input' | 'output',
  stat: PathStat,
  path: MediaPath,
  name?: string,
): FieldError | undefined {
  switch (stat.kind) {
    case 'directory':
      return { field, code: 'IS_DIRECTORY', message: `The ${role} is a folder.`, fix: fileInFolder(path, name) };
    case 'outside':
      return {
        field,
        code: 'OUTSIDE_ROOT',
        message: `The ${role} resolves outside your media root or to a reserved file.`,
        fix: 'Send a path that stays inside your media root.',
      };
    case 'special':
      return {
        field,
        code: 'NOT_A_FILE',
        message: `The ${role} is a device, pipe or socket.`,
        fix: 'Send the path of a file.',
      };
    default:
      return undefined;
  }
}
