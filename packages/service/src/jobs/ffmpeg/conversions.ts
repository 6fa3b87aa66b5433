import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnalysisSpec } from '@telecine/contract/domain/analysis.ts';
import { type ConversionRequest, pathOfInput } from '@telecine/contract/domain/conversion.ts';
import { AttemptDeferred } from '@telecine/contract/domain/failure.ts';
import type { Plan } from '@telecine/contract/domain/plan.ts';
import { lazily } from '@telecine/contract/domain/remember.ts';
import { fileStamp } from '@telecine/ffmpeg/catalogue/build.ts';
import type { Catalogue } from '@telecine/ffmpeg/catalogue/catalogue.ts';
import { conversionFault, testTools, toolsUnusable } from '@telecine/ffmpeg/catalogue/tool-faults.ts';
import { isAnalysis, planAnalysis } from '@telecine/ffmpeg/plan/analysis/plan-analysis.ts';
import { planCache, type RequestShape, requestShape, type ShapePlan } from '@telecine/ffmpeg/plan/plan-cache.ts';
import { type DraftOrPlan, draftForBuilds, type PlanForBuilds } from '@telecine/ffmpeg/plan/plan-step.ts';
import { outputSeconds, workloadOf } from '@telecine/ffmpeg/plan/workload.ts';
import type { ConversionRun, RunOutcome } from '@telecine/ffmpeg/run/conversion-run.ts';
import { CORES } from '@telecine/ffmpeg/sandbox/limits.ts';
import type { Toolchain } from '@telecine/ffmpeg/toolchain.ts';
import type { FindBuilds } from '../../workers/builds.ts';
import type { KnownBuilds } from '../../workers/registered-builds.ts';
import type {
  ClientContext,
  Converter,
  InputMedia,
  MeasuredRun,
  Planner,
  PlanResult,
  RequestDraft,
  SubmissionPlanner,
  SubmittedPlan,
} from '../ports/ffmpeg.ts';
import type { ConverterFiles } from '../ports/media-store.ts';
import type { DraftJobDeps } from '../run/draft-job.ts';
import { isLarge, type LargePlans } from './large-plans.ts';

interface Planners {
  readonly planner: Planner<Plan & SubmittedPlan>;
  readonly submissionPlanner: SubmissionPlanner;
}

/**
 * Called with the error of a rule that looks for warnings. The plan itself is complete without the warnings of this
 * rule.
 */
type OnPlanFault = (error: Error) => void;

const ignore: OnPlanFault = () => undefined;

const factsOf = ({ root, policy }: ClientContext) => ({ scope: root, policy, cores: CORES });

/** Returns the planner of jobs on this worker. It plans for the ffmpeg of this machine. */
export const runPlanner =
  (
    tools: Promise<Pick<Toolchain, 'catalogue'>>,
    largePlans: Pick<LargePlans, 'ofJob'>,
    onFault: OnPlanFault = ignore,
  ): Planner =>
  async (request, context) => {
    const { catalogue } = await tools;
    const { finish, ...draft } = await draftWith([catalogue], { request, context }, largePlans.ofJob, onFault);
    return { ...draft, finish: async (media) => (await finish(media)).result };
  };

/** Creates the planners of submissions and dry runs. Any of the builds may run the request. */
export function planners(
  findBuilds: FindBuilds,
  largePlans: Pick<LargePlans, 'ofRequest'>,
  onFault: OnPlanFault = ignore,
): Planners {
  const cache = planCache();
  const draftRequest = async (builds: KnownBuilds, toPlan: ToPlan): Promise<RequestDraft<Plan & SubmittedPlan>> => {
    const { finish, ...draft } = await draftFor(builds, toPlan, largePlans.ofRequest, onFault);
    return {
      ...draft,
      finish: async (media) => {
        const { result, needs } = await finish(media);
        if (!result.ok) return result;
        const seconds = outputSeconds(result.plan);
        const requirements = { ...workloadOf(result.plan), needs };
        return { ok: true, plan: { ...result.plan, requirements, ...(seconds !== undefined && { seconds }) } };
      },
    };
  };
  const planAndCache = async (
    shape: RequestShape | undefined,
    builds: KnownBuilds,
    toPlan: ToPlan,
  ): Promise<PlanResult<SubmittedPlan>> => {
    const result = await (await draftRequest(builds, { ...toPlan, media: [] })).finish([]);
    if (result.ok && shape !== undefined) cache.add(shape, allOf(builds), result.plan, result.plan.requirements.needs);
    return result;
  };
  return {
    planner: async (request, context) => draftRequest(await findBuilds(), { request, context }),
    submissionPlanner: async (request, context) => {
      const builds = await findBuilds();
      const shape = requestShape(request, factsOf(context));
      const known = shape && cache.get(shape, allOf(builds));
      if (shape !== undefined && known !== undefined) return { ok: true, plan: submittedPlan(shape, known) };
      return planAndCache(shape, builds, { request, context });
    },
  };
}

