import { Problem } from '@telecine/contract/domain/problem.ts';
import { FolderUnreachable } from '../../../watches/ports.ts';
import { CALL_TIMEOUT_MS, type RemoteCalls } from '../paths/remote-calls.ts';

/** The running call of each disk, which never rejects. */
export type DiskTurns = Map<string, Promise<void>>;

/** Calls of the file system that could hang. Dispose of it at the end of a scan. */
export interface DiskCalls extends Disposable {
  /**
   * Runs one call to a disk at a time. Rejects with the reason of the abort, and with `FolderUnreachable` if the disk does not answer.
   *
   * @param disk See `diskOf`.
   * @param discard Gets the result of a call that returns after that.
   */
  run<T>(disk: string, call: () => Promise<T>, discard?: (late: T) => unknown): Promise<T>;
  /** Resolves when no call of this scan runs, not even one that was abandoned. */
  ended(): Promise<void>;
}

/**
 * Lets the calls of all scans to a disk take turns, so that a disk that hangs keeps one thread of the pool, however many watches it has. A
 * call that is abandoned keeps its turn until it returns.
 *
 * @param limited Limits the calls of the service to disks that could hang, of which those of scans are a part.
 */
export function diskCalls(
  turns: DiskTurns,
  limited: RemoteCalls,
  signal: AbortSignal,
  timeoutMs: number = CALL_TIMEOUT_MS,
): DiskCalls {
  let last = Promise.resolve();
  let waiting: { readonly sinceMs: number; reject(reason: unknown): void } | undefined;
  /** Like `promise`, but can be abandoned. `Promise.race` would keep all earlier promises of a scan in memory. */
  const unlessStopped = <T>(promise: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      waiting = { sinceMs: performance.now(), reject };
      promise.then(resolve, reject);
    });
  const onAbort = (): void => waiting?.reject(signal.reason);
  signal.addEventListener('abort', onAbort);
  const watchdog = setInterval(() => {
    if (waiting !== undefined && performance.now() - waiting.sinceMs >= timeoutMs)
      waiting.reject(new FolderUnreachable('timeout'));
  }, timeoutMs / 10).unref();

  return {
    run: async (disk, call, discard) => {
      let isLate = false;
      try {
        signal.throwIfAborted();
        for (let other = turns.get(disk); other !== undefined; other = turns.get(disk)) await unlessStopped(other);
        signal.throwIfAborted();
        const turn = Promise.withResolvers<void>();
        const endTurn = (): void => {
          turns.delete(disk);
          turn.resolve();
        };
        turns.set(disk, turn.promise);
        last = turn.promise;
        let isStarted = false;
        const result = limited(disk, async () => {
          isStarted = true;
          try {
            const value = await call();
            if (isLate) discard?.(value);
            return value;
          } finally {
            endTurn();
          }
        });
        result.catch(() => {
          if (!isStarted) endTurn();
        });
        return await unlessStopped(result);
      } catch (error) {
        isLate = true;
        throw error instanceof Problem ? new FolderUnreachable('timeout') : error;
      } finally {
        waiting = undefined;
      }
    },
    ended: () => last,
    [Symbol.dispose]: () => {
      clearInterval(watchdog);
      signal.removeEventListener('abort', onAbort);
    },
  };
}
