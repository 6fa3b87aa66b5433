import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConversionRequest } from '@telecine/contract/domain/conversion.ts';
import { AttemptDeferred } from '@telecine/contract/domain/failure.ts';
import { whenKnown } from '@telecine/contract/domain/maybe-promise.ts';
import type { Plan } from '@telecine/contract/domain/plan.ts';
import { lazily } from '@telecine/contract/domain/remember.ts';
import { BuildUnavailable, fileStamp } from '@telecine/ffmpeg/catalogue/build.ts';
import { type Catalogue, type MissingFacts, stillMissing } from '@telecine/ffmpeg/catalogue/catalogue.ts';
import { type CatalogueSource, FactsMissing } from '@telecine/ffmpeg/catalogue/registered-catalogue.ts';
import { buildUnavailable, conversionFault, testTools, toolsUnusable } from '@telecine/ffmpeg/catalogue/tool-faults.ts';
import { type AnalysisRequest, isAnalysis, planAnalysis } from '@telecine/ffmpeg/plan/analysis/plan-analysis.ts';
import { planCache, type RequestShape, requestShape, type ShapePlan } from '@telecine/ffmpeg/plan/plan-cache.ts';
import { type PlanForBuilds, type PlanStep, planSteps } from '@telecine/ffmpeg/plan/plan-step.ts';
import { outputSeconds, workloadOf } from '@telecine/ffmpeg/plan/workload.ts';
import type { ConversionRun, RunOutcome } from '@telecine/ffmpeg/run/conversion-run.ts';
import { CORES } from '@telecine/ffmpeg/sandbox/limits.ts';
import type { Toolchain } from '@telecine/ffmpeg/toolchain.ts';
import { type FindBuilds, NoWorker } from '../../workers/builds.ts';
import type { KnownBuilds } from '../../workers/registered-builds.ts';
import type {
  ClientContext,
  Converter,
  InputMedia,
  MeasuredRun,
  Planner,
  PlanResult,
  SubmissionPlanner,
  SubmittedPlan,
} from '../ports/ffmpeg.ts';
import type { ConverterFiles } from '../ports/media-store.ts';
import type { AttemptDeps } from '../run/attempt.ts';
import { isLarge, type LargePlans, type PlanSteps } from './large-plans.ts';

interface Planners {
  readonly planner: Planner;
  readonly submissionPlanner: SubmissionPlanner;
}

/**
 * Called with the error of a rule that looks for warnings. The plan itself is complete without the warnings of this
 * rule.
 */
type OnPlanFault = (error: Error) => void;

const ignore: OnPlanFault = () => undefined;

const factsOf = ({ root, policy }: ClientContext) => ({ scope: root, policy, cores: CORES });

/**
 * Returns the planner of jobs on this worker: for the ffmpeg of this machine, which it runs to find missing facts.
 * Throws `AttemptDeferred` if ffmpeg does not answer.
 */
export const runPlanner =
  (
    tools: Promise<Pick<Toolchain, 'catalogue'>>,
    largePlans: Pick<LargePlans, 'ofJob'>,
    onFault: OnPlanFault = ignore,
  ): Planner =>
  async (request, context, media) => {
    const { catalogue: source } = await tools;
    if (isAnalysis(request)) return planAnalysis(request, [source.current], factsOf(context));
    const planWith = planWithFacts(stepsOf(request, context, media, largePlans.ofJob, onFault));
    const { planned, unavailable } = await planWith([source], []);
    if (unavailable !== undefined) throw deferred(unavailable);
    if (planned === undefined) throw new NoWorker();
    return planned.result;
  };

/**
 * Turns `BuildUnavailable` into an error that sends the job back to the queue: the facts of the build may be available
 * later, here or on another worker.
 */
const deferred = (error: unknown): unknown =>
  error instanceof BuildUnavailable ? new AttemptDeferred(buildUnavailable(error)) : error;

interface PlanForKnown extends PlanForBuilds {
  /**
   * true: all builds of live workers took part in the plan, and one of them can run the request. false: the same
   * request may get another plan next time.
   */
  readonly isFinal: boolean;
}

