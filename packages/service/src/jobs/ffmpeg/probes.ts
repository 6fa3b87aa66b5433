import { availableParallelism } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import { callQuota, fairSlots } from '@telecine/contract/domain/call-quota.ts';
import type { MediaInfo, ProbeRequest } from '@telecine/contract/domain/media-info.ts';
import type { Mount } from '@telecine/contract/domain/plan.ts';
import { lazily, rememberSuccess } from '@telecine/contract/domain/remember.ts';
import { isUrl } from '@telecine/contract/domain/url-input.ts';
import type { Toolchain } from '@telecine/ffmpeg/toolchain.ts';
import { requireFfprobe, requireProber } from '../../workers/builds.ts';
import { REMOTE_AT_ONCE, requestTask, type WorkerTasks } from '../../workers/request-task.ts';
import type { TaskKind } from '../../workers/task-runner.ts';
import type { ClientContext, ClipProber, Prober } from '../ports/ffmpeg.ts';
import type { MediaStore, StagedInput } from '../ports/media-store.ts';
import type { ProbeDeps, ProbeOperations, ProbeQuotas } from '../probe.ts';
import type { ProbeCache, ProbeReads } from '../probe-cache.ts';

/** Import the code of probes only when the first probe runs. */
const runProbe = lazily(async () => (await import('@telecine/ffmpeg/probe/probe.ts')).runProbe);
const probeClip = lazily(async () => (await import('@telecine/ffmpeg/probe/probe-clip.ts')).probeClip);
const loadProbe = rememberSuccess(() => import('../probe.ts'));

/**
 * The slots of concurrent probes. A probe usually uses one core for 50 ms, and conversions need the other cores. One
 * slot is always left for other clients.
 */
function probeSlots() {
  const perClient = Math.min(availableParallelism(), 4);
  return { slots: perClient + 1, perClient };
}

/** How many probes can fetch their files at the same time. They wait for servers and use no core. */
const FETCHES = { slots: 16, perClient: 4 } as const;

/** How many probes can copy objects at the same time. Few, because an object can be as large as the disk has room. */
const COPIES = { slots: 4, perClient: 3 } as const;

/**
 * How many probes can open files of disks at the same time. Opening takes a moment, but on a mount that hangs, each call keeps one of the
 * four threads with which the service does all that it does with files.
 */
const OPENS = { slots: 2, perClient: 1 } as const;

/** The limits of the slots of the probes that this process runs itself. */
export const slotLimits = () => ({
  probeSlots: probeSlots(),
  fetchSlots: FETCHES,
  copySlots: COPIES,
  openSlots: OPENS,
});

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

/** The probes of a process. */
export interface Probes extends ProbeOperations {
  /** Returns the cache that all probes of this process share. */
  readonly cache: () => Promise<ProbeCache>;
}

type OpenReads = () => Promise<ProbeReads>;

/**
 * Probes files with the ffprobe of this machine. If this machine has no ffprobe and the database is shared, a worker
 * probes them. Closing `closers` ends the reads that nobody waits for.
 */
export function probeOperations(
  closers: AsyncDisposableStack,
  { media, store, isShared }: { readonly media: MediaStore; readonly store: WorkerTasks; readonly isShared: boolean },
  tools: Promise<Toolchain | undefined>,
  config: ProbeConfig,
): Probes {
  const openReads = rememberSuccess(async () =>
    (await import('../probe-cache.ts')).probeReads(config.probeTimeoutSeconds),
  );
  closers.defer(async () => (await openReads.started())?.stop());
  const here = probesHere(media, tools, config, openReads);
  const onWorkers = probesOnWorkers(media, store, config, openReads);
  return {
    cache: async () => (await openReads()).cache,
    probe: async (...call) => {
      const hasFfprobe = (await tools)?.ffprobePath !== undefined;
      return (hasFfprobe || !isShared ? here : onWorkers).probe(...call);
    },
  };
}

/**
 * Returns the tasks with which this machine, which has ffprobe, runs probes for machines that have none. Each probe reads
 * in the media root of its client.
 */
export function probeTasks(
  { probe }: Pick<ProbeOperations, 'probe'>,
  clientContextOf: (clientId: string) => Promise<ClientContext>,
): readonly TaskKind[] {
  const run: TaskKind['run'] = async (clientId, request, signal) => {
    const { root, policy } = await clientContextOf(clientId);
    // Give the probe full rights: the service that stored the task has already checked the scopes of the token.
    return probe({ clientId, root, policy, scopes: ['jobs:write'] }, request as ProbeRequest, signal);
  };
  return [
    { kind: FILE_PROBE, run, ...probeSlots() },
    { kind: URL_PROBE, run, ...FETCHES },
  ];
}

