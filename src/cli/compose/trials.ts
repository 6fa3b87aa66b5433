import { availableParallelism } from 'node:os';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../../domain/client.ts';
import type { ConversionRequest, Parameters } from '../../domain/conversion.ts';
import { type Failure, JobFailed } from '../../domain/failure.ts';
import { fileInputs, type Plan, type Warning } from '../../domain/plan.ts';
import { Problem, pointerKey } from '../../domain/problem.ts';
import { isTriable, tryConversion } from '../../ffmpeg/run/trial.ts';
import { callQuota } from '../../jobs/call-quota.ts';
import { type FairSlots, fairSlots } from '../../jobs/fair-slots.ts';
import type { CommandTrial } from '../../jobs/ports/command-trial.ts';
import type { StagedInput } from '../../jobs/ports/input-staging.ts';
import type { ClientContext, Planner } from '../../jobs/ports/planner.ts';
import { requestTask } from '../../workers/request-task.ts';
import type { TaskKind } from '../../workers/task-runner.ts';
import type { Auth } from './auth.ts';
import type { FindBuilds } from './builds.ts';
import { requireProber } from './prober.ts';
import type { Storage } from './storage.ts';
import { conversionFault, rejectUnusableTools } from './tool-faults.ts';
import type { Toolchain } from './toolchain.ts';

/** The kind of the tasks that try commands. */
const TRIAL = 'trial';

/** How many commands are tried at a time. One may use all cores for some seconds; conversions need them. */
const trialsAtOnce = (): number => Math.max(1, Math.min(Math.floor(availableParallelism() / 2), 4));

/** The most trials that wait for workers at a time. Each looks for its result ten times a second. */
const REMOTE_AT_ONCE = 16;

const CALLS = { perClient: 8, total: 64 } as const;

/** The longest that a caller waits for a trial, with its turn. */
const WAIT_SECONDS = 6;

/** The longest that a trial waits for a worker, in its turn. */
const ANSWER_SECONDS = 5;

/** How long a result is used again, while someone tries options; and how long workers that did not answer are left alone. */
const KEEP_MS = 30_000;
const MAX_KEPT = 200;

/** Options of which ffmpeg rejects no value that the planner allows. A request without others is not tried. */
const PLAIN: ReadonlySet<string> = new Set(['y', 'n', 'ss', 't', 'to', 'an', 'vn', 'sn', 'dn']);

/** Tries a request, with its recipe applied. Throws what staging and planning throw, and the reason of an abort. */
type TryRequest = (
  context: ClientContext,
  request: ConversionRequest,
  signal: AbortSignal,
) => Promise<Failure | undefined>;

interface TrialTools {
  readonly media: Pick<Storage['media'], 'stageFile' | 'removeInput' | 'mounts'>;
  readonly tools: Promise<Toolchain>;
  /** Plans as a job does on this machine. */
  readonly planner: Planner;
  readonly onFault: (error: unknown) => void;
}

/** Tries commands where jobs run: on this machine, or on a worker. */
export function commandTrial(
  where:
    | (TrialTools & { readonly isHere: true })
    | (Pick<Storage['store'], 'tasks' | 'workers'> & { readonly isHere: false }),
  { findBuilds, onError }: { readonly findBuilds: FindBuilds; readonly onError: (error: unknown) => void },
): CommandTrial {
  const kept = new LRUCache<string, { readonly failure: Failure | undefined }>({ max: MAX_KEPT, ttl: KEEP_MS });
  const quota = callQuota('trials', CALLS);
  const tryRequest = where.isHere
    ? inTurn(tryHere(where), fairSlots({ slots: trialsAtOnce() }))
    : inTurn(tryOnWorkers(where), fairSlots({ slots: REMOTE_AT_ONCE }));

  const failureOf = async (caller: Caller, request: ConversionRequest, signal: AbortSignal) => {
    // On another build, the job may succeed.
    const { recent } = await findBuilds();
    if (new Set(recent.map(({ current }) => current.build.key)).size !== 1) return undefined;
    return quota(caller.clientId, () => tryRequest(caller, request, signal));
  };

  return async (caller, request, plan, stats, hangUp) => {
    const isThere = stats.every(({ kind }) => kind === 'file');
    if (!isThere || request.after !== undefined || !hasOwnOptions(request) || !isTriable(plan)) return [];
    const key = JSON.stringify([caller.clientId, plan.passes, plan.texts, plan.inputs.map(({ path }) => path), stats]);
    const deadline = AbortSignal.timeout(WAIT_SECONDS * 1000);
    const signal = hangUp === undefined ? deadline : AbortSignal.any([deadline, hangUp]);
    try {
      const known = kept.get(key) ?? { failure: await failureOf(caller, request, signal) };
      kept.set(key, known);
      return known.failure === undefined ? [] : [warningOf(known.failure, plan)];
    } catch (error) {
      hangUp?.throwIfAborted();
      if (!signal.aborted && !(error instanceof Problem) && !(error instanceof JobFailed)) onError(error);
      return [];
    }
  };
}

