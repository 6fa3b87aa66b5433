import { availableParallelism } from 'node:os';
import { callQuota, type FairSlots, fairSlots } from '@telecine/contract/domain/call-quota.ts';
import type { Caller } from '@telecine/contract/domain/client.ts';
import type { ConversionRequest, Parameters } from '@telecine/contract/domain/conversion.ts';
import { type Edits, hasEdits } from '@telecine/contract/domain/edit.ts';
import { JobFailed } from '@telecine/contract/domain/failure.ts';
import { originsOf } from '@telecine/contract/domain/origins.ts';
import { fileInputs, type Plan, type Warning } from '@telecine/contract/domain/plan.ts';
import { Problem, pointerKey, pointerToken } from '@telecine/contract/domain/problem.ts';
import { isMembers } from '@telecine/contract/domain/structured-values.ts';
import { conversionFault, rejectUnusableTools } from '@telecine/ffmpeg/catalogue/tool-faults.ts';
import type { Toolchain } from '@telecine/ffmpeg/toolchain.ts';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { type FindBuilds, requireProber } from '../../workers/builds.ts';
import { NoResult, REMOTE_AT_ONCE, requestTask, type WorkerTasks } from '../../workers/request-task.ts';
import type { TaskKind } from '../../workers/task-runner.ts';
import type { ClientContext, CommandTrial, Planner } from '../ports/ffmpeg.ts';
import type { MediaStore, PathStat, StagedInput } from '../ports/media-store.ts';
import { CALLS } from './probes.ts';
import type { InTrialSpace } from './trial-space.ts';

const TRIAL = 'trial';

/**
 * The number of commands that are tried at the same time. Each may use all cores for some seconds, and conversions need
 * cores too.
 */
const trialsAtOnce = (): number => Math.max(1, Math.min(Math.floor(availableParallelism() / 2), 4));

/** The maximum time that a caller waits for a trial, including the time before it starts. */
const WAIT_SECONDS = 6;

/** The maximum time before a trial starts. After this time, the trial is skipped. */
const TURN_MS = 2000;

/** How long a trial waits for the result of a worker, after its time in the queue. */
const RESULT_SECONDS = 5;

/**
 * How long a result is cached, because users often repeat a dry run with other options. If no worker took a trial, no
 * further one is sent to workers for this time.
 */
const KEEP_MS = 30_000;
const MAX_KEPT = 200;

/**
 * Options for which ffmpeg accepts every value that passes our checks. A request that has only these options is not
 * tried.
 */
const PLAIN: ReadonlySet<string> = new Set(['y', 'n', 'ss', 't', 'to', 'an', 'vn', 'sn', 'dn']);

/** The result of a trial. `isTried` is false if the command did not run, or if the result does not apply to the job. */
const TrialResult = z.object({
  isTried: z.boolean(),
  failure: z
    .object({
      code: z.string(),
      message: z.string(),
      fix: z.union([z.string(), z.custom<Edits>(isMembers)]).exactOptional(),
      about: z.object({ output: z.number().exactOptional() }).exactOptional(),
    })
    .exactOptional(),
});
type TrialResult = z.infer<typeof TrialResult>;

const NOT_TRIED: TrialResult = { isTried: false };

/**
 * Tries a request, to which its recipe has already been applied. `known`: its plan, if this machine has it. Throws the
 * errors of staging and planning, and the reason of an abort.
 */
type TryRequest = (
  context: ClientContext,
  request: ConversionRequest,
  signal: AbortSignal,
  known?: Plan,
) => Promise<TrialResult>;

interface TrialTools {
  readonly media: Pick<MediaStore, 'stageFile' | 'removeInput' | 'mounts'>;
  readonly tools: Promise<Toolchain>;
  /** Drafts a request for this machine, because the plan of the submission may be for a build that only absent workers have. */
  readonly planner: Planner;
  readonly space: InTrialSpace;
  readonly onFault: (error: unknown) => void;
}

