import { availableParallelism } from 'node:os';
import type { Config } from '../../config/config.ts';
import type { MediaInfo, ProbeRequest } from '../../domain/media-info.ts';
import type { Mount } from '../../domain/plan.ts';
import { Problem } from '../../domain/problem.ts';
import { isUrl } from '../../domain/url-input.ts';
import { callQuota, fairSlots } from '../../jobs/call-limits.ts';
import type { ClipProber, Prober } from '../../jobs/ports/ffmpeg.ts';
import type { StagedInput } from '../../jobs/ports/media-store.ts';
import type { ProbeOperations } from '../../jobs/probe.ts';
import { checkProbe, type ProbeDeps, type ProbeQuotas, probeFile } from '../../jobs/probe.ts';
import { LIVE_SECONDS, type WorkerStore } from '../../workers/ports.ts';
import { REMOTE_AT_ONCE, requestTask } from '../../workers/request-task.ts';
import type { TaskKind } from '../../workers/task-runner.ts';
import type { Auth } from './auth.ts';
import { lazily } from './lazily.ts';
import type { Storage } from './storage.ts';
import { rejectUnusableTools } from './tool-faults.ts';
import type { Toolchain } from './toolchain.ts';

/** Loaded by the first probe. */
const runProbe = lazily(async () => (await import('../../ffmpeg/probe/probe.ts')).runProbe);
const probeClip = lazily(async () => (await import('../../ffmpeg/probe/probe-clip.ts')).probeClip);

/** The maximum number of concurrent probes. A probe usually uses a core for 50 ms; conversions need the others. */
const probesAtOnce = (): number => Math.min(availableParallelism(), 4);

/** How many probes fetch their files at a time. They wait for servers, and use no core. */
const FETCHES = { slots: 16, perClient: 4 } as const;

/** The most short calls that run or wait for their turn. */
export const CALLS = { perClient: 8, total: 64 } as const;

/** How long a probe may wait for a worker, besides the time that it takes. */
const WORKER_WAIT_SECONDS = 15;

/** When to retry if no worker can probe, in seconds: an operator has to start one. */
const NO_PROBER_RETRY_SECONDS = 10;

/** The kind of the tasks that probe files. */
const FILE_PROBE = 'probe';

/** The kind of the tasks that probe URLs. They take as long as their servers, so workers have slots of their own for them. */
const URL_PROBE = 'probe-url';

type ProbeConfig = Pick<Config, 'probeTimeoutSeconds'>;

/**
 * Builds the use case that probes files: with the ffprobe of this machine, or, if it has none and the database is shared,
 * on a worker.
 */
export function probeOperations(
  { media, store, isShared }: Pick<Storage, 'media' | 'store' | 'isShared'>,
  tools: Promise<Toolchain | undefined>,
  config: ProbeConfig,
): ProbeOperations {
  const here = probesHere(media, tools, config);
  const onWorkers = probesOnWorkers(media, store, config);
  return {
    probe: async (...call) => {
      const hasFfprobe = (await tools)?.ffprobePath !== undefined;
      return (hasFfprobe || !isShared ? here : onWorkers).probe(...call);
    },
  };
}

/** The tasks by which this machine runs the probes of machines without ffprobe, each in its client's media root. */
export function probeTasks(
  media: Storage['media'],
  tools: Promise<Toolchain>,
  config: ProbeConfig,
  clientContextOf: Auth['clientContextOf'],
): readonly TaskKind[] {
  const { probe } = probesHere(media, tools, config);
  const run: TaskKind['run'] = async (clientId, request, signal) => {
    const { root, policy } = await clientContextOf(clientId);
    // The service that stored the task has checked the scopes of the token.
    return probe({ clientId, root, policy, scopes: ['jobs:write'] }, request as ProbeRequest, signal);
  };
  return [
    { kind: FILE_PROBE, run, slots: probesAtOnce(), perClient: probesAtOnce() },
    { kind: URL_PROBE, run, ...FETCHES },
  ];
}

