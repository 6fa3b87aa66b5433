import { Problem } from '@telecine/contract/domain/problem.ts';

/** How long a disk may take for one call. NFS and SMB report an error after one to three minutes, or never. */
const CALL_TIMEOUT_MS = 30_000;

/**
 * How many calls run on a disk at a time. Each call to a disk that hangs keeps one of the four threads with which the service does all that it
 * does with files. So two disks that hang at the same time still keep all of them.
 */
const AT_ONCE = 2;

/**
 * Runs a call to a disk that could hang. Rejects with UNAVAILABLE if the disk does not reply in time, and at once while an earlier call has no
 * reply. A slow disk that replies is waited for.
 *
 * @param disk See `diskOf`.
 */
export type RemoteCalls = <T>(disk: string, call: () => Promise<T>) => Promise<T>;

interface QueuedCall {
  readonly start: () => void;
  readonly reject: (reason: unknown) => void;
}

interface Disk {
  running: number;
  /** How many of the running calls have had no reply in time. */
  hanging: number;
  queue: QueuedCall[];
}

export function remoteCalls(timeoutMs = CALL_TIMEOUT_MS): RemoteCalls {
  const disks = new Map<string, Disk>();

  const startNext = (name: string, disk: Disk): void => {
    disk.queue.shift()?.start();
    if (disk.running === 0) disks.delete(name);
  };
  const setHanging = (disk: Disk): void => {
    disk.hanging += 1;
    for (const { reject } of disk.queue.splice(0)) reject(storageHangs());
  };

  return (name, call) => {
    const disk = disks.get(name) ?? { running: 0, hanging: 0, queue: [] };
    if (disk.hanging > 0) return Promise.reject(storageHangs());
    disks.set(name, disk);
    return new Promise((resolve, reject) => {
      const start = (): void => {
        disk.running += 1;
        let isHanging = false;
        const timer = setTimeout(() => {
          isHanging = true;
          setHanging(disk);
          reject(storageHangs());
        }, timeoutMs).unref();
        const end = (): void => {
          clearTimeout(timer);
          disk.running -= 1;
          if (isHanging) disk.hanging -= 1;
          startNext(name, disk);
        };
        call().finally(end).then(resolve, reject);
      };
      if (disk.running < AT_ONCE) start();
      else disk.queue.push({ start, reject });
    });
  };
}

const storageHangs = (): Problem =>
  new Problem(
    'UNAVAILABLE',
    'The storage of the media root does not reply. Retry in 5 s, or look for a mount that hangs.',
    { retryAfterSeconds: 5 },
  );