/** Returns the function that tries commands where jobs run: on this machine, or on a worker. */
export function commandTrial(
  where: { readonly tryHere: TryRequest } | WorkerTasks,
  deps: {
    readonly findBuilds: FindBuilds;
    /** Returns true if the caller may submit a job now and the operator lets jobs run. */
    readonly mayRun: (caller: Caller) => Promise<boolean>;
    readonly stopping: AbortSignal;
    readonly onError: (error: unknown) => void;
  },
): CommandTrial {
  const kept = new LRUCache<string, TrialResult>({ max: MAX_KEPT, ttl: KEEP_MS });
  const quota = callQuota('trials', CALLS);
  const tryRequest =
    'tryHere' in where
      ? inTurn(where.tryHere, fairSlots({ slots: trialsAtOnce() }))
      : inTurn(tryOnWorkers(where), fairSlots({ slots: REMOTE_AT_ONCE }));

  /**
   * Returns the key of the only build that runs jobs. Returns undefined if there are several: the trial could then fail
   * on one build, and the job succeed on another.
   */
  const onlyBuild = async (): Promise<string | undefined> => {
    const [build, ...others] = new Set((await deps.findBuilds()).recent.map((one) => one.build.key));
    return others.length === 0 ? build : undefined;
  };

  const failureOf = async (
    caller: Caller,
    request: ConversionRequest,
    plan: Plan,
    stats: readonly PathStat[],
    signal: AbortSignal,
  ): Promise<TrialResult['failure']> => {
    const build = await onlyBuild();
    if (build === undefined) return undefined;
    const files = plan.inputs.map(({ path }) => path);
    const key = JSON.stringify([caller.clientId, build, plan.passes, plan.texts, files, stats]);
    const known = kept.get(key);
    if (known !== undefined) return known.failure;
    if (!(await deps.mayRun(caller))) return undefined;
    const result = await quota(caller.clientId, () => tryRequest(caller, request, signal, plan));
    if (result.isTried) kept.set(key, result);
    return result.failure;
  };

  return async (caller, request, plan, stats, hangUp) => {
    const isThere = stats.every(({ kind }) => kind === 'file');
    if (!isThere || request.after !== undefined || !hasOwnOptions(request)) return [];
    const ends = [AbortSignal.timeout(WAIT_SECONDS * 1000), deps.stopping, ...(hangUp === undefined ? [] : [hangUp])];
    const signal = AbortSignal.any(ends);
    try {
      const { isTriable } = await loadTrial();
      if (!isTriable(plan)) return [];
      const failure = await failureOf(caller, request, plan, stats, signal);
      return failure === undefined ? [] : [await warningOf(failure, plan)];
    } catch (error) {
      hangUp?.throwIfAborted();
      if (!signal.aborted && !(error instanceof Problem) && !(error instanceof JobFailed)) deps.onError(error);
      return [];
    }
  };
}

const inTurn =
  (tryRequest: TryRequest, slots: FairSlots): TryRequest =>
  (context, request, signal, known) => {
    const turn = AbortSignal.timeout(TURN_MS);
    const ends = AbortSignal.any([signal, turn]);
    const queued = slots(context.clientId, ends, () => tryRequest(context, request, signal, known));
    return queued.catch((error: unknown) => {
      if (error === turn.reason) return NOT_TRIED;
      throw error;
    });
  };

const loadTrial = () => import('@telecine/ffmpeg/run/trial.ts');

/** Returns whether a request has options whose values only ffmpeg can check. Options set by a recipe do not count. */
function hasOwnOptions(request: ConversionRequest): boolean {
  const { parameters, inputs = [], outputs = [], encrypt } = request;
  // Do not try a request that encrypts: the key must not be written outside the folder of the job.
  if (encrypt !== undefined) return false;
  const origins = originsOf(request);
  const isOwn = (place: string, options: Parameters = {}): boolean =>
    Object.keys(options).some(
      (key) => !PLAIN.has(key) && origins[`${place}/parameters/${pointerToken(key)}`]?.isOfRecipe !== true,
    );
  return (
    isOwn('', parameters) ||
    inputs.some((one, at) => typeof one !== 'string' && isOwn(`/inputs/${at}`, one.parameters)) ||
    outputs.some((one, at) => isOwn(`/outputs/${at}`, one.parameters))
  );
}

/**
 * Converts a failure to a warning. The field of the warning is the option that the fix changes. If several outputs have
 * this option, the warning has no field.
 */
