import { fairSlots } from '@telecine/contract/domain/call-quota.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { tally } from '@telecine/contract/domain/tally.ts';

/** How long a disk may take for one call. NFS and SMB report an error after one to three minutes, or never. */
export const CALL_TIMEOUT_MS = 30_000;

/** How many calls run on a disk at a time. Each call to a disk that hangs keeps a thread of the service until the disk replies. */
const AT_ONCE = 2;

export interface CallOptions<T> {
  /** Gets a result that comes too late. Its errors are ignored. */
  readonly discard?: (late: T) => unknown;
  /** How much longer this call may take than others, such as one that copies a file, in milliseconds. */
  readonly extraMs?: number;
}

/**
 * Runs a call to a disk that could hang. Rejects with `DiskUnavailable` if the disk does not reply in time, or if earlier calls to slow disks leave
 * it no turn in that time. Rejects at once while an earlier call has no reply, or while so many calls to other disks have none that no thread is left.
 *
 * @param disk See `diskOf`.
 */
export type RemoteCalls = <T>(disk: string, call: () => Promise<T>, options?: CallOptions<T>) => Promise<T>;

export interface RemoteCallsOptions {
  /** How long a call may take, and how long it waits for its turn. */
  readonly timeoutMs?: number;
  /** How many threads the service has for files, of which one is left for disks that reply. Default: libuv's, 4. */
  readonly threads?: number;
  /** Called when a disk begins to hang, and when all calls that hung have ended. */
  readonly onChange?: (disk: string, isHanging: boolean) => void;
}

/** A disk does not reply, or other calls leave it no turn. It does not mean that a file is missing. */
export class DiskUnavailable extends Problem {
  readonly disk: string;
  /** false: the disk may reply, but calls leave this one no turn: earlier ones to it, or those that hang to other disks. */
  readonly isHanging: boolean;

  constructor(disk: string, detail: string, isHanging: boolean) {
    super('UNAVAILABLE', detail, { retryAfterSeconds: 5 });
    this.disk = disk;
    this.isHanging = isHanging;
  }
}

export function remoteCalls({
  timeoutMs = CALL_TIMEOUT_MS,
  threads = 4,
  onChange = () => {},
}: RemoteCallsOptions = {}): RemoteCalls {
  /** How many calls run on all these disks at a time. */
  const inAll = Math.max(1, threads - 1);
  // A free slot goes to the disk with the fewest running calls: the queue of a slow disk delays no other disk.
  const slots = fairSlots({ slots: inAll, perClient: AT_ONCE });
  const queued = new Set<{ readonly disk: string; readonly reject: (detail: string) => void }>();
  /** By disk: how many of its running calls have had no reply in time. */
  const hanging = tally();
  let hangingInAll = 0;

  const canReply = (disk: string): boolean => hanging.of(disk) === 0 && hangingInAll < inAll;
  const unavailable = (disk: string, detail: string): DiskUnavailable =>
    new DiskUnavailable(disk, detail, hanging.of(disk) > 0);
  const addHanging = (disk: string): void => {
    hangingInAll += 1;
    hanging.add(disk);
    if (hanging.of(disk) === 1) onChange(disk, true);
    for (const call of queued) if (!canReply(call.disk)) call.reject(HANGS);
  };
  const removeHanging = (disk: string): void => {
    hangingInAll -= 1;
    hanging.remove(disk);
    if (hanging.of(disk) === 0) onChange(disk, false);
  };

  return <T>(disk: string, call: () => Promise<T>, { discard, extraMs = 0 }: CallOptions<T> = {}): Promise<T> => {
    if (!canReply(disk)) return Promise.reject(unavailable(disk, HANGS));
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const waiting = new AbortController();
    const entry = { disk, reject: (detail: string) => waiting.abort(unavailable(disk, detail)) };
    const leaveQueue = (): void => {
      clearTimeout(waitTimer);
      queued.delete(entry);
    };
    const waitTimer = setTimeout(() => entry.reject(SLOW), timeoutMs).unref();
    const run = async (): Promise<void> => {
      leaveQueue();
      let isHanging = false;
      const timer = setTimeout(() => {
        isHanging = true;
        addHanging(disk);
        reject(unavailable(disk, HANGS));
      }, timeoutMs + extraMs).unref();
      try {
        const result = await call();
        if (isHanging) await discard?.(result);
        else resolve(result);
      } finally {
        clearTimeout(timer);
        if (isHanging) removeHanging(disk);
      }
    };
    queued.add(entry);
    // If the timer has already rejected the promise, this `reject` has no effect.
    slots(disk, waiting.signal, run).catch(reject).finally(leaveQueue);
    return promise;
  };
}

const HANGS = 'The storage of the media root does not reply. Retry in 5 s, or look for a mount that hangs.';
const SLOW = 'The storage of the media root is slow: other calls to it have not left time for this one. Retry in 5 s.';
