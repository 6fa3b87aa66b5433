import { type BigIntStats, close, fchmod, fstatSync, fsync, openSync, type PathLike } from 'node:fs';
import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { MaybePromise } from '../../domain/maybe-promise.ts';

/** An open file or folder. */
export interface OpenEntry {
  /** The descriptor; -1 once it is closed. */
  readonly fd: number;
  stats(): MaybePromise<BigIntStats>;
  setMode(mode: number): Promise<void>;
  /** Writes it to disk (fsync). */
  sync(): Promise<void>;
  /** Does nothing if it is closed already. */
  close(): Promise<void>;
}

const CLOSED = -1;
const calls = { setMode: promisify(fchmod), sync: promisify(fsync), close: promisify(close) };

/**
 * On a local disk, reads return in microseconds, and take a tenth of the processor time of those through the thread pool. Writes
 * may wait for the disk.
 */
class LocalEntry implements OpenEntry {
  fd: number;

  constructor(path: PathLike, flags: number) {
    this.fd = openSync(path, flags);
  }

  stats(): BigIntStats {
    return fstatSync(this.fd, { bigint: true });
  }

  setMode(mode: number): Promise<void> {
    return calls.setMode(this.fd, mode);
  }

  sync(): Promise<void> {
    return calls.sync(this.fd);
  }

  async close(): Promise<void> {
    const { fd } = this;
    // No later call gets the number, which soon may be that of another file. Those that have it are in the pool, before this one.
    this.fd = CLOSED;
    if (fd !== CLOSED) await calls.close(fd);
  }
}

/** Opens a file or folder. Only on a local disk, it reads synchronously: a remote disk may hang for minutes. */
export async function openEntry(path: PathLike, flags: number, isLocal: boolean): Promise<OpenEntry> {
  if (isLocal) return new LocalEntry(path, flags);
  const handle = await open(path, flags);
  return {
    get fd() {
      return handle.fd;
    },
    stats: () => handle.stat({ bigint: true }),
    setMode: (mode) => handle.chmod(mode),
    sync: () => handle.sync(),
    close: () => handle.close(),
  };
}
