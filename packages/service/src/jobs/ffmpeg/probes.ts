import { availableParallelism } from 'node:os';
import type { MediaInfo, ProbeRequest } from '@telecine/contract/domain/media-info.ts';
import type { Mount } from '@telecine/contract/domain/plan.ts';
import { lazily } from '@telecine/contract/domain/remember.ts';
import { isUrl } from '@telecine/contract/domain/url-input.ts';
import type { Toolchain } from '@telecine/ffmpeg/toolchain.ts';
import { requireFfprobe, requireProber } from '../../workers/builds.ts';
import { REMOTE_AT_ONCE, requestTask, type WorkerTasks } from '../../workers/request-task.ts';
import type { TaskKind } from '../../workers/task-runner.ts';
import { callQuota, fairSlots } from '../call-quota.ts';
import type { ClientContext, ClipProber, Prober } from '../ports/ffmpeg.ts';
import type { MediaStore, StagedInput } from '../ports/media-store.ts';
import { checkProbe, type ProbeDeps, type ProbeOperations, type ProbeQuotas, probeFile } from '../probe.ts';
import type { InputTimes } from '../submit/input-probes.ts';

/** Import the code of probes only when the first probe runs. */
const runProbe = lazily(async () => (await import('@telecine/ffmpeg/probe/probe.ts')).runProbe);
const probeClip = lazily(async () => (await import('@telecine/ffmpeg/probe/probe-clip.ts')).probeClip);

/**
 * The maximum number of concurrent probes. A probe usually uses one core for 50 ms, and conversions need the other
 * cores.
 */
const probesAtOnce = (): number => Math.min(availableParallelism(), 4);

/** How many probes can fetch their files at the same time. They wait for servers and use no core. */
const FETCHES = { slots: 16, perClient: 4 } as const;

/** The maximum number of probes (or trials) that run or are queued. */
export const CALLS = { perClient: 8, total: 64 } as const;

/** How long a probe may wait for a worker to take it, in addition to the time of the probe itself. */
const WORKER_WAIT_SECONDS = 15;

const FILE_PROBE = 'probe';

/** The kind of tasks that probe URLs. They have slots of their own, because slow servers can delay them. */
const URL_PROBE = 'probe-url';

interface ProbeConfig {
  readonly probeTimeoutSeconds: number;
}

/**
 * Probes files with the ffprobe of this machine. If this machine has no ffprobe and the database is shared, a worker
 * probes them.
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

/**
 * Returns the tasks with which this machine runs probes for machines that have no ffprobe. Each probe reads in the
 * media root of its client.
 */
export function probeTasks(
  media: MediaStore,
  tools: Promise<Toolchain>,
  config: ProbeConfig,
  clientContextOf: (clientId: string) => Promise<ClientContext>,
): readonly TaskKind[] {
  const { probe } = probesHere(media, tools, config);
  const run: TaskKind['run'] = async (clientId, request, signal) => {
    const { root, policy } = await clientContextOf(clientId);
    // Give the probe full rights: the service that stored the task has already checked the scopes of the token.
    return probe({ clientId, root, policy, scopes: ['jobs:write'] }, request as ProbeRequest, signal);
  };
  return [
    { kind: FILE_PROBE, run, slots: probesAtOnce(), perClient: probesAtOnce() },
    { kind: URL_PROBE, run, ...FETCHES },
  ];
}

/** Returns the function that probes staged inputs of jobs with the ffprobe of this machine. */
export const clipProber =
  (
    media: Pick<MediaStore, 'mounts'>,
    { ffprobePath = '', sandbox, workRoot }: Toolchain,
    { probeTimeoutSeconds: timeoutSeconds }: ProbeConfig,
  ): ClipProber =>
  (clip, input, signal) =>
    probeClip(clip, (plan) =>
      runProbe({ plan, mount: mountOf(media, input), ffprobePath, sandbox, workRoot, timeoutSeconds, signal }),
    );

export function mountOf(media: Pick<MediaStore, 'mounts'>, input: StagedInput): Mount {
  const [mount] = media.mounts([input]);
  if (mount === undefined) throw new Error('The media engine returned no local path for a staged input.');
  return mount;
}

function probesHere(
  media: MediaStore,
  tools: Promise<Toolchain | undefined>,
  { probeTimeoutSeconds: timeoutSeconds }: ProbeConfig,
): ProbeOperations {
  const prober: Prober = async ({ plan, input, signal }) => {
    const found = await tools;
    requireFfprobe(found);
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
  media: MediaStore,
  { tasks, workers }: WorkerTasks,
  { probeTimeoutSeconds }: ProbeConfig,
): ProbeOperations {
  const { ofFiles, ofUrls } = probeQuotas();
  const files = { kind: FILE_PROBE, quota: ofFiles, slots: fairSlots({ slots: REMOTE_AT_ONCE }), fetchSeconds: 0 };
  const urls = { kind: URL_PROBE, quota: ofUrls, slots: fairSlots(FETCHES), fetchSeconds: probeTimeoutSeconds };
  return {
    probe: async (caller, request, signal) => {
      // Check the request here first: most of its errors are found without a worker.
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

/** The maximum time of this probe: a client waits for the error reply whose fix the probe improves. */
const PROBE_MS = 3000;

/**
 * Returns a function that probes the duration and the frame rate of an input, with which the fix of an error can name
 * times. Does not fetch URLs.
 */
export const inputTimes =
  ({ probe }: Pick<ProbeOperations, 'probe'>): InputTimes =>
  async (caller, path) => {
    if (isUrl(path)) return undefined;
    // Ignore errors of the probe: the fix is also correct without the duration and the frame rate.
    const found = await probe(caller, { input: path }, AbortSignal.timeout(PROBE_MS)).catch(() => undefined);
    if (found === undefined) return undefined;
    const rate = found.streams.find(({ type }) => type === 'video')?.frameRate;
    const { durationSeconds: seconds } = found.format;
    return {
      ...(seconds !== undefined && { seconds }),
      // Leave out a mean frame rate, such as 27.3: timecodes cannot count with it.
      ...(rate !== undefined && isOfTimecodes(rate) && { frameRate: rate }),
    };
  };

/** Whether a frame rate is a whole number, such as 25, or a whole number divided by 1.001, such as 30000/1001. */
const isOfTimecodes = (rate: number): boolean =>
  [rate, rate * 1.001].some((one) => Math.abs(one - Math.round(one)) < 0.001);
