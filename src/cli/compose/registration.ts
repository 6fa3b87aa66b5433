import { availableParallelism, hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as uuid } from 'uuid';
import type { Config } from '../../config/config.ts';
import { DAY_MS } from '../../domain/durations.ts';
import { BuildUnavailable } from '../../ffmpeg/catalogue/build-unavailable.ts';
import { catalogueKeyOf } from '../../ffmpeg/catalogue/complete-catalogue.ts';
import type { WorkerDescription } from '../../workers/ports.ts';
import { type Reporting, registerCatalogue, startReporting } from '../../workers/worker-registration.ts';
import type { Log } from '../logger.ts';
import { version } from '../version.ts';
import { internalErrors } from './internal-errors.ts';
import type { Storage } from './storage.ts';
import type { Toolchain } from './toolchain.ts';

/** How often it is checked that the catalogue of this worker is stored. */
const CATALOGUE_CHECK_MS = 60_000;

/** The same while another worker with this build queries it, or after a failure. */
const PEER_CHECK_MS = 5000;

/** The registration of this process among the workers. */
export interface Registration {
  /** The id of this process among the workers. */
  readonly workerId: string;
  /** Starts the reports, and stores the catalogue if other machines may use the database. */
  start(tools: Toolchain): Promise<void>;
  /** Reports that this worker takes no more jobs. */
  drain(): Promise<void>;
}

/** Registers nothing until `start`. Reports that the worker has stopped when `closers` is disposed of. */
export function openRegistration(
  closers: AsyncDisposableStack,
  config: Pick<Config, 'concurrency' | 'buildRetentionDays'>,
  log: Log['log'],
  { store, media, isShared }: Pick<Storage, 'store' | 'media' | 'isShared'>,
): Registration {
  const stopping = new AbortController();
  let reporting: Reporting | undefined;
  let registering: Promise<void> | undefined;
  const logError = internalErrors(log, { component: 'registration' });
  const onError = (error: unknown): void => {
    if (!stopping.signal.aborted) logError(error);
  };
  const onCatalogueError = logUnavailableOnce(log, onError);
  const keepCatalogue = async (
    worker: WorkerDescription,
    { catalogue }: Toolchain,
    reports: Reporting,
  ): Promise<void> => {
    const { signal } = stopping;
    while (!signal.aborted) {
      const isStored = await registerCatalogue(store, worker, catalogue, reports, signal).catch(onCatalogueError);
      await sleep(isStored ? CATALOGUE_CHECK_MS : PEER_CHECK_MS, undefined, { signal }).catch(() => {});
    }
  };
  closers.defer(async () => {
    stopping.abort();
    await registering;
    await reporting?.stop();
  });
  const workerId = uuid();
  return {
    workerId,
    start: async (tools) => {
      if (stopping.signal.aborted) return;
      const worker = describeWorker(workerId, config, tools);
      reporting = startReporting({
        workers: store.workers,
        worker,
        freeScratchBytes: () => media.freeBytes(),
        // Nobody else plans for the builds of a database that is not shared.
        buildSeconds: isShared ? (config.buildRetentionDays * DAY_MS) / 1000 : 0,
        onError,
      });
      await reporting.started;
      if (isShared) registering = keepCatalogue(worker, tools, reporting);
    },
    drain: async () => {
      await reporting?.drain();
    },
  };
}

/**
 * Returns a function that logs the first `BuildUnavailable`, because the registration is tried again every few seconds for as long as
 * it lasts, and passes other errors on.
 */
export function logUnavailableOnce(
  log: Pick<Log['log'], 'warn'>,
  onOther: (error: unknown) => void,
): (error: unknown) => void {
  let isLogged = false;
  return (error) => {
    if (!(error instanceof BuildUnavailable)) return onOther(error);
    if (!isLogged) log.warn({ reason: error.message }, 'catalogue not registered: ffmpeg cannot be queried');
    isLogged = true;
  };
}

function describeWorker(
  workerId: string,
  { concurrency }: Pick<Config, 'concurrency'>,
  tools: Toolchain,
): WorkerDescription {
  const { catalogue, ffprobePath, sandbox, devices } = tools;
  const { build } = catalogue.current;
  return {
    workerId,
    hostName: hostname(),
    pid: process.pid,
    version: version(),
    ffmpegVersion: build.version,
    buildKey: build.key,
    catalogueKey: catalogueKeyOf(build),
    concurrency,
    processors: availableParallelism(),
    sandbox: sandbox.kind,
    hasFfprobe: ffprobePath !== undefined,
    ...(devices.list.length > 0 && { devices: devices.list }),
  };
}