async function warningOf(
  { code, message, fix = UNEXPLAINED, about = {} }: NonNullable<TrialResult['failure']>,
  plan: Plan,
): Promise<Warning> {
  const { outputsOf } = await import('@telecine/ffmpeg/run/failed-output.ts');
  const [edit] = typeof fix === 'string' ? [] : fix.edits;
  const option = edit !== undefined && 'name' in edit ? edit.name : undefined;
  const isOfOption = (field: string): boolean => pointerKey(field.split('/').at(-1) ?? '') === option;
  const found = outputsOf(plan, { about }).map(({ fields = {} }) => Object.values(fields).find(isOfOption));
  const [field, ...others] = new Set(found);
  return {
    ...(field !== undefined && others.length === 0 && { field }),
    code,
    message: `${message} The job would fail.`,
    fix,
  };
}

const UNEXPLAINED = 'Leave options out until a dry run passes: the last one that you left out is the cause.';

/**
 * Returns the task with which this machine tries commands for machines that run no jobs. `stopping`: an abort makes
 * this machine try no more commands.
 */
export const trialTask = (
  tryHere: TryRequest,
  clientContextOf: (clientId: string) => Promise<ClientContext>,
  stopping: AbortSignal,
): TaskKind => ({
  kind: TRIAL,
  slots: trialsAtOnce(),
  perClient: trialsAtOnce(),
  run: async (clientId, request, signal): Promise<TrialResult> => {
    const context = await clientContextOf(clientId);
    return tryHere(context, request as ConversionRequest, AbortSignal.any([signal, stopping])).catch(
      (error: unknown) => {
        // A file of the request may have been deleted, or may not have arrived yet.
        if (error instanceof JobFailed || stopping.aborted) return NOT_TRIED;
        throw error;
      },
    );
  },
});

function tryOnWorkers({ tasks, workers }: WorkerTasks): TryRequest {
  let restsUntilMs = 0;
  return async ({ clientId }, request, signal) => {
    if (performance.now() < restsUntilMs) return NOT_TRIED;
    await requireProber(workers);
    const task = { kind: TRIAL, clientId, request };
    const result = await requestTask(tasks, task, { seconds: RESULT_SECONDS, signal }).catch((error: unknown) => {
      // No worker took the trial: workers of an older version do not know trials. Send none for `KEEP_MS`.
      if (error instanceof NoResult && error.wasOpen) restsUntilMs = performance.now() + KEEP_MS;
      throw error;
    });
    return TrialResult.parse(result);
  };
}

/** Returns the function that tries commands on this machine. Closing `closers` waits for running trials. */
export function trialsHere(
  closers: AsyncDisposableStack,
  { media, tools, planner, space, onFault }: TrialTools,
): TryRequest {
  const running = new Set<Promise<unknown>>();
  closers.defer(async () => void (await Promise.allSettled(running)));
  const run: TryRequest = async (context, request, signal, known) => {
    signal.throwIfAborted();
    const found = await tools;
    rejectUnusableTools(found);
    const { errors, finish } = await planner(request, context);
    if (errors.length > 0) return NOT_TRIED;
    const planned = known === undefined ? await finish([]) : { ok: true as const, plan: known };
    const { isTriable, tryConversion } = await loadTrial();
    if (!planned.ok || !isTriable(planned.plan)) return NOT_TRIED;
    const { plan } = planned;
    const staged: StagedInput[] = [];
    try {
      for (const { path, logical } of fileInputs(plan.inputs))
        staged.push(await media.stageFile(context.root, path, logical, signal));
      const { build, ffprobePath, sandbox, cgroups, workRoot } = found;
      const failure = await space(workRoot, context.policy, (watch) =>
        tryConversion({
          ...{ plan, sandbox, workRoot, watch, signal, onFault },
          mounts: media.mounts(staged),
          ffmpegPath: build.path,
          ...(ffprobePath !== undefined && { ffprobePath }),
          ...(cgroups.kind !== 'none' && { cgroups }),
          policy: context.policy,
        }),
      );
      if (failure === undefined) return { isTried: true };
      if ((await conversionFault(found, { ok: false, failure }, undefined)) !== undefined) return NOT_TRIED;
      const { code, message, fix, about } = failure;
      // Leave out a fix that names an operation of the API, such as a retry: such a fix is for a finished job.
      const isAdvice = typeof fix === 'string' || hasEdits(fix);
      return { isTried: true, failure: { code, message, ...(isAdvice && { fix }), ...(about && { about }) } };
    } finally {
      await Promise.all(staged.map((input) => media.removeInput(input)));
    }
  };
  return (...request) => {
    const trial = run(...request).finally(() => running.delete(trial));
    running.add(trial);
    return trial;
  };
}
