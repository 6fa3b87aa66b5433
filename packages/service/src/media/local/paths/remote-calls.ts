import { Problem } from '@telecine/contract/domain/problem.ts';

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

interface Disk {
  readonly name: string;
  /** The first one starts first. */
  readonly queue: Set<QueuedCall>;
  running: number;
  /** How many of the running calls have had no reply in time. */
  hanging: number;
}

interface QueuedCall {
  /** Their order among the calls to all disks. */
  readonly ticket: number;
  readonly start: () => void;
  readonly reject: (detail: string, isHanging: boolean) => void;
}

export function remoteCalls({
  timeoutMs = CALL_TIMEOUT_MS,
  threads = 4,
  onChange = () => {},
}: RemoteCallsOptions = {}): RemoteCalls {
  /** How many calls run on all these disks at a time. */
  const inAll = Math.max(1, threads - 1);
  /** The disks that have calls. */
  const disks = new Map<string, Disk>();
  let tickets = 0;
  let running = 0;
  let hanging = 0;

  const canReply = (disk: Disk): boolean => disk.hanging === 0 && hanging < inAll;
  const canStart = (disk: Disk): boolean => disk.running < AT_ONCE && running < inAll;
  /** Of the disks with the fewest running calls, the one that has waited longest: the queue of a slow disk delays no other disk. */
  const findNext = (): QueuedCall | undefined => {
    let next: { readonly disk: Disk; readonly call: QueuedCall } | undefined;
    for (const disk of disks.values()) {
      const [call] = disk.queue;
      if (call === undefined || !canStart(disk)) continue;
      const more = next === undefined ? -1 : disk.running - next.disk.running;
      if (more < 0 || (more === 0 && call.ticket < (next?.call.ticket ?? 0))) next = { disk, call };
    }
    return next?.call;
  };
  const startNext = (): void => {
    for (let next = findNext(); next !== undefined; next = findNext()) next.start();
  };
  const addHanging = (disk: Disk): void => {
    hanging += 1;
    disk.hanging += 1;
    if (disk.hanging === 1) onChange(disk.name, true);
    for (const other of disks.values())
      if (!canReply(other)) for (const call of other.queue) call.reject(HANGS, other.hanging > 0);
  };
  const removeHanging = (disk: Disk): void => {
    hanging -= 1;
    disk.hanging -= 1;
    if (disk.hanging === 0) onChange(disk.name, false);
  };
  const forgetUnused = (disk: Disk): void => {
    if (disk.running === 0 && disk.queue.size === 0) disks.delete(disk.name);
  };

  return <T>(name: string, call: () => Promise<T>, { discard, extraMs = 0 }: CallOptions<T> = {}): Promise<T> => {
    const disk: Disk = disks.get(name) ?? { name, queue: new Set(), running: 0, hanging: 0 };
    if (!canReply(disk)) return Promise.reject(new DiskUnavailable(name, HANGS, disk.hanging > 0));
    disks.set(name, disk);
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const start = (): void => {
      running += 1;
      disk.running += 1;
      let isHanging = false;
      const timer = setTimeout(() => {
        isHanging = true;
        addHanging(disk);
        reject(new DiskUnavailable(name, HANGS, true));
      }, timeoutMs + extraMs).unref();
      const end = (): void => {
        clearTimeout(timer);
        running -= 1;
        disk.running -= 1;
        if (isHanging) removeHanging(disk);
        forgetUnused(disk);
        startNext();
      };
      // A call that throws instead of rejecting ends its turn too.
      new Promise<T>((started) => started(call()))
        .finally(end)
        .then((result) => (isHanging ? discard?.(result) : resolve(result)))
        // After `reject`, this changes nothing.
        .catch(reject);
    };
    const enqueue = (): void => {
      const leave = (): void => {
        clearTimeout(timer);
        disk.queue.delete(queued);
      };
      const queued: QueuedCall = {
        ticket: tickets++,
        start: () => {
          leave();
          start();
        },
        reject: (detail, isHanging) => {
          leave();
          forgetUnused(disk);
          reject(new DiskUnavailable(name, detail, isHanging));
        },
      };
      const timer = setTimeout(() => queued.reject(SLOW, false), timeoutMs).unref();
      disk.queue.add(queued);
    };
    if (canStart(disk)) start();
    else enqueue();
    return promise;
  };
}

const HANGS = 'The storage of the media root does not reply. Retry in 5 s, or look for a mount that hangs.';
const SLOW = 'The storage of the media root is slow: other calls to it have not left time for this one. Retry in 5 s.';
