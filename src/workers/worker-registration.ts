import { availableParallelism, hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as uuid } from 'uuid';
import { DAY_MS } from '../domain/quantity.ts';
import { BuildUnavailable } from '../ffmpeg/catalogue/build.ts';
import { catalogueKeyOf } from '../ffmpeg/catalogue/complete-catalogue.ts';
import type { Toolchain } from '../ffmpeg/toolchain.ts';
import type { CatalogueStore, WorkerDescription } from './ports/worker-store.ts';
import { registerCatalogue } from './register-catalogue.ts';
import type { WorkerTasks } from './request-task.ts';
import { type Reporting, startReporting } from './worker-reports.ts';

interface Warn {
  warn(fields: object, message: string): void;
}

/** How often it is checked that the catalogue of this worker is stored. */
const CATALOGUE_CHECK_MS = 60_000;

/** The same while another worker with this build queries it, or after a failure. */
const PEER_CHECK_MS = 5000;

export type Registration = ReturnType<typeof openRegistration>;

/** Registers nothing until `start`. Reports that the worker has stopped when `closers` is disposed of. */
export function openRegistration(
  closers: AsyncDisposableStack,
  config: { readonly concurrency: number; readonly buildRetentionDays: number },
  log: Warn,
  deps: {
    readonly store: WorkerTasks & { readonly catalogues: CatalogueStore };
    readonly media: { freeBytes(): Promise<number> };
    readonly isShared: boolean;
    readonly version: string;
    readonly onError: (error: unknown) => void;
  },
) {
  const { store, media, isShared } = deps;
  const stopping = new AbortController();
  let reporting: Reporting | undefined;
  let registering: Promise<void> | undefined;
  const onError = (error: unknown): void => {
    if (!stopping.signal.aborted) deps.onError(error);
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
    /** Starts the reports, and stores the catalogue if other machines may use the database. */
    start: async (tools: Toolchain): Promise<void> => {
      if (stopping.signal.aborted) return;
      const worker = describeWorker(workerId, config.concurrency, deps.version, tools);
      reporting = startReporting({
        workers: store.workers,
        worker,
        freeScratchBytes: () => media.freeBytes(),
        // Without a shared database, no other process plans for its build.
        buildSeconds: isShared ? (config.buildRetentionDays * DAY_MS) / 1000 : 0,
        onError,
      });
      await reporting.started;
      if (isShared) registering = keepCatalogue(worker, tools, reporting);
    },
    /** Reports that this worker takes no more jobs. */
    drain: async (): Promise<void> => {
      await reporting?.drain();
    },
  };
}

/** Returns a function that logs only the first `BuildUnavailable`, because registration repeats, and passes other errors on. */
export function logUnavailableOnce(log: Warn, onOther: (error: unknown) => void): (error: unknown) => void {
  let isLogged = false;
  return (error) => {
    if (!(error instanceof BuildUnavailable)) return onOther(error);
    if (!isLogged) log.warn({ reason: error.message }, 'catalogue not registered: ffmpeg cannot be queried');
    isLogged = true;
  };
}

function describeWorker(workerId: string, concurrency: number, version: string, tools: Toolchain): WorkerDescription {
  const { catalogue, ffprobePath, sandbox, devices } = tools;
  const { build } = catalogue.current;
  return {
    workerId,
    hostName: hostname(),
    pid: process.pid,
    version,
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
