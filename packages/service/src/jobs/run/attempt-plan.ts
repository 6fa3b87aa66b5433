import type { AnalysisSpec, Interval, Measurements } from '@telecine/contract/domain/analysis.ts';
import { type ConversionRequest, type Parameters, pathOfInput } from '@telecine/contract/domain/conversion.ts';
import { CUT_LIMITS, CUT_MEASUREMENTS } from '@telecine/contract/domain/cut.ts';
import { fallbackOf } from '@telecine/contract/domain/devices.ts';
import { type Failure, JobFailed } from '@telecine/contract/domain/failure.ts';
import type { Job } from '@telecine/contract/domain/job.ts';
import type { Requirements } from '@telecine/contract/domain/lane.ts';
import { isVideoNotCover } from '@telecine/contract/domain/media-info.ts';
import { fileInputs, inspected, type Plan, type ProbedInput, type Warning } from '@telecine/contract/domain/plan.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { inWordsOfRecipe } from '@telecine/contract/domain/recipe-options.ts';
import { suggest } from '@telecine/contract/domain/suggest.ts';
import type { ProbedFile } from '@telecine/ffmpeg/probe/plan-probe.ts';
import type { ClipToProbe } from '@telecine/ffmpeg/probe/probe-clip.ts';
import { probeParameters, readProbeOptions } from '@telecine/ffmpeg/probe/probe-options.ts';
import { CLIENT_REVOKED } from '../end-job.ts';
import type { ClientContext, ClipProber, InputMedia, Planner } from '../ports/ffmpeg.ts';
import type { StagedInput } from '../ports/media-store.ts';
import { retryWhileUnavailable } from './outage-retries.ts';

export interface PlanJobDeps {
  /** Returns the current media root and limits of a client. They may have changed since the submission. */
  readonly clientContextOf: (clientId: string) => Promise<ClientContext>;
  readonly planner: Planner;
  /**
   * Returns the needs of a job that this worker cannot run but another registered build can. undefined: no other build
   * can run it.
   */
  readonly needsElsewhere: (
    request: Job['request'],
    context: ClientContext,
  ) => Promise<Requirements['needs'] | undefined>;
}

/** The plan of a job on this worker, with the media root and the limits of its client. */
export interface PlannedJob {
  readonly plan: Plan;
  readonly context: ClientContext;
  /** Why the fallback of the request runs instead. Absent if the request itself runs. */
  readonly replacedBecause?: string;
}

/**
 * Plans a claimed job for the ffmpeg of this worker. If only another worker can run the job, resolves to the needs of
 * the job. Waits while the database is unavailable. Throws the reason of an abort. Throws CANCELLED if the client was
 * revoked, and UNSUPPORTED if no worker can run the job.
 */
export async function planJob(
  deps: PlanJobDeps,
  job: Job,
  signal: AbortSignal,
): Promise<PlannedJob | { readonly needs: Requirements['needs'] }> {
  const waitForStore = <T>(work: () => Promise<T>): Promise<T> => retryWhileUnavailable(work, signal);
  const context = await waitForStore(() => deps.clientContextOf(job.clientId));
  if (context.isRevoked) throw new JobFailed(CLIENT_REVOKED);
  const planned = await waitForStore(() => deps.planner(job.request, context));
  if (planned.ok) return { plan: planned.plan, context };
  const needs = await waitForStore(() => deps.needsElsewhere(job.request, context));
  if (needs !== undefined) return { needs };
  const reason = planned.errors[0]?.message;
  const other = await planFallback(deps, job, context, reason ?? '', signal);
  if (other === undefined) throw new JobFailed(noLongerSupported(reason));
  return other;
}

/** Plans the fallback of a job. Resolves to undefined if the job has no fallback or this worker cannot run it. */
export async function planFallback(
  { planner }: Pick<PlanJobDeps, 'planner'>,
  { request }: Pick<Job, 'request'>,
  context: ClientContext,
  reason: string,
  signal: AbortSignal,
): Promise<PlannedJob | undefined> {
  const fallback = fallbackOf(request);
  if (fallback === undefined) return undefined;
  const planned = await retryWhileUnavailable(() => planner(fallback, context), signal);
  return planned.ok ? { plan: planned.plan, context, replacedBecause: reason } : undefined;
}

