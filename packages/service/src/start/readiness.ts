import type { CheckResult } from '@telecine/contract/wire/system.ts';
import { programState } from '@telecine/ffmpeg/catalogue/program-state.ts';
import { devicesText } from '@telecine/ffmpeg/devices/devices.ts';
import { limitsText } from '@telecine/ffmpeg/sandbox/cgroup/job-cgroups.ts';
import { weaknessOf } from '@telecine/ffmpeg/sandbox/sandbox.ts';
import type { Toolchain } from '@telecine/ffmpeg/toolchain.ts';
import type { Store } from '../store/store.ts';
import { type FindBuilds, NoWorker } from '../workers/builds.ts';
import { LIVE_SECONDS, type QueueControl, type WorkerStore } from '../workers/ports/worker-store.ts';
import { takesJobs, unreadyText } from '../workers/worker-operations.ts';
import type { Log } from './logger.ts';
import { type Checks, fails, type MachineChecks, reuse, runChecks, withTimeout } from './machine-checks.ts';

const TOOLS_TIMEOUT_MS = 2000;

/** For how long a result is reused. Anyone can call the endpoint, and the check of the store starts a write. */
const SHARED_MS = 1000;

/** Creates the readiness checks: whether the service can accept and run jobs. Returns the results by name. */
export function readiness(deps: {
  readonly store: Pick<Store, 'ping'> & {
    readonly queueControl: Pick<QueueControl, 'pausedAt'>;
    readonly workers: Pick<WorkerStore, 'seenWithin'>;
  };
  readonly machine: Pick<MachineChecks, 'results'>;
  /** Where the features of ffmpeg are read from: the tools of this machine, or the builds of workers. */
  readonly source: { readonly tools: Promise<Toolchain> } | { readonly findBuilds: FindBuilds };
  readonly draining: () => boolean;
}): () => Promise<Checks> {
  const { source, store } = deps;
  const checks = {
    store: async () => {
      await store.ping();
      return OK;
    },
    ...('findBuilds' in source && {
      workers: async () => {
        try {
          await source.findBuilds();
          return OK;
        } catch (error) {
          if (error instanceof NoWorker) return fails(error.message);
          throw error;
        }
      },
    }),
  };
  const queueCheck = async (): Promise<CheckResult> =>
    (await store.queueControl.pausedAt().catch(() => undefined)) === undefined ? { ok: true } : PAUSED;
  const workersCheck = async (): Promise<CheckResult> => {
    const live = await store.workers.seenWithin(LIVE_SECONDS).catch(() => undefined);
    // If the workers cannot be read, the check of the store reports the reason.
    if (live === undefined) return { ok: true };
    const takers = live.filter(takesJobs);
    const unready = unreadyText(live);
    const isPaused = takers.length === 0 && { isPaused: true as const };
    if (unready !== undefined) return { ...OK, ...isPaused, message: `${unready} "telecine workers" lists them.` };
    if (takers.length > 0) return OK;
    return live.length === 0 ? NONE_RUNS : ALL_DRAINED;
  };
  const findAll = async (): Promise<Checks> => {
    const [found, machine, queue, workers, info] = await Promise.all([
      runChecks(checks),
      deps.machine.results(),
      queueCheck(),
      workersCheck(),
      'tools' in source ? toolChecks(source.tools) : {},
    ]);
    const faults = Object.entries({ ...found, ...machine }).filter(([, { ok }]) => !ok);
    return { ...found, ...machine, queue, workers, ...info, ...Object.fromEntries(faults) };
  };
  const latest = reuse(findAll, SHARED_MS);
  return async () => ({ ...(await latest()), ...(deps.draining() && { queue: DRAINING }) });
}

const OK: CheckResult = { ok: true };

const NO_FFPROBE = 'ffprobe is missing; probes are not available.';

const replacedText = (version: string): string =>
  `ffmpeg was replaced by version ${version} while the service runs. Restart the service to use this version.`;

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
    const { build, sandbox, devices, cgroups, ffprobePath } = await withTimeout(TOOLS_TIMEOUT_MS, tools);
    const ofDevices = devicesText(devices);
    const { replacedBy } = programState(build);
    return {
      ...(replacedBy !== undefined && { ffmpeg: { ok: true, message: replacedText(replacedBy) } }),
      sandbox: { ok: true, message: weaknessOf(sandbox) ?? `${sandbox.kind}.` },
      limits: { ok: true, message: limitsText(cgroups) },
      ...(ofDevices !== undefined && { devices: { ok: true, message: ofDevices } }),
      ...(ffprobePath === undefined && { ffprobe: { ok: true, message: NO_FFPROBE } }),
    };
  } catch {
    return { sandbox: { ok: false, message: 'The sandbox is not tested yet.' } };
  }
}

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