/** Creates the planners of submissions and dry runs. Any of the builds may run the request. */
export function planners(
  findBuilds: FindBuilds,
  largePlans: Pick<LargePlans, 'ofRequest'>,
  onFault: OnPlanFault = ignore,
): Planners {
  const cache = planCache();
  /**
   * Plans for the builds of live workers. If all of these builds reject the request, plans for the builds of absent
   * workers.
   */
  const planFor = async (
    { recent, away }: KnownBuilds,
    request: ConversionRequest,
    context: ClientContext,
    media?: InputMedia,
  ): Promise<PlanForKnown> => {
    const planWith = isAnalysis(request)
      ? planAnalysisWith(request, context)
      : planWithFacts(stepsOf(request, context, media, largePlans.ofRequest, onFault));
    const { planned, unavailable, left } = await planWith(recent, []);
    if (planned?.result.ok === true) return { ...planned, isFinal: left.length === 0 };
    const rejecting = recent.filter((build) => !left.includes(build));
    const later = await planWith(away, rejecting);
    const fault = unavailable ?? later.unavailable;
    // If a build cannot be queried, throw that error instead of the rejections of other builds, because the build that
    // did not answer may be able to run the request.
    if (fault !== undefined && later.planned?.result.ok !== true) throw fault;
    const isBetter = later.planned && !(planned && errorsIn(planned) <= errorsIn(later.planned));
    const best = isBetter ? later.planned : planned;
    if (best === undefined) throw new NoWorker();
    return { ...best, isFinal: recent.length === 0 && later.left.length === 0 };
  };
  const planAndCache = async (
    shape: RequestShape | undefined,
    first: readonly CatalogueSource[],
    ...toPlan: Parameters<typeof planFor>
  ): Promise<PlanResult<SubmittedPlan>> => {
    const { result, needs, isFinal } = await planFor(...toPlan);
    if (!result.ok) return result;
    if (shape !== undefined && isFinal) cache.add(shape, first.map(currentOf), result.plan, needs);
    const seconds = outputSeconds(result.plan);
    const requirements = { ...workloadOf(result.plan), needs };
    return { ok: true, plan: { ...result.plan, requirements, ...(seconds !== undefined && { seconds }) } };
  };
  return {
    planner: async (request, context, media) => (await planFor(await findBuilds(), request, context, media)).result,
    submissionPlanner: (request, context, media) =>
      whenKnown(findBuilds(), (builds) => {
        const first = builds.recent.length > 0 ? builds.recent : builds.away;
        const shape = requestShape(request, factsOf(context));
        const known = shape && cache.get(shape, first.map(currentOf));
        if (shape !== undefined && known !== undefined) return { ok: true, plan: submittedPlan(shape, known) };
        return planAndCache(shape, first, builds, request, context, media);
      }),
  };
}

/**
 * Returns the needs of a job that only another build can run. Returns undefined if no other build can run it, or if
 * this worker meets the needs. Throws `AttemptDeferred` if a build cannot be queried.
 */
export const findNeedsElsewhere =
  (submissionPlanner: SubmissionPlanner, has: (need: string) => boolean): AttemptDeps['needsElsewhere'] =>
  async (request, context) => {
    try {
      const planned = await submissionPlanner(request, context);
      if (!planned.ok) return undefined;
      const { needs } = planned.plan.requirements;
      return needs.every(has) ? undefined : needs;
    } catch (error) {
      throw deferred(error);
    }
  };

const currentOf = ({ current }: CatalogueSource): Catalogue => current;

/** Returns the function that plans a request: in this thread, or in the thread of large plans. */
function stepsOf(
  request: ConversionRequest,
  context: ClientContext,
  media: InputMedia | undefined,
  large: LargePlans['ofRequest'],
  onFault: OnPlanFault,
): PlanSteps {
  const { scope, ...facts } = factsOf(context);
  const wantsChunks = request.chunks !== undefined && request.chunks !== 'off';
  const task = { request, scope, facts: { ...facts, ...(media && { media }), ...(wantsChunks && { chunks: true }) } };
  const steps: PlanSteps = isLarge(request) ? large(context.clientId, task) : planSteps(task);
  return (catalogues) => {
    const step = steps(catalogues);
    return step instanceof Promise ? step.then((one) => reported(one, onFault)) : reported(step, onFault);
  };
}

function reported(step: PlanStep, onFault: OnPlanFault): PlanStep {
  const result = 'planned' in step ? step.planned.result : undefined;
  if (result?.ok === true) for (const fault of result.plan.faults ?? []) onFault(new Error(fault));
  return step;
}