/** The failure of an accepted job that no worker can run any more, because the builds or the sandbox have changed. */
const noLongerSupported = (reason: string | undefined): Failure => ({
  code: 'UNSUPPORTED',
  message: `The worker cannot run this job: ${reason ?? 'the installed ffmpeg no longer supports the request.'}`,
});

export interface JoinDeps {
  readonly planner: Planner;
  /** Probes a staged input. Absent if this worker has no ffprobe. */
  readonly probeClip?: ClipProber;
}

/** The plan with which a job runs. `warnings`: warnings that the plan before staging did not have. */
export interface FinalPlan {
  readonly plan: Plan;
  readonly warnings: readonly Warning[];
}

/** How many inputs are probed at the same time. A probe uses one core for 50 ms. */
const AT_ONCE = 2;

/** Runs an analysis of the staged inputs of a job. Throws the failure of the run. */
export type MeasureInputs = (plan: Plan) => Promise<Measurements>;

/**
 * Plans a job again after its inputs are staged, if the job joins, cuts or transcribes them, because that depends on
 * their contents. Throws a failure if an input does not fit.
 */
export async function planWithInputs(
  { planner, probeClip }: JoinDeps,
  job: Pick<Job, 'request' | 'warnings'>,
  { plan, context }: PlannedJob,
  staged: readonly StagedInput[],
  signal: AbortSignal,
  measure: MeasureInputs,
): Promise<FinalPlan> {
  const { join, seeks = [] } = plan;
  const inspectedInputs = inspected(plan);
  if (inspectedInputs === undefined && (seeks.length === 0 || probeClip === undefined)) return { plan, warnings: [] };
  if (probeClip === undefined) throw new JobFailed(NO_FFPROBE);
  const planned = async (request: ConversionRequest, media?: InputMedia): Promise<Plan> => {
    const result = await planner(request, context, media);
    if (!result.ok) throw new JobFailed(inWordsOfRecipe(failureOf(result.errors), job.request));
    return result.plan;
  };
  const files = fileInputs(plan.inputs);
  const probe = async (
    index: number,
    clip: Omit<ClipToProbe, keyof ProbedFile>,
    parameters: Parameters = {},
  ): Promise<ProbedInput | undefined> => {
    const one = plan.inputs[index];
    const input = one && staged[files.indexOf(one)];
    if (one === undefined || input === undefined) return undefined;
    const { path, logical } = one;
    const probed = await probeClip(
      { ...clip, path, logical, options: readProbeOptions(probeParameters(parameters), []) },
      input,
      signal,
    );
    if (!probed.ok) throw new JobFailed(probed.failure);
    return probed.media;
  };
  if (inspectedInputs === undefined) {
    const media: (ProbedInput | undefined)[] = plan.inputs.map(() => undefined);
    // The run itself says what is wrong with an input that cannot be probed.
    for (const { input, ...seek } of seeks) {
      const known = media[input];
      media[input] = (await probe(input, { ...seek, ...(known && { known }) }).catch(ignoreFailure)) ?? known;
    }
    return { plan: await planned(job.request, media), warnings: [] };
  }
  const needsLength = plan.cut !== undefined || join?.mode === 'encode';
  const probed = await inTurns(inspectedInputs.clips, (index, at) =>
    probe(
      index,
      { start: plan.cut === undefined ? (inspectedInputs.starts[at] ?? 0) : 0, needsLength, needsHeaders: true },
      inspectedInputs.parameters?.[at],
    ),
  );
  const media: (ProbedInput | undefined)[] = plan.inputs.map(() => undefined);
  for (const [at, index] of inspectedInputs.clips.entries()) media[index] = probed[at];
  const [video] = media;
  if (plan.cut !== undefined && video !== undefined) {
    const { measure: spec } = plan.cut;
    const toRun = spec && toMeasure(job.request, { ...spec, ...silentTailOf(video, spec) });
    const measured = toRun && partsIn(await measure(await planned(toRun)), job.request);
    const known = { ...video, ...(measured && { measured }) };
    media[0] = known;
    const { cut } = await planned(job.request, media);
    if (cut?.mode === 'copy')
      media[0] = {
        ...known,
        keys: (
          await inTurns(cut.starts, (start) =>
            probe(0, { start, needsLength: false, needsHeaders: true, known: video }),
          )
        ).map((one) => one?.keySeconds),
      };
  }
  const final = await planned(job.request, media);
  const known = new Set([...plan.warnings, ...(job.warnings ?? [])].flatMap(keysOf));
  const added = final.warnings.filter((one) => !keysOf(one).some((key) => known.has(key)));
  return { plan: final, warnings: added.map((one) => inWordsOfRecipe(one, job.request)) };
}

