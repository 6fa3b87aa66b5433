import { ClientError } from './client-error.ts';

/** How long a call is retried: the sum of its pauses in seconds. */
export interface RetryBudget {
  /** While the service replies that it is busy (429, 503). */
  readonly busySeconds: number;
  /** While the service cannot be reached. */
  readonly unreachableSeconds: number;
}

export interface RetryRules {
  /** Sending the request twice has the effect of sending it once, so it is also retried if its reply was lost. */
  readonly isRepeatable: boolean;
  /** Left out: 30 s while busy, 3 s while unreachable. */
  readonly budget?: RetryBudget | undefined;
  /** Ends the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** How often a call has failed, from 1, and how long it has paused. */
export interface RetryState {
  readonly failures: number;
  readonly pausedSeconds: number;
}

export const DEFAULT_BUDGET: RetryBudget = { busySeconds: 30, unreachableSeconds: 3 };

const FIRST_PAUSE_SECONDS = 0.2;
const MAX_PAUSE_SECONDS = 5;

/** The service rejected the request before it did anything, so any request can be sent again. */
const BUSY: ReadonlySet<number | undefined> = new Set([429, 503]);
/** A proxy got no reply of the service. The service may have executed the request. */
const LOST: ReadonlySet<number | undefined> = new Set([502, 504]);

/** Runs `attempt` until it succeeds or the rules do not allow another try. */
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

/** Seconds to pause before the next try; undefined: do not try again. */
export function retryPause(
  error: ClientError,
  { isRepeatable, budget = DEFAULT_BUDGET }: RetryRules,
  { failures, pausedSeconds }: RetryState,
): number | undefined {
  const backoff = Math.min(FIRST_PAUSE_SECONDS * 2 ** (failures - 1), MAX_PAUSE_SECONDS);
  const ifWithin = (seconds: number, most: number): number | undefined =>
    pausedSeconds + seconds <= most ? seconds : undefined;
  if (BUSY.has(error.status)) return ifWithin(error.retryAfterSeconds ?? backoff, budget.busySeconds);
  const isLost = error.kind === 'unreachable' || LOST.has(error.status);
  return isLost && (isRepeatable || wasNeverSent(error)) ? ifWithin(backoff, budget.unreachableSeconds) : undefined;
}

/** The connection was refused, so nothing was sent over it. */
function wasNeverSent({ cause }: ClientError): boolean {
  const inner = cause instanceof Error && cause.cause !== undefined ? cause.cause : cause;
  return inner instanceof Error && 'code' in inner && inner.code === 'ECONNREFUSED';
}

/** Resolves after this time, or rejects with the signal's reason. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout>;
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return orAborted(elapsed, signal).finally(() => clearTimeout(timer));
}

/** Settles as `pending` does, or rejects with the signal's reason. The work of `pending` goes on. */
export function orAborted<T>(pending: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return pending;
  return new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    pending.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