/**
 * Plans a request for `builds`. `rejecting`: other builds that have already rejected the request. `unavailable`: the
 * error of a build that cannot be queried. `left`: builds with a partial catalogue that did not take part in the plan.
 */
type PlanWith = (
  builds: readonly CatalogueSource[],
  rejecting: readonly CatalogueSource[],
) => Promise<{
  readonly planned?: PlanForBuilds;
  readonly unavailable?: BuildUnavailable;
  readonly left: readonly CatalogueSource[];
}>;

const planAnalysisWith =
  (request: AnalysisRequest, context: ClientContext): PlanWith =>
  async (builds, rejecting) => {
    if (builds.length === 0) return { left: [] };
    const result = planAnalysis(request, [...rejecting, ...builds].map(currentOf), factsOf(context));
    return { planned: { result, needs: result.ok ? result.needs : [] }, left: [] };
  };

/** A build, and the version of its catalogue that the plan uses. */
interface KnownBuild {
  readonly build: CatalogueSource;
  readonly catalogue: Catalogue;
}

/**
 * Plans with catalogues and queries the missing facts. Builds with a partial catalogue come last, because their facts
 * come from workers and may take seconds.
 */
const planWithFacts =
  (steps: PlanSteps): PlanWith =>
  async (builds, rejecting) => {
    let known: readonly KnownBuild[] = builds.map((build) => ({ build, catalogue: build.current }));
    const unknown = rejecting.map(currentOf);
    /** `waiting`: builds with a partial catalogue, which are queried last. `silent`: those that did not answer. */
    let waiting: readonly KnownBuild[] = [];
    const silent: KnownBuild[] = [];
    let mayRequest = false;
    let unavailable: BuildUnavailable | undefined;
    /** Queries missing facts of a build, and returns the build with them. undefined: plan without this build. */
    const ensured = async ({ build, catalogue }: KnownBuild, facts: MissingFacts): Promise<KnownBuild | undefined> => {
      try {
        const next = await build.ensure((current) => stillMissing(current, facts));
        // If the catalogue did not change, the plan would ask for the same facts for ever.
        if (next === catalogue)
          throw new Error(
            `The query of ffmpeg did not add ${JSON.stringify(facts)} to the catalogue, so the plan would ask for ever.`,
          );
        return { build, catalogue: next };
      } catch (error) {
        // The build does not answer, or workers of another version of Telecine registered it. Another build may run the
        // request.
        if (error instanceof BuildUnavailable) unavailable = error;
        else if (!(error instanceof FactsMissing)) throw error;
        if (build.isPartial) silent.push({ build, catalogue });
        else unknown.push(catalogue);
        return undefined;
      }
    };
    for (;;) {
      const step =
        known.length === 0 ? undefined : await steps({ known: known.map(({ catalogue }) => catalogue), unknown });
      if (step === undefined || 'planned' in step) {
        const left = [...waiting, ...silent].map(({ build }) => build);
        if (waiting.length === 0 || step?.planned.result.ok)
          return { left, ...(step && { planned: step.planned }), ...(unavailable && { unavailable }) };
        known = [...known, ...waiting];
        waiting = [];
        mayRequest = true;
        continue;
      }
      const lacks = new Map(step.missing.map(({ index, facts }) => [known[index], facts]));
      const isLater = (one: KnownBuild): boolean => !mayRequest && one.build.isPartial === true && lacks.has(one);
      waiting = [...waiting, ...known.filter(isLater)];
      const next = known.map(async (one) => {
        const facts = lacks.get(one);
        if (facts === undefined) return one;
        return isLater(one) ? undefined : ensured(one, facts);
      });
      known = (await Promise.all(next)).filter((one) => one !== undefined);
    }
  };

const errorsIn = ({ result }: PlanForBuilds): number => (result.ok ? 0 : result.errors.length);

const submittedPlan = (
  { paths }: RequestShape,
  { replace, sequence, warnings, requirements, seconds }: ShapePlan,
): SubmittedPlan => ({
  inputs: sequence === undefined ? paths.inputs : paths.inputs.map((input) => ({ ...input, sequence })),
  outputs: [{ ...paths.output, replace }],
  warnings,
  requirements,
  ...(seconds !== undefined && { seconds }),
});