/** Probes the staged inputs of jobs with the ffprobe of this machine. */
export const clipProber =
  (
    media: Pick<Storage['media'], 'mounts'>,
    { ffprobePath = '', sandbox, workRoot }: Toolchain,
    { probeTimeoutSeconds: timeoutSeconds }: ProbeConfig,
  ): ClipProber =>
  (clip, input, signal) =>
    probeClip(clip, (plan) =>
      runProbe({ plan, mount: mountOf(media, input), ffprobePath, sandbox, workRoot, timeoutSeconds, signal }),
    );

function mountOf(media: Pick<Storage['media'], 'mounts'>, input: StagedInput): Mount {
  const [mount] = media.mounts([input]);
  if (mount === undefined) throw new Error('The engine has no mount for a staged input.');
  return mount;
}

function probesHere(
  media: Storage['media'],
  tools: Promise<Toolchain | undefined>,
  { probeTimeoutSeconds: timeoutSeconds }: ProbeConfig,
): ProbeOperations {
  const prober: Prober = async ({ plan, input, signal }) => {
    const found = await tools;
    if (found?.ffprobePath === undefined)
      throw new Problem(
        'NOT_IMPLEMENTED',
        'This service has no ffprobe. Ask the operator to install it (it comes with ffmpeg) or to set FFPROBE_PATH.',
      );
    rejectUnusableTools(found);
    const { ffprobePath, sandbox, workRoot } = found;
    const mount = mountOf(media, input);
    return runProbe({ plan, mount, ffprobePath, sandbox, workRoot, timeoutSeconds, signal });
  };
  const deps: ProbeDeps = {
    ...{ media, prober, fetchSeconds: timeoutSeconds, quotas: probeQuotas() },
    probeSlots: fairSlots({ slots: probesAtOnce() }),
    fetchSlots: fairSlots(FETCHES),
  };
  return { probe: (caller, request, signal) => probeFile(deps, caller, request, signal) };
}

function probesOnWorkers(
  media: Storage['media'],
  { tasks, workers }: Pick<Storage['store'], 'tasks' | 'workers'>,
  { probeTimeoutSeconds }: ProbeConfig,
): ProbeOperations {
  const { ofFiles, ofUrls } = probeQuotas();
  const files = { kind: FILE_PROBE, quota: ofFiles, slots: fairSlots({ slots: REMOTE_AT_ONCE }), fetchSeconds: 0 };
  const urls = { kind: URL_PROBE, quota: ofUrls, slots: fairSlots(FETCHES), fetchSeconds: probeTimeoutSeconds };
  return {
    probe: async (caller, request, signal) => {
      // Most mistakes need no worker.
      await checkProbe(media, caller, request);
      await requireProber(workers);
      const { clientId } = caller;
      const { kind, quota, slots, fetchSeconds } = isUrl(request.input) ? urls : files;
      const seconds = fetchSeconds + probeTimeoutSeconds + WORKER_WAIT_SECONDS;
      const info = await quota(clientId, () =>
        slots(clientId, signal, () => requestTask(tasks, { kind, clientId, request }, { seconds, signal })),
      );
      return info as MediaInfo;
    },
  };
}

const probeQuotas = (): ProbeQuotas => ({
  ofFiles: callQuota('probes', CALLS),
  ofUrls: callQuota('probes of URLs', CALLS),
});

/**
 * Throws UNAVAILABLE if no live worker can probe. One that has just stopped counts, because it may be restarting: its probes
 * wait for it.
 */
export async function requireProber(workers: Pick<WorkerStore, 'seenWithin'>): Promise<void> {
  const live = await workers.seenWithin(LIVE_SECONDS);
  if (live.some(({ hasFfprobe }) => hasFfprobe !== false)) return;
  throw new Problem(
    'UNAVAILABLE',
    'No worker that can probe files is registered, and this service has no ffprobe. The operator installs ffprobe (it comes with ffmpeg) here, or starts "telecine worker" where it is installed. Retry then.',
    { retryAfterSeconds: NO_PROBER_RETRY_SECONDS },
  );
}
