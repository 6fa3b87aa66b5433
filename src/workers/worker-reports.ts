import { REPORT_SECONDS, type WorkerDescription, type WorkerState, type WorkerStore } from './ports/worker-store.ts';

interface ReportingDeps {
  readonly workers: Pick<WorkerStore, 'report' | 'removeUnseen'>;
  readonly worker: WorkerDescription;
  readonly freeScratchBytes: () => Promise<number>;
  /** For how long requests are accepted for the build of a worker that is gone. */
  readonly buildSeconds: number;
  /** Receives why a report failed. The next one follows. */
  readonly onError: (error: unknown) => void;
}

export type Reporting = ReturnType<typeof startReporting>;

/** How long the rows of workers that are gone stay, but for the last one of each build. */
const FORGET_SECONDS = 3600;

/** The number of reports between two removals of old rows. */
const REPORTS_PER_REMOVAL = 60;

/** Reports this worker to the other processes every few seconds. */
export function startReporting(deps: ReportingDeps) {
  const { workers, freeScratchBytes, buildSeconds, onError } = deps;
  let { worker } = deps;
  let state: WorkerState = 'running';
  let reports = 0;
  let last: Promise<void> = Promise.resolve();

  const report = async (): Promise<void> => {
    try {
      // -1: the disk could not be read. `/ready` says so.
      const free = await freeScratchBytes().catch(() => -1);
      await workers.report(worker, { state, freeScratchBytes: Math.max(-1, Math.floor(free)) });
      if (reports % REPORTS_PER_REMOVAL === 0)
        await workers.removeUnseen(FORGET_SECONDS, Math.max(FORGET_SECONDS, buildSeconds));
      reports += 1;
    } catch (error) {
      onError(error);
    }
  };
  /** One after the other, so that an older state never replaces a newer one. */
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
    /** Resolves after the first report was tried. */
    started: reportNext(),
    /** Reports that the worker has another catalogue now. */
    changeCatalogue: (catalogueKey: string): Promise<void> => {
      if (catalogueKey === worker.catalogueKey) return last;
      worker = { ...worker, catalogueKey };
      return reportNext();
    },
    /** Reports that the worker takes no more jobs. */
    drain: () => change('draining'),
    /** Reports for the last time, that the worker has stopped. */
    stop: (): Promise<void> => {
      clearInterval(timer);
      return change('stopped');
    },
  };
}
