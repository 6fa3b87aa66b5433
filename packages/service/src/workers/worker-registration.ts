import { availableParallelism, hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS } from '@telecine/contract/domain/quantity.ts';
import { catalogueKeyOf } from '@telecine/ffmpeg/catalogue/open-catalogue.ts';
import { encodeCatalogue } from '@telecine/ffmpeg/catalogue/serialized-catalogue.ts';
import type { Toolchain } from '@telecine/ffmpeg/toolchain.ts';
import { v7 as uuid } from 'uuid';
import { ownMachine } from './own-machine.ts';
import {
  type CatalogueStore,
  type FailedCheck,
  LOST_SECONDS,
  REPORT_SECONDS,
  type WorkerDescription,
  type WorkerLoad,
  type WorkerState,
  type WorkerStore,
} from './ports/worker-store.ts';

/** What a worker reports of its machine, and learns from the report. */
interface WorkerMachineChecks {
  failed(): Promise<readonly FailedCheck[]>;
  setDatabaseTime(at: string): void;
}

/** How often the worker checks that its catalogue is stored, and how often after a failure. */
const CATALOGUE_CHECK_MS = 60_000;
const FAILURE_CHECK_MS = 5000;

export type Registration = ReturnType<typeof openRegistration>;

/**
 * Prepares the registration of a worker, which `start` begins. When `closers` is disposed of, the worker reports that
 * it has stopped.
 */
export function openRegistration(
  closers: AsyncDisposableStack,
  config: { readonly concurrency: number; readonly buildRetentionDays: number },
  deps: {
    readonly store: { readonly workers: WorkerStore; readonly catalogues: CatalogueStore };
    readonly media: { freeBytes(): Promise<number> };
    readonly machine: WorkerMachineChecks;
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
  /** Stores the catalogue, and again if it was removed. Resolves to true. */
  const storeCatalogue = async ({ catalogue }: Toolchain): Promise<true> => {
    const key = catalogueKeyOf(catalogue.build);
    if (!(await store.catalogues.has(key))) await store.catalogues.add(key, await encodeCatalogue(catalogue));
    return true;
  };
  const keepCatalogue = async (tools: Toolchain): Promise<void> => {
    const { signal } = stopping;
    while (!signal.aborted) {
      const isStored = await storeCatalogue(tools).catch(onError);
      await sleep(isStored ? CATALOGUE_CHECK_MS : FAILURE_CHECK_MS, undefined, { signal }).catch(() => {});
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
    version: deps.version,
    /**
     * Starts the reports. Stores the catalogue if other machines may use the database. `load`: returns how busy the worker
     * is, or undefined before it runs jobs.
     */
    start: async (tools: Toolchain, load: () => WorkerLoad | undefined): Promise<void> => {
      if (stopping.signal.aborted) return;
      // If the database is not shared, this worker shares its jobs with no other.
      const machine = isShared ? ownMachine() : undefined;
      const worker = {
        ...describeWorker(workerId, config.concurrency, deps.version, tools),
        ...(machine && { machine }),
      };
      reporting = startReporting({
        workers: store.workers,
        worker,
        freeScratchBytes: () => media.freeBytes(),
        load,
        machine: deps.machine,
        // If the database is not shared, no other process plans for the build of this worker.
        buildSeconds: isShared ? (config.buildRetentionDays * DAY_MS) / 1000 : 0,
        onError,
      });
      await reporting.started;
      // No process removes the catalogue of a worker that has reported.
      if (isShared) registering = keepCatalogue(tools);
    },
    drain: async (): Promise<void> => {
      await reporting?.drain();
    },
  };
}

function describeWorker(workerId: string, concurrency: number, version: string, tools: Toolchain): WorkerDescription {
  const { catalogue, ffprobePath, sandbox, devices } = tools;
  const { build } = catalogue;
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

interface ReportingDeps {
  readonly workers: Pick<WorkerStore, 'report' | 'removeUnseen'>;
  readonly worker: WorkerDescription;
  readonly freeScratchBytes: () => Promise<number>;
  readonly load: () => WorkerLoad | undefined;
  readonly machine: WorkerMachineChecks;
  /** How long requests are accepted for the build of an absent worker, in seconds. */
  readonly buildSeconds: number;
  /** Called with the error of a failed report. The next report follows. */
  readonly onError: (error: unknown) => void;
}

type Reporting = ReturnType<typeof startReporting>;

/** How long the rows of absent workers are kept. The row of the last worker with each build is kept longer. */
const FORGET_SECONDS = 3600;

/** How long the rows of lost workers are kept: a little longer than operators see them. */
const FORGET_LOST_SECONDS = LOST_SECONDS + FORGET_SECONDS;

/** Old rows are removed once in this number of reports. */
const REPORTS_PER_REMOVAL = 60;

/** Reports this worker to the other processes every few seconds. */
function startReporting(deps: ReportingDeps) {
  const { workers, worker, freeScratchBytes, machine, buildSeconds, onError } = deps;
  let state: WorkerState = 'running';
  let reports = 0;
  let last: Promise<void> = Promise.resolve();

  const report = async (): Promise<void> => {
    try {
      // -1: the free space could not be read, which `/ready` reports.
      const free = await freeScratchBytes().catch(() => -1);
      const failedChecks = await machine.failed();
      const load = deps.load();
      const at = await workers.report(worker, {
        state,
        freeScratchBytes: Math.max(-1, Math.floor(free)),
        ...(load && { load }),
        ...(failedChecks.length > 0 && { failedChecks }),
      });
      machine.setDatabaseTime(at);
      if (reports % REPORTS_PER_REMOVAL === 0)
        await workers.removeUnseen(FORGET_SECONDS, Math.max(FORGET_SECONDS, buildSeconds), FORGET_LOST_SECONDS);
      reports += 1;
    } catch (error) {
      onError(error);
    }
  };
  /** Sends one report after the other, so that an older state never replaces a newer one. */
  const reportNext = (): Promise<void> => {
    last = last.then(report);
    return last;
  };
  const timer = setInterval(() => void reportNext(), REPORT_SECONDS * 1000);
  const change = (next: WorkerState): Promise<void> => {
    state = next;
    return reportNext();
  };
  return {
    /** Resolves after the first report has succeeded or failed. */
    started: reportNext(),
    drain: () => change('draining'),
    /** Sends the last report: the worker has stopped. */
    stop: (): Promise<void> => {
      clearInterval(timer);
      return change('stopped');
    },
  };
}