// When the first job runs, import the code that runs ffmpeg. A service without jobs then needs 2 MB less memory.
const runConversion = lazily(async () => (await import('@telecine/ffmpeg/run/run.ts')).runConversion);
const runAnalysis = lazily(async () => (await import('@telecine/ffmpeg/analysis/run-analysis.ts')).runAnalysis);

const observeRun = lazily(async () => {
  const { observeRun: compute } = await import('@telecine/ffmpeg/estimate/observe-run.ts');
  return async (...run: Parameters<typeof compute>) => compute(...run);
});

/** Shorter runs, in seconds, are mostly starts of processes. */
const MIN_SECONDS = 1;

type FinishedRun = Extract<RunOutcome, { readonly ok: true }>;

/** Returns what a run has shown. undefined: too little. */
async function measuredRun(
  { plan, scratch, onFault }: Parameters<Converter>[0],
  files: ConverterFiles,
  outcome: FinishedRun,
  seconds: number,
): Promise<MeasuredRun | undefined> {
  if (seconds < MIN_SECONDS || plan.analysis !== undefined) return undefined;
  const bytesOf = async ({ logical, names }: Plan['outputs'][number]): Promise<number | undefined> =>
    names.length > 1 ? undefined : (await stat(join(files.scratchFolder(scratch), logical))).size;
  try {
    const run = await observeRun(plan, outcome.inputs, await Promise.all(plan.outputs.map(bytesOf)));
    return run && { ...run, seconds };
  } catch (error) {
    onFault(error);
    return undefined;
  }
}

interface RunLimits {
  /** The longest run that the queue allows. */
  readonly longestRunSeconds: number;
  readonly stallTimeoutSeconds: number;
}

/** Returns how a plan runs with the ffmpeg and the sandbox of this machine, without a hardware device. */
export function runOf(
  { build, ffprobePath, sandbox, speech, cgroups }: Toolchain,
  files: ConverterFiles,
  limits: RunLimits,
  { plan, policy, scratch, inputs, encryption, ...rest }: Parameters<Converter>[0],
): ConversionRun {
  return {
    plan,
    dir: files.scratchFolder(scratch),
    mounts: files.mounts(inputs),
    encryption,
    ffmpegPath: build.path,
    ...(ffprobePath === undefined ? {} : { ffprobePath }),
    sandbox,
    ...(speech.model && { speechModel: speech.model }),
    ...(cgroups.kind === 'none' ? {} : { cgroups }),
    policy,
    timeoutSeconds: Math.min(limits.longestRunSeconds, policy.time ?? Number.POSITIVE_INFINITY),
    stallSeconds: limits.stallTimeoutSeconds,
    ...rest,
  };
}

/** Returns the function that runs planned conversions and analyses, with ffmpeg and the sandbox of this machine. */
export const converter =
  (tools: Promise<Toolchain>, files: ConverterFiles, limits: RunLimits): Converter =>
  async (task) => {
    const { plan: planned, signal } = task;
    const found = await tools;
    const { build, devices } = found;
    const device = planned.devices === undefined ? undefined : devices.take(planned.devices);
    let stamp = fileStamp(build.path);
    let startedAt = performance.now();
    const run: ConversionRun = {
      ...runOf(found, files, limits, task),
      ...(device && { device: device.access }),
      onStart: () => {
        startedAt = performance.now();
        task.onStart();
      },
      onPass: () => {
        stamp = fileStamp(build.path);
      },
    };
    const { analysis } = planned;
    const running =
      analysis === undefined
        ? runConversion(run).finally(() => device?.release())
        : runAnalysis({ ...run, plan: { ...planned, analysis } });
    const outcome = await running.catch(async (error: unknown) => {
      // A program of the sandbox that was removed cannot start.
      const lost = signal.aborted ? undefined : await testTools(found);
      throw lost === undefined ? error : new AttemptDeferred(toolsUnusable(lost), error);
    });
    const seconds = (performance.now() - startedAt) / 1000;
    const fault = signal.aborted ? undefined : await conversionFault(found, outcome, stamp);
    if (fault !== undefined) throw new AttemptDeferred(toolsUnusable(fault));
    if (outcome.ok && !('outputs' in outcome)) return { ...outcome, outputs: [] };
    if (!outcome.ok) return outcome;
    const measured = await measuredRun(task, files, outcome, seconds);
    return { ...outcome, ...(measured && { measured }) };
  };
