import { once } from 'node:events';
import { extname, join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import type { WalFile } from './wal-file.ts';

/** The program next to this file, in `src` and in `dist`. rolldown.config.ts also contains its name. */
const PROGRAM = join(import.meta.dirname, `checkpoint-main${extname(import.meta.filename)}`);

/** How much the log grows until it is copied into the database. */
const STEP_BYTES = 20 * 2 ** 20;

/** How long the thread waits for the next checkpoint. Under load one is due each second, and a start costs tens of ms. */
const IDLE_MS = 10_000;

/**
 * Returns a function to call between two groups of transactions. When the write-ahead log of the database `file` has
 * grown by `stepBytes`, it copies the log into the database, in a thread of its own: a checkpoint flushes the database,
 * which would block the event loop for as long as the disk takes. It has two steps. The first copies what the log has,
 * while transactions go on. When it has ended, the function returns a promise for the second, which copies the rest and
 * empties the log. Transactions must wait for it: a log that grows meanwhile is never copied as a whole, so that SQLite
 * does not begin it anew. Otherwise the function returns undefined. If readers keep parts of the log in use, or a step
 * fails, the next checkpoint is due after the same growth. Never throws or rejects: `onError` gets what failed.
 */
export function logCheckpoints(
  file: string,
  {
    wal,
    stepBytes = STEP_BYTES,
    onError,
  }: {
    readonly wal: Pick<WalFile, 'bytes'>;
    readonly stepBytes?: number;
    readonly onError: (error: unknown) => void;
  },
): () => Promise<void> | undefined {
  const thread = checkpointThread(file);
  let dueAt = stepBytes;
  let isUnknown = false;
  let state: 'idle' | 'copying' | 'copied' = 'idle';
  /** Its size, or 0 if that is unknown. Reports the first failure only: each group of transactions asks for the size. */
  const logBytes = (): number => {
    try {
      const bytes = wal.bytes();
      isUnknown = false;
      return bytes;
    } catch (error) {
      if (!isUnknown) onError(error);
      isUnknown = true;
      return 0;
    }
  };
  const copy = async (): Promise<void> => {
    state = 'copying';
    try {
      await thread.run('passive');
      state = 'copied';
    } catch (error) {
      onError(error);
      dueAt = logBytes() + stepBytes;
      state = 'idle';
    }
  };
  const empty = async (): Promise<void> => {
    state = 'idle';
    await thread.run('truncate').catch(onError);
    dueAt = logBytes() + stepBytes;
  };
  return () => {
    if (state === 'copied') return empty();
    if (state === 'idle' && logBytes() >= dueAt) void copy();
    return undefined;
  };
}

/** Runs checkpoints of the database `file` in a thread, which ends when it has had none for a while. */
function checkpointThread(file: string) {
  let running: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  const start = async (): Promise<Worker> => {
    // Few processes write so much, and the others do not load it.
    const { Worker } = await import('node:worker_threads');
    const worker = new Worker(PROGRAM, { workerData: file, env: {} });
    // An error between two checkpoints must not end the process: the exit that follows fails the next one.
    worker.on('error', () => {});
    return worker;
  };
  return {
    /** Rejects if the checkpoint fails. At most one runs at a time. */
    async run(mode: 'passive' | 'truncate'): Promise<void> {
      clearTimeout(idle);
      running ??= await start();
      const worker = running;
      const waiting = new AbortController();
      const { signal } = waiting;
      const ended = async (): Promise<never> => {
        await once(worker, 'exit', { signal });
        throw new Error('The thread that runs checkpoints has ended.');
      };
      // A process that only waits for the checkpoint must not end.
      worker.ref();
      worker.postMessage(mode);
      try {
        await Promise.race([once(worker, 'message', { signal }), ended()]);
      } catch (error) {
        running = undefined;
        throw error;
      } finally {
        waiting.abort();
        worker.unref();
      }
      idle = setTimeout(() => {
        running = undefined;
        void worker.terminate();
      }, IDLE_MS).unref();
    },
  };
}
