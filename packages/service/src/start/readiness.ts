import { sizeLimitText, sizeText } from '@telecine/contract/domain/quantity.ts';
import type { CheckResult } from '@telecine/contract/wire/system.ts';
import { programState } from '@telecine/ffmpeg/catalogue/program-state.ts';
import { toolFault } from '@telecine/ffmpeg/catalogue/tool-faults.ts';
import { devicesText } from '@telecine/ffmpeg/devices/devices.ts';
import { limitsText } from '@telecine/ffmpeg/sandbox/cgroup/job-cgroups.ts';
import { weaknessOf } from '@telecine/ffmpeg/sandbox/sandbox.ts';
import type { Toolchain } from '@telecine/ffmpeg/toolchain.ts';
import type { Config } from '../config/config.ts';
import type { ScratchSpace } from '../jobs/ports/media-store.ts';
import type { DataSpace } from '../store/data-space.ts';
import type { Store } from '../store/store.ts';
import { type FindBuilds, NoWorker } from '../workers/builds.ts';
import { isPartialKey, LIVE_SECONDS, type QueueControl, type WorkerStore } from '../workers/ports/worker-store.ts';
import { takesJobs } from '../workers/worker-operations.ts';
import type { Log } from './logger.ts';

const CHECK_TIMEOUT_MS = 2000;

/** For how long a result is reused. Anyone can call the endpoint, and the check of the store starts a write. */
const SHARED_MS = 1000;

/** Creates the readiness checks: whether the service can accept and run jobs. Returns the results by name. */
export function readiness(
  deps: {
    readonly store: Pick<Store, 'ping'> & {
      readonly queueControl: Pick<QueueControl, 'pausedAt'>;
      readonly workers: Pick<WorkerStore, 'seenWithin'>;
    };
    readonly media: Pick<ScratchSpace, 'freeBytes'>;
    readonly dataSpace: Pick<DataSpace, 'state'>;
    /** Checks the storage. Present if media are not on a disk. */
    readonly checkStorage?: (() => Promise<string | undefined>) | undefined;
    /** Where the features of ffmpeg are read from: the tools of this machine, or the builds of workers. */
    readonly source: { readonly tools: Promise<Toolchain> } | { readonly findBuilds: FindBuilds };
    readonly draining: () => boolean;
  },
  config: Pick<Config, 'minFreeBytes'>,
): () => Promise<Readonly<Record<string, CheckResult>>> {
  const { source } = deps;
  const { checkStorage } = deps;
  const checks: Readonly<Record<string, () => Promise<CheckResult>>> = {
    store: async () => {
      await deps.store.ping();
      return OK;
    },
    // Anyone may read these results, so they contain figures of the machine only while an operator has to act.
    disk: async () => {
      const free = await deps.media.freeBytes();
      if (free >= config.minFreeBytes) return OK;
      const place = checkStorage === undefined ? 'under the media root' : 'for scratch folders';
      return fails(`${spaceText(free, place, config.minFreeBytes)} Free space, or lower TELECINE_MIN_FREE_DISK.`);
    },
    dataDisk: async () => {
      const { isLow, freeBytes, requiredBytes } = await deps.dataSpace.state();
      if (!isLow) return OK;
      const space = spaceText(freeBytes, 'in the data folder', requiredBytes);
      return fails(`${space} No job is accepted or started. Free space, or lower TELECINE_MIN_FREE_DATA_DISK.`);
    },
    ...(checkStorage && {
      storage: async () => {
        const fault = await checkStorage();
        return fault === undefined ? OK : fails(fault);
      },
    }),
    ...('tools' in source
      ? {
          ffmpeg: async () => {
            const fault = toolFault(await source.tools);
            if (fault === undefined) return OK;
            const fix = fault.fix === undefined ? 'Wait some seconds.' : 'Install it again.';
            return fails(`${fault.program} ${fault.what}. No job is accepted or started. ${fix}`);
          },
        }
      : {
          workers: async () => {
            await source.findBuilds();
            return OK;
          },
        }),
  };
  const queueCheck = async (): Promise<CheckResult> =>
    (await deps.store.queueControl.pausedAt().catch(() => undefined)) === undefined ? { ok: true } : PAUSED;
  const workersCheck = async (): Promise<CheckResult> => {
    const live = await deps.store.workers.seenWithin(LIVE_SECONDS).catch(() => undefined);
    // If the workers cannot be read, the check of the store reports the reason.
    if (live === undefined) return { ok: true };
    const takers = live.filter(takesJobs);
    if (takers.length > 0) return takers.some((one) => isPartialKey(one.catalogueKey)) ? PREPARING : { ok: true };
    return live.length === 0 ? NONE_RUNS : ALL_DRAINED;
  };
  const runChecks = async (): Promise<Readonly<Record<string, CheckResult>>> => {
    const results = Object.entries(checks).map(async ([name, check]): Promise<[string, CheckResult]> => {
      try {
        return [name, await withTimeout(CHECK_TIMEOUT_MS, check())];
      } catch (error) {
        if (error instanceof NoWorker) return [name, fails(error.message)];
        return [name, fails(`The check of the ${name} failed or timed out. See the log.`)];
      }
    });
    const found = Object.fromEntries(await Promise.all(results));
    const [queue, workers] = await Promise.all([queueCheck(), workersCheck()]);
    const others = { ...found, queue, workers: found['workers']?.ok === false ? found['workers'] : workers };
    return 'tools' in source ? { ...others, ...(await toolChecks(source.tools)) } : others;
  };
  let latest = { at: Number.NEGATIVE_INFINITY, found: Promise.resolve({}) };
  return async () => {
    const now = performance.now();
    if (now - latest.at >= SHARED_MS) latest = { at: now, found: runChecks() };
    const found = await latest.found;
    return { ...found, ...(deps.draining() && { queue: DRAINING }) };
  };
}