/**
 * Returns the function that probes staged inputs of jobs with the ffprobe of this machine, once for each version of a
 * file. A partial input is always probed: what ffprobe says about it is not true of the file.
 */
export const clipProber =
  (
    media: Pick<MediaStore, 'mounts'>,
    openCache: Probes['cache'],
    { ffprobePath = '', sandbox, workRoot }: Toolchain,
    { probeTimeoutSeconds: timeoutSeconds }: ProbeConfig,
  ): ClipProber =>
  async (clip, input, signal) => {
    const cache = await openCache();
    const file = input.isPartial === true ? undefined : input.file;
    return probeClip(clip, async (plan) => {
      const known = cache.find(file, plan);
      if (known !== undefined) return known;
      const mount = mountOf(media, input);
      const outcome = await runProbe({ plan, mount, ffprobePath, sandbox, workRoot, timeoutSeconds, signal });
      if (outcome.ok) cache.keep(file, plan, outcome);
      return outcome;
    });
  };

export function mountOf(media: Pick<MediaStore, 'mounts'>, input: StagedInput): Mount {
  const [mount] = media.mounts([input]);
  if (mount === undefined) throw new Error('The media engine returned no local path for a staged input.');
  return mount;
}

function probesHere(
  media: MediaStore,
  tools: Promise<Toolchain | undefined>,
  { probeTimeoutSeconds: timeoutSeconds }: ProbeConfig,
  openReads: OpenReads,
): ProbeOperations {
  const prober: Prober = async ({ input, ...task }) => {
    const found = await tools;
    requireFfprobe(found);
    const { ffprobePath, sandbox, workRoot } = found;
    const mount = mountOf(media, input);
    return runProbe({ ...task, mount, ffprobePath, sandbox, workRoot, timeoutSeconds });
  };
  const limits = slotLimits();
  const deps: Omit<ProbeDeps, 'reads'> = {
    ...{ media, prober, probeSeconds: timeoutSeconds, quotas: probeQuotas() },
    probeSlots: fairSlots(limits.probeSlots),
    fetchSlots: fairSlots(limits.fetchSlots),
    copySlots: fairSlots(limits.copySlots),
    openSlots: fairSlots(limits.openSlots),
  };
  return {
    probe: async (...call) => {
      const [{ probeFile }, reads] = await Promise.all([loadProbe(), openReads()]);
      return probeFile({ ...deps, reads }, ...call);
    },
  };
}

function probesOnWorkers(
  media: MediaStore,
  { tasks, workers }: WorkerTasks,
  { probeTimeoutSeconds }: ProbeConfig,
  openReads: OpenReads,
): ProbeOperations {
  const { ofFiles, ofUrls } = probeQuotas();
  const files = { kind: FILE_PROBE, quota: ofFiles, slots: fairSlots({ slots: REMOTE_AT_ONCE }), fetchSeconds: 0 };
  const urls = { kind: URL_PROBE, quota: ofUrls, slots: fairSlots(FETCHES), fetchSeconds: probeTimeoutSeconds };
  return {
    probe: async (caller, request, signal, stat) => {
      const [{ checkProbe }, { readOnce }] = await Promise.all([loadProbe(), openReads()]);
      // Check the request here first: most of its errors are found without a worker.
      const checked = await checkProbe(media, caller, request, stat);
      const { clientId } = caller;
      const { kind, quota, slots, fetchSeconds } = isUrl(request.input) ? urls : files;
      const seconds = fetchSeconds + probeTimeoutSeconds + WORKER_WAIT_SECONDS;
      const ask = async (ended: AbortSignal): Promise<MediaInfo> => {
        await requireProber(workers);
        const info = await quota(clientId, () =>
          slots(clientId, ended, () => requestTask(tasks, { kind, clientId, request }, { seconds, signal: ended })),
        );
        return info as MediaInfo;
      };
      if (kind === URL_PROBE) return ask(signal);
      return readOnce(checked, signal, async (run) => {
        const info = await ask(run.signal);
        // The worker does not say which version it has read. If the file is the same as before, it was this version.
        const { file } = await checkProbe(media, caller, request);
        return { info, ...(isDeepStrictEqual(file, checked.file) && { file }) };
      });
    },
  };
}

const probeQuotas = (): ProbeQuotas => ({
  ofFiles: callQuota('probes', CALLS),
  ofUrls: callQuota('probes of URLs', CALLS),
});
