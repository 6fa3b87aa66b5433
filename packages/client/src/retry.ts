import { ClientError, isTimedOut } from './client-error.ts';
import type { RetryBudget } from './options.ts';

export interface RetryRules {
  /** Whether sending the request twice is safe. If so, the request is also retried when its reply was lost. */
  readonly isRepeatable: boolean;
  /** Whether each try costs the service long work. If so, the request is not retried after the time limit: the next try would take as long. */
  readonly isCostly?: boolean | undefined;
  /** Default: 30 s while the service is busy, 3 s while it is unreachable. */
  readonly budget?: RetryBudget | undefined;
  /** Aborts the call. The call then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/** The number of failures of a call so far, at least 1, and the sum of its pauses in seconds. */
interface RetryState {
  readonly failures: number;
  readonly pausedSeconds: number;
}

export const DEFAULT_BUDGET: RetryBudget = { busySeconds: 30, unreachableSeconds: 3 };

/** For a transfer that has begun. Each transferred byte restarts the budget. */
export const TRANSFER_BUDGET: RetryBudget = { busySeconds: 120, unreachableSeconds: 120 };

/** For a call that follows jobs. A service that restarts, or moves to another host, continues the jobs. */
export const FOLLOW_BUDGET: RetryBudget = { busySeconds: 300, unreachableSeconds: 120 };

const FIRST_PAUSE_SECONDS = 0.2;
const MAX_PAUSE_SECONDS = 5;

/** With these statuses, the service has rejected a request without executing it. So any request can be retried. 423: another one uses the upload. */
const BUSY: ReadonlySet<number | undefined> = new Set([423, 429, 503]);
/** A proxy sends these statuses if it gets no reply from the service. The service may have executed the request. */
const LOST: ReadonlySet<number | undefined> = new Set([502, 504]);

/** Calls `attempt` until it succeeds or the rules forbid another retry. Then rejects with the last error. */
export async function withRetry<T>(rules: RetryRules, attempt: () => Promise<T>): Promise<T> {
  const { signal } = rules;
  let pausedSeconds = 0;
  for (let failures = 1; ; failures += 1) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (!(error instanceof ClientError)) throw error;
      const seconds = retryPause(error, rules, { failures, pausedSeconds });
      if (seconds === undefined) throw error;
      await pause(seconds * 1000, signal);
      pausedSeconds += seconds;
    }
  }
}

/** The seconds to pause before the next retry. undefined: the rules forbid a retry. */
export function retryPause(
  error: ClientError,
  { isRepeatable, isCostly = false, budget = DEFAULT_BUDGET }: RetryRules,
  { failures, pausedSeconds }: RetryState,
): number | undefined {
  const backoff = Math.min(FIRST_PAUSE_SECONDS * 2 ** (failures - 1), MAX_PAUSE_SECONDS);
  const ifWithin = (seconds: number, most: number): number | undefined =>
    pausedSeconds + seconds <= most ? seconds : undefined;
  // After QUOTA_EXCEEDED, waiting helps only if the reply has `Retry-After`.
  if (error.problem?.code === 'QUOTA_EXCEEDED' && error.retryAfterSeconds === undefined) return undefined;
  // With `Retry-After`, the service goes on reading a file, and the next try finds it read.
  const isBusy = BUSY.has(error.status) || (error.code === 'TIMEOUT' && error.retryAfterSeconds !== undefined);
  if (isBusy) return ifWithin(error.retryAfterSeconds ?? backoff, budget.busySeconds);
  if (isCostly && isTimedOut(error)) return undefined;
  const isLost = error.kind === 'unreachable' || LOST.has(error.status);
  return isLost && (isRepeatable || wasNeverSent(error)) ? ifWithin(backoff, budget.unreachableSeconds) : undefined;
}

/** Whether the connection was refused. The request was then never sent. */
export function wasNeverSent({ cause }: ClientError): boolean {
  const inner = cause instanceof Error && cause.cause !== undefined ? cause.cause : cause;
  return inner instanceof Error && 'code' in inner && inner.code === 'ECONNREFUSED';
}

/** Resolves after `ms` milliseconds. Rejects with the reason of an aborted signal. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout>;
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return orAborted(elapsed, signal).finally(() => clearTimeout(timer));
}

/** Settles like `pending`, or rejects with the reason of the signal if it aborts first. The work behind `pending` continues. */
export function orAborted<T>(pending: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return pending;
  return new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    pending.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