const OK: CheckResult = { ok: true };

const fails = (message: string): CheckResult => ({ ok: false, message });

const spaceText = (free: number, place: string, required: number): string =>
  `${sizeText(free)} are free ${place}; at least ${sizeLimitText(required)} are required.`;

const NO_FFPROBE = 'ffprobe is missing; probes are not available.';

const replacedBy = (version: string): string =>
  `ffmpeg was replaced by version ${version} while the service runs. Restart the service to use this version.`;

/** The service is ready: it accepts jobs, and they run. */
const PREPARING: CheckResult = {
  ok: true,
  message:
    'A worker is preparing: it queries its ffmpeg in the background, which takes some minutes. Until then, a request that uses an option for the first time takes a second longer.',
};

/** The service is ready: it accepts jobs, although none starts. */
const PAUSED: CheckResult = {
  ok: true,
  isPaused: true,
  message: 'The queue is paused: jobs are accepted, but none starts.',
};

const ALL_DRAINED: CheckResult = {
  ok: true,
  isPaused: true,
  message: 'All workers are drained: jobs are accepted, but none starts.',
};

const NONE_RUNS: CheckResult = {
  ok: true,
  isPaused: true,
  message:
    'No worker runs: jobs are accepted for the builds of earlier workers, but none starts. Start a worker with "telecine worker".',
};

const DRAINING: CheckResult = { ok: false, message: 'The service is shutting down and runs no more jobs.' };

/**
 * The checks of the sandbox, the limits, the devices and ffprobe. A missing sandbox or ffprobe does not make the service unready: if a
 * sandbox is required, the service does not start without it, and without ffprobe only probes fail.
 */
async function toolChecks(tools: Promise<Toolchain>): Promise<Readonly<Record<string, CheckResult>>> {
  try {
    const { build, sandbox, devices, cgroups, ffprobePath } = await withTimeout(CHECK_TIMEOUT_MS, tools);
    const ofDevices = devicesText(devices);
    const program = programState(build);
    return {
      ...(program.kind === 'other' && { ffmpeg: { ok: true, message: replacedBy(program.version) } }),
      sandbox: { ok: true, message: weaknessOf(sandbox) ?? `${sandbox.kind}.` },
      limits: { ok: true, message: limitsText(cgroups) },
      ...(ofDevices !== undefined && { devices: { ok: true, message: ofDevices } }),
      ...(ffprobePath === undefined && { ffprobe: { ok: true, message: NO_FFPROBE } }),
    };
  } catch {
    return { sandbox: { ok: false, message: 'The sandbox is not tested yet.' } };
  }
}

async function withTimeout<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('timed out')), milliseconds);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

type Checks = Readonly<Record<string, CheckResult>>;

/** How often the service checks itself, so that it also logs a change while no client requests `/ready`. */
const INTERVAL_MS = 15_000;

/** Wraps `check`. Logs when the service stops being ready and when it is ready again. Start and drain have their own log lines. */
export function logReadiness(
  closers: AsyncDisposableStack,
  check: () => Promise<Checks>,
  started: Promise<unknown>,
  log: Pick<Log['log'], 'info' | 'warn'>,
): () => Promise<Checks> {
  let isReady = true;
  let isStarted = false;
  const watch = async (): Promise<Checks> => {
    const checks = await check();
    if (!isStarted) return checks;
    const { queue: _, ...others } = checks;
    const failed = Object.fromEntries(
      Object.entries(others).flatMap(([name, { ok, message }]) => (ok ? [] : [[name, message ?? '']])),
    );
    const wasReady = isReady;
    isReady = Object.keys(failed).length === 0;
    if (wasReady && !isReady) log.warn({ failed }, 'not ready');
    if (!wasReady && isReady) log.info('ready again');
    return checks;
  };
  const timer = setInterval(() => void watch(), INTERVAL_MS);
  timer.unref();
  closers.defer(() => clearInterval(timer));
  started.then(
    () => {
      isStarted = true;
    },
    () => {},
  );
  return watch;
}
