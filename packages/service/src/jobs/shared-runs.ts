import { isTimeout } from '@telecine/contract/domain/steps.ts';
import { tally } from '@telecine/contract/domain/tally.ts';

/** A run that calls share. */
export interface SharedRun {
  /** Aborted when the run must end: no call waits for it any more, or it has been late for too long. */
  readonly signal: AbortSignal;
  /** Aborted when the run is late: it goes on although its calls have ended. */
  readonly late: AbortSignal;
  /** Makes the run late. If that is not possible, the run is aborted. */
  readonly setLate: () => void;
}

/** A run that may become late: it then goes on, so that a later call finds it or its result. */
export interface LateRun {
  readonly clientId: string;
  /** Returns the error of a call that ends before its run, which goes on. */
  readonly goesOnError: () => Error;
  /** Returns the error of a call whose run ends, because there are as many late runs as there may be. */
  readonly tooManyError: () => Error;
  /** Returns the error with which a run is aborted that has been late for too long. */
  readonly tookTooLongError: () => Error;
}

interface LateLimits {
  /** How many late runs there may be at the same time. */
  readonly perClient: number;
  readonly total: number;
  /** How long a run may be late, in seconds. */
  readonly seconds: number;
  /** How long a call waits for a run that is late already, in seconds. */
  readonly waitSeconds: number;
}

const NONE_LATE: LateLimits = { perClient: 0, total: 0, seconds: 0, waitSeconds: 0 };

export interface SharedRuns<T> {
  /**
   * Runs `work` once for all concurrent calls with the same key. Aborts it when all these calls are aborted, unless one
   * of them is aborted by a timeout and the run can become late. `late`: absent if the run must not become late.
   */
  (key: string | symbol, signal: AbortSignal, work: (run: SharedRun) => Promise<T>, late?: LateRun): Promise<T>;
  /** Aborts all runs, and waits until they have ended. */
  readonly stop: () => Promise<void>;
}

interface Run<T> {
  readonly key: string | symbol;
  readonly result: Promise<T>;
  readonly controller: AbortController;
  readonly late: AbortController;
  readonly lateRun: LateRun | undefined;
  calls: number;
  /** Whether a call has ended that was told that the run goes on. */
  isPromised: boolean;
}

/** Creates a function that shares runs. It keeps no results: a call after the end of a run starts a new one. */
export function sharedRuns<T>(limits: LateLimits = NONE_LATE): SharedRuns<T> {
  /** The runs that a call can join. */
  const runs = new Map<string | symbol, Run<T>>();
  const unfinished = new Set<Run<T>>();
  const lateOf = tally();
  let lateCount = 0;

  const forget = (run: Run<T>): void => {
    if (runs.get(run.key) === run) runs.delete(run.key);
  };
  const abort = (run: Run<T>, reason: unknown): void => {
    // Forget the run first, so that a new call does not join a run that is being aborted.
    forget(run);
    run.controller.abort(reason);
  };
  /** Returns whether the run is late now. */
  const makeLate = (run: Run<T>): boolean => {
    const { controller, late, result, lateRun } = run;
    if (late.signal.aborted) return true;
    if (lateRun === undefined || controller.signal.aborted) return false;
    const { clientId, tookTooLongError } = lateRun;
    if (lateCount >= limits.total || lateOf.of(clientId) >= limits.perClient) return false;
    lateCount += 1;
    lateOf.add(clientId);
    const timer = setTimeout(() => abort(run, tookTooLongError()), limits.seconds * 1000).unref();
    const end = (): void => {
      clearTimeout(timer);
      lateCount -= 1;
      lateOf.remove(clientId);
    };
    result.then(end, end);
    late.abort();
    return true;
  };

  const start = (key: Run<T>['key'], work: (run: SharedRun) => Promise<T>, lateRun?: LateRun): Run<T> => {
    const [controller, late] = [new AbortController(), new AbortController()];
    const setLate = (): void => {
      if (!makeLate(run)) abort(run, lateRun?.tooManyError());
    };
    const result = work({ signal: controller.signal, late: late.signal, setLate });
    const run: Run<T> = { key, result, controller, late, lateRun, calls: 0, isPromised: false };
    runs.set(key, run);
    unfinished.add(run);
    const end = (): void => {
      forget(run);
      unfinished.delete(run);
    };
    result.then(end, end);
    return run;
  };

  const share = async (
    key: Run<T>['key'],
    signal: AbortSignal,
    work: (run: SharedRun) => Promise<T>,
    lateRun?: LateRun,
  ): Promise<T> => {
    signal.throwIfAborted();
    const run = runs.get(key) ?? start(key, work, lateRun);
    const late = run.late.signal;
    const { goesOnError, tooManyError } = run.lateRun ?? {};
    const waited = late.aborted ? AbortSignal.any([signal, AbortSignal.timeout(limits.waitSeconds * 1000)]) : signal;
    run.calls += 1;
    const { promise: left, reject } = Promise.withResolvers<never>();
    const onLate = (): void => reject(goesOnError?.());
    const onAbort = (): void => {
      const { reason } = waited;
      // This call ends with its own reason, also if its end makes the run late.
      late.removeEventListener('abort', onLate);
      run.calls -= 1;
      const hasNoTime = isTimeout(reason);
      run.isPromised ||= hasNoTime;
      const isRunning = run.calls > 0 || late.aborted || (run.isPromised && makeLate(run));
      const error: unknown = (hasNoTime && (isRunning ? goesOnError : tooManyError)?.()) || reason;
      if (!isRunning) abort(run, error);
      reject(error);
    };
    late.addEventListener('abort', onLate, { once: true });
    waited.addEventListener('abort', onAbort, { once: true });
    try {
      return await Promise.race([run.result, left]);
    } finally {
      late.removeEventListener('abort', onLate);
      waited.removeEventListener('abort', onAbort);
    }
  };
  return Object.assign(share, {
    stop: async () => {
      for (const run of unfinished) abort(run, new Error('The service stops.'));
      await Promise.allSettled([...unfinished].map(({ result }) => result));
    },
  });
}
