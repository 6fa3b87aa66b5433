import { Problem } from '@telecine/contract/domain/problem.ts';

/** How long a disk may take for one call. NFS and SMB report an error after one to three minutes, or never. */
const CALL_TIMEOUT_MS = 30_000;

/** How many calls run on a disk at a time. Each call to a disk that hangs keeps a thread of the service until the disk replies. */
const AT_ONCE = 2;

/**
 * How many calls run on all these disks at a time. The service has four threads for files (libuv's default), and one must be left for disks
 * that reply.
 */
const IN_ALL = 3;

export interface CallOptions<T> {
  /** Gets a result that comes too late. Its errors are ignored. */
  readonly discard?: (late: T) => unknown;
  /** How much longer this call may take than others, such as one that copies a file, in milliseconds. */
  readonly extraMs?: number;
}

/**
 * Runs a call to a disk that could hang. Rejects with UNAVAILABLE if the disk does not reply in time, and at once while an earlier call has no
 * reply, or while so many calls to other disks have none that no thread is left. A slow disk that replies is waited for.
 *
 * @param disk See `diskOf`.
 */
export type RemoteCalls = <T>(disk: string, call: () => Promise<T>, options?: CallOptions<T>) => Promise<T>;

export interface RemoteCallsOptions {
  readonly timeoutMs?: number;
  /** Called when a disk begins to hang, and when all calls that hung have ended. */
  readonly onChange?: (disk: string, isHanging: boolean) => void;
}

interface Disk {
  readonly name: string;
  running: number;
  /** How many of the running calls have had no reply in time. */
  hanging: number;
  /** How many calls run or are queued. */
  calls: number;
}

interface QueuedCall {
  readonly disk: Disk;
  readonly start: () => void;
  readonly reject: (reason: unknown) => void;
}

export function remoteCalls({
  timeoutMs = CALL_TIMEOUT_MS,
  onChange = () => {},
}: RemoteCallsOptions = {}): RemoteCalls {
  const disks = new Map<string, Disk>();
  let queue: QueuedCall[] = [];
  let running = 0;
  let hanging = 0;

  const canReply = (disk: Disk): boolean => disk.hanging === 0 && hanging < IN_ALL;
  const canStart = (disk: Disk): boolean => disk.running < AT_ONCE && running < IN_ALL;
  const startNext = (): void => {
    for (;;) {
      const index = queue.findIndex(({ disk }) => canStart(disk));
      if (index === -1) return;
      queue.splice(index, 1)[0]?.start();
    }
  };
  const addHanging = (disk: Disk): void => {
    hanging += 1;
    disk.hanging += 1;
    if (disk.hanging === 1) onChange(disk.name, true);
    const waiting = queue;
    queue = waiting.filter((one) => canReply(one.disk));
    for (const { disk: other, reject } of waiting) if (!canReply(other)) reject(storageHangs());
  };
  const removeHanging = (disk: Disk): void => {
    hanging -= 1;
    disk.hanging -= 1;
    if (disk.hanging === 0) onChange(disk.name, false);
  };
  const leave = (disk: Disk): void => {
    disk.calls -= 1;
    if (disk.calls === 0) disks.delete(disk.name);
  };

  return (name, call, { discard, extraMs = 0 } = {}) => {
    const disk = disks.get(name) ?? { name, running: 0, hanging: 0, calls: 0 };
    if (!canReply(disk)) return Promise.reject(storageHangs());
    disks.set(name, disk);
    disk.calls += 1;
    return new Promise((resolve, reject) => {
      const start = (): void => {
        running += 1;
        disk.running += 1;
        let isHanging = false;
        const timer = setTimeout(() => {
          isHanging = true;
          addHanging(disk);
          reject(storageHangs());
        }, timeoutMs + extraMs).unref();
        const end = (): void => {
          clearTimeout(timer);
          running -= 1;
          disk.running -= 1;
          if (isHanging) removeHanging(disk);
          leave(disk);
          startNext();
        };
        call()
          .finally(end)
          .then((result) => (isHanging ? discard?.(result) : resolve(result)))
          // After `reject`, this changes nothing.
          .catch(reject);
      };
      const rejectQueued = (reason: unknown): void => {
        leave(disk);
        reject(reason);
      };
      if (canStart(disk)) start();
      else queue.push({ disk, start, reject: rejectQueued });
    });
  };
}

const storageHangs = (): Problem =>
  new Problem(
    'UNAVAILABLE',
    'The storage of the media root does not reply. Retry in 5 s, or look for a mount that hangs.',
    { retryAfterSeconds: 5 },
  );