/** Returns undefined for a failure of a probe. Throws other errors, such as the reason of an abort. */
function ignoreFailure(error: unknown): undefined {
  if (!(error instanceof JobFailed)) throw error;
}

async function inTurns<T, R>(items: readonly T[], work: (item: T, index: number) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE)
    results.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map((item, index) => work(item, at + index)))));
  return results;
}

const toMeasure = (
  { input, inputs: [first = ''] = [] }: ConversionRequest,
  analysis: AnalysisSpec,
): ConversionRequest => ({
  input: input ?? pathOfInput(first) ?? '',
  analysis,
});

/** The minimum length of a silent end, in seconds. A shorter one may be only a missing frame of audio. */
const NOTICEABLE_TAIL = 0.05;

/**
 * Returns for how long a video continues after its audio has ended, because that part is silent too. Returns {} for
 * less than `NOTICEABLE_TAIL`.
 */
function silentTailOf({ format, streams }: ProbedInput, { measure }: AnalysisSpec): Pick<AnalysisSpec, 'silentTail'> {
  const audio = streams.find(({ type }) => type === 'audio');
  if (!measure.includes('silence') || !streams.some(isVideoNotCover) || audio?.durationSeconds === undefined) return {};
  const late = Math.max(0, (audio.startSeconds ?? 0) - (format.startSeconds ?? 0));
  const silentTail = Number(((format.durationSeconds ?? 0) - late - audio.durationSeconds).toFixed(3));
  return silentTail >= NOTICEABLE_TAIL ? { silentTail } : {};
}

/** Returns the measured parts or scenes. Throws if there are more parts than an output may have. */
function partsIn(measurements: Measurements, request: ConversionRequest): readonly Interval[] {
  const { scenes } = measurements;
  if (scenes !== undefined) return scenesBetween(scenes.changes.map(({ at }) => at));
  const found = CUT_MEASUREMENTS.flatMap((one) => measurements[one] ?? []);
  const count = found.reduce((sum, one) => sum + one.count, 0);
  if (count > CUT_LIMITS.ranges) throw new JobFailed(inWordsOfRecipe(tooManyParts(count), request));
  return found.flatMap(({ intervals }) => intervals);
}

const tooManyParts = (count: number): Failure => ({
  code: 'INPUT_INVALID',
  message: `"remove" finds ${count} parts in the input; at most ${CUT_LIMITS.ranges} can be removed.`,
  fix: 'Send a longer "minSeconds", so that fewer parts are found.',
});

const scenesBetween = (changes: readonly number[]): readonly Interval[] =>
  [0, ...changes.filter((at) => at > 0)].map((start, index, all) => ({
    start,
    end: all[index + 1] ?? Number.POSITIVE_INFINITY,
  }));

/**
 * Returns the keys by which two warnings are recognised as the same. If an argument of a recipe sets an option, the
 * warnings about the argument and about the option have the same text but different fields.
 */
const keysOf = ({ field, code, message }: Warning): readonly string[] => [`${field} ${code}`, `${message} ${code}`];

/** The failure of a job whose inputs do not fit together. It has the text of the first error of the plan. */
function failureOf([error]: readonly FieldError[]): Failure {
  const { message = 'The inputs cannot be joined, cut or transcribed.', fix } = (error && suggest(error)) ?? {};
  return { code: 'INPUT_INVALID', message, ...(fix === undefined ? {} : { fix }) };
}

const NO_FFPROBE: Failure = {
  code: 'UNSUPPORTED',
  message: 'This worker has no ffprobe, which it needs to join, cut or transcribe inputs.',
  fix: 'Ask the operator to install ffprobe, which comes with ffmpeg.',
};