const allOf = ({ recent, away }: KnownBuilds): readonly Catalogue[] => [...recent, ...away];

/**
 * Returns the needs of a job that this worker rejects but another build can run. Returns undefined if no other build can
 * run it. If this worker meets what the job names, the job needs the other build itself.
 */
export const findNeedsElsewhere =
  (
    findBuilds: FindBuilds,
    largePlans: Pick<LargePlans, 'ofJob'>,
    has: (need: string) => boolean,
  ): DraftJobDeps['needsElsewhere'] =>
  async (request, context) => {
    const toPlan = { request, context, media: [] };
    const { errors, finish } = await draftFor(await findBuilds(), toPlan, largePlans.ofJob, ignore);
    if (errors.length > 0) return undefined;
    const { needs, buildNeed = [] } = await finish([]);
    const all = needs.every(has) ? needs.concat(buildNeed).sort() : needs;
    return all.every(has) ? undefined : all;
  };

interface ToPlan {
  readonly request: ConversionRequest;
  readonly context: ClientContext;
  /** What is known of the inputs. Absent: they may be inspected before the second half of the plan. */
  readonly media?: InputMedia;
}

type DraftedPlan = Omit<RequestDraft, 'finish'> & { readonly finish: (media: InputMedia) => Promise<PlanForBuilds> };

/**
 * Drafts for the builds of live workers. If all of these builds reject the request, drafts also for the builds of absent
 * workers.
 */
async function draftFor(
  { recent, away }: KnownBuilds,
  toPlan: ToPlan,
  large: LargePlans['ofRequest'],
  onFault: OnPlanFault,
): Promise<DraftedPlan> {
  const draft = recent.length === 0 ? undefined : await draftWith(recent, toPlan, large, onFault);
  if (draft !== undefined && (draft.errors.length === 0 || away.length === 0)) return draft;
  const all = await draftWith([...recent, ...away], toPlan, large, onFault);
  return all.errors.length === 0 || draft === undefined ? all : draft;
}

/** Makes the first half of a plan for builds, at least one: in this thread, or in the thread of large plans. */
async function draftWith(
  catalogues: readonly Catalogue[],
  { request, context, media }: ToPlan,
  large: LargePlans['ofRequest'],
  onFault: OnPlanFault,
): Promise<DraftedPlan> {
  const { scope, ...facts } = factsOf(context);
  const { input, inputs: [first = ''] = [] } = request;
  const planMeasurement = (analysis: AnalysisSpec) =>
    planAnalysis({ input: input ?? pathOfInput(first) ?? '', analysis }, catalogues, factsOf(context));
  if (isAnalysis(request)) {
    const result = planMeasurement(request.analysis);
    return {
      ...{ inputs: result.ok ? result.plan.inputs : [], outputs: [], probes: [], planMeasurement },
      errors: result.ok ? [] : result.errors,
      finish: async () => ({ result, needs: result.ok ? result.needs : [] }),
    };
  }
  const wantsChunks = request.chunks !== undefined && request.chunks !== 'off';
  const task = { request, scope, facts: { ...facts, ...(wantsChunks && { chunks: true }) } };
  const inThread = (known: InputMedia | undefined): Promise<DraftOrPlan> =>
    large(context.clientId, { ...task, facts: { ...task.facts, ...(known && { media: known }) } }, catalogues);
  const { draft, finish } = isLarge(request) ? await draftLarge(inThread, media) : draftForBuilds(task, catalogues);
  return {
    ...draft,
    planMeasurement,
    finish: async (found) => {
      const planned = await finish(found);
      if (planned.result.ok) for (const fault of planned.result.plan.faults ?? []) onFault(new Error(fault));
      return planned;
    },
  };
}

/** Drafts in the thread of large plans. The thread plans at once if it knows the inputs, because each call sends the request and the catalogues. */
async function draftLarge(
  inThread: (media: InputMedia | undefined) => Promise<DraftOrPlan>,
  media: InputMedia | undefined,
): Promise<Pick<DraftOrPlan, 'draft'> & Pick<DraftedPlan, 'finish'>> {
  const { draft, planned } = await inThread(media);
  const finish = async (found: InputMedia): Promise<PlanForBuilds> => {
    const finished = planned ?? (await inThread(found)).planned;
    if (finished === undefined) throw new Error('The thread that plans large requests returned no plan.');
    return finished;
  };
  return { draft, finish };
}

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
