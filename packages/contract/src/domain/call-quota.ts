import { Problem } from './problem.ts';
import { tally } from './tally.ts';

interface CallLimits {
  readonly perClient: number;
  readonly total: number;
  /** Whose calls count together in `perClient`, in error messages. Default: `this client`. */
  readonly of?: string;
}

/**
 * Runs `work`. Throws RATE_LIMITED if the client has too many calls in progress. Throws UNAVAILABLE if all clients
 * together have too many.
 */
export type CallQuota = <T>(clientId: string, work: () => Promise<T>) => Promise<T>;

/** The delay before a retry that the error advises. Within 2 s, some of the running calls probably end. */
const RETRY_SECONDS = 2;

/** Creates a quota of concurrent calls. `what`: names the calls in error messages, in the plural, such as "probes". */
export function callQuota(what: string, { perClient, total, of = 'this client' }: CallLimits): CallQuota {
  const counts = tally();
  let totalCount = 0;
  const retry = { retryAfterSeconds: RETRY_SECONDS };
  return async (clientId, work) => {
    if (counts.of(clientId) >= perClient)
      throw new Problem(
        'RATE_LIMITED',
        `${perClient} ${what} of ${of} are running, the most that are allowed. Retry in ${RETRY_SECONDS} s.`,
        retry,
      );
    if (totalCount >= total)
      throw new Problem(
        'UNAVAILABLE',
        `${total} ${what} are running or queued, the most of all clients together. Retry in ${RETRY_SECONDS} s.`,
        retry,
      );
    counts.add(clientId);
    totalCount += 1;
    try {
      return await work();
    } finally {
      counts.remove(clientId);
      totalCount -= 1;
    }
  };
}

interface FairSlotsOptions {
  readonly slots: number;
  /** The maximum number of slots that one client can use at the same time. Default: all slots. */
  readonly perClient?: number;
}

/**
 * Runs `work` when a slot is free. A free slot goes to the client with the fewest running calls. If several clients
 * have equally few, it goes to the one whose last call started longest ago. If `signal` is aborted, a call that is
 * still queued rejects with the reason of the abort.
 */
export type FairSlots = <T>(clientId: string, signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

interface QueuedCall {
  readonly clientId: string;
  readonly start: () => void;
}

/** The calls of one client. The entry is deleted when the client has no running and no queued calls. */
interface ClientCalls {
  running: number;
  queued: number;
  /**
   * The number of the last call that this client started. The calls of all clients are numbered together. 0: the client
   * has started none.
   */
  lastStart: number;
}

/** Creates slots that clients share fairly. Does not limit the number of queued calls; use a `CallQuota` for that. */
export function fairSlots({ slots, perClient = slots }: FairSlotsOptions): FairSlots {
  const clients = new Map<string, ClientCalls>();
  const queue: QueuedCall[] = [];
  let running = 0;
  let starts = 0;

  const callsOf = (clientId: string): ClientCalls => {
    const calls = clients.get(clientId) ?? { running: 0, queued: 0, lastStart: 0 };
    clients.set(clientId, calls);
    return calls;
  };
  const forgetIfIdle = (clientId: string): void => {
    const calls = clients.get(clientId);
    if (calls?.running === 0 && calls.queued === 0) clients.delete(clientId);
  };
  const leaveQueue = (call: QueuedCall): void => {
    queue.splice(queue.indexOf(call), 1);
    callsOf(call.clientId).queued -= 1;
  };
  const nextCall = (): QueuedCall | undefined => {
    let next: QueuedCall | undefined;
    for (const call of queue) {
      const calls = callsOf(call.clientId);
      if (calls.running < perClient && (next === undefined || isBefore(calls, callsOf(next.clientId)))) next = call;
    }
    return next;
  };
  const startCalls = (): void => {
    while (running < slots) {
      const call = nextCall();
      if (call === undefined) return;
      leaveQueue(call);
      const calls = callsOf(call.clientId);
      calls.running += 1;
      calls.lastStart = ++starts;
      running += 1;
      call.start();
    }
  };

  const waitForSlot = (clientId: string, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const onAbort = (): void => {
        leaveQueue(call);
        forgetIfIdle(clientId);
        reject(signal.reason);
      };
      const start = (): void => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      const call: QueuedCall = { clientId, start };
      callsOf(clientId).queued += 1;
      queue.push(call);
      signal.addEventListener('abort', onAbort, { once: true });
      startCalls();
    });

  return async (clientId, signal, work) => {
    signal.throwIfAborted();
    await waitForSlot(clientId, signal);
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      running -= 1;
      callsOf(clientId).running -= 1;
      startCalls();
      forgetIfIdle(clientId);
    }
  };
}

/** Resolves when a slot is free, which is used until the result is disposed of. If `signal` is aborted before that, rejects with its reason. */
export const takeSlot = (slots: FairSlots, clientId: string, signal: AbortSignal): Promise<Disposable> =>
  new Promise((resolve, reject) => {
    slots(clientId, signal, () => new Promise<void>((end) => resolve({ [Symbol.dispose]: end }))).catch(reject);
  });

const isBefore = (one: ClientCalls, other: ClientCalls): boolean =>
  one.running < other.running || (one.running === other.running && one.lastStart < other.lastStart);