const inTurn =
  (tryRequest: TryRequest, slots: FairSlots): TryRequest =>
  (context, request, signal) =>
    slots(context.clientId, signal, () => tryRequest(context, request, signal));

/** Whether a request has options whose values only ffmpeg itself can judge, and which no recipe sets. */
function hasOwnOptions({ parameters, inputs = [], outputs = [], preset, encrypt }: ConversionRequest): boolean {
  // A key belongs into no folder but that of the job.
  if (encrypt !== undefined) return false;
  const ofRecipe = new Set(preset?.options);
  const isOwn = (options: Parameters = {}, place = ''): boolean =>
    Object.keys(options).some((key) => !PLAIN.has(key) && !ofRecipe.has(`${place}${key}`));
  return (
    isOwn(parameters) ||
    inputs.some((one, at) => typeof one !== 'string' && isOwn(one.parameters, `/inputs/${at}/parameters/`)) ||
    outputs.some((one, at) => isOwn(one.parameters, `/outputs/${at}/parameters/`))
  );
}

/** The warning of a failure, at the option that its fix sends. */
function warningOf({ code, message, fix }: Failure, { outputs }: Plan): Warning {
  const [, option] = typeof fix === 'string' ? (/^Send "([^"]+)": /.exec(fix) ?? []) : [];
  const fields = new Set(outputs.flatMap((output) => Object.values(output.fields ?? {})));
  const [field, ...others] = [...fields].filter((one) => pointerKey(one.split('/').at(-1) ?? '') === option);
  return {
    ...(field !== undefined && others.length === 0 && { field }),
    code,
    message: `${message} The job would fail.`,
    // A fix that names an operation is about a job that has run.
    fix: typeof fix === 'string' ? fix : UNEXPLAINED,
  };
}

const UNEXPLAINED = 'Leave options out until a dry run passes: the last one that you left out is the cause.';

/** The task by which this machine tries commands for machines that run no jobs. */
export function trialTask(here: TrialTools, clientContextOf: Auth['clientContextOf']): TaskKind {
  const tryRequest = tryHere(here);
  return {
    kind: TRIAL,
    slots: trialsAtOnce(),
    perClient: trialsAtOnce(),
    run: async (clientId, request, signal): Promise<{ readonly failure?: Failure }> => {
      const failure = await tryRequest(await clientContextOf(clientId), request as ConversionRequest, signal);
      return failure === undefined ? {} : { failure };
    },
  };
}

function tryOnWorkers({ tasks, workers }: Pick<Storage['store'], 'tasks' | 'workers'>): TryRequest {
  let restsUntilMs = 0;
  return async ({ clientId }, request, signal) => {
    if (performance.now() < restsUntilMs) return undefined;
    await requireProber(workers);
    const task = { kind: TRIAL, clientId, request };
    const result = await requestTask(tasks, task, { seconds: ANSWER_SECONDS, signal }).catch((error: unknown) => {
      // Workers of an older version know no trials.
      if (error instanceof Problem) restsUntilMs = performance.now() + KEEP_MS;
      throw error;
    });
    return (result as { readonly failure?: Failure }).failure;
  };
}

const tryHere =
  ({ media, tools, planner, onFault }: TrialTools): TryRequest =>
  async (context, request, signal) => {
    const found = await tools;
    rejectUnusableTools(found);
    const planned = await planner(request, context);
    if (!planned.ok || !isTriable(planned.plan)) return undefined;
    const { plan } = planned;
    const staged: StagedInput[] = [];
    try {
      for (const { path, logical } of fileInputs(plan.inputs))
        staged.push(await media.stageFile(context.root, path, logical, signal));
      const { build, ffprobePath, sandbox, cgroups, workRoot } = found;
      const failure = await tryConversion({
        ...{ plan, sandbox, workRoot, signal, onFault },
        mounts: media.mounts(staged),
        ffmpegPath: build.path,
        ...(ffprobePath !== undefined && { ffprobePath }),
        ...(cgroups.kind !== 'none' && { cgroups }),
        policy: context.policy,
      });
      if (failure === undefined) return undefined;
      const fault = await conversionFault(found, { ok: false, failure }, undefined);
      return fault === undefined ? failure : undefined;
    } finally {
      await Promise.all(staged.map((input) => media.removeInput(input)));
    }
  };
