import { once } from 'node:events';
import { extname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Worker } from 'node:worker_threads';

/** The program next to this file, in `src` and in `dist`. rolldown.config.ts also contains its name. */
const PROGRAM = join(import.meta.dirname, `checkpoint-main${extname(import.meta.filename)}`);

/** How many pages of 4 KiB the log grows before they are copied into the database. */
const STEP_PAGES = 5000;

/** How long the thread waits for the next checkpoint. Under load one is due each second, and a start costs tens of ms. */
const IDLE_MS = 10_000;

/**
 * Returns a function to call between groups of transactions. It starts a checkpoint in a thread when `stepPages` of the
 * log of `file` are not in the database. The first step runs beside transactions. Then the function returns a promise
 * for the second step, for which transactions must wait: SQLite restarts the log only when all of it is copied, and
 * flushing overwritten blocks is faster than new ones. Otherwise it returns undefined. After a failure, the next
 * checkpoint is due after the same growth. Never throws or rejects: `onError` gets errors.
 */
export function logCheckpoints(
  file: string,
  {
    uncopiedPages,
    stepPages = STEP_PAGES,
    onError,
  }: {
    /** How many pages of the log are not in the database. */
    readonly uncopiedPages: () => number;
    readonly stepPages?: number;
    readonly onError: (error: unknown) => void;
  },
): () => Promise<void> | undefined {
  const thread = checkpointThread(file);
  let dueAt = stepPages;
  let isUnknown = false;
  let state: 'idle' | 'copying' | 'copied' = 'idle';
  /** The number of uncopied pages; 0 if unknown. Only the first failure is reported, because each group calls this. */
  const uncopied = (): number => {
    try {
      const pages = uncopiedPages();
      isUnknown = false;
      return pages;
    } catch (error) {
      if (!isUnknown) onError(error);
      isUnknown = true;
      return 0;
    }
  };
  const finish = (): void => {
    dueAt = uncopied() + stepPages;
    state = 'idle';
  };
  const copy = async (): Promise<void> => {
    state = 'copying';
    try {
      await thread.run();
      state = 'copied';
    } catch (error) {
      onError(error);
      finish();
    }
  };
  const copyRest = async (): Promise<void> => {
    await thread.run().catch(onError);
    finish();
  };
  return () => {
    if (state === 'copied') return copyRest();
    if (state === 'idle' && uncopied() >= dueAt) void copy();
    return undefined;
  };
}

/** Returns a function that counts the pages of the write-ahead log that are not in the database, in a microsecond. */
export function uncopiedPages(connection: DatabaseSync): () => number {
  const counts = connection.prepare('pragma wal_checkpoint(noop)');
  return () => {
    const { log, checkpointed } = counts.get() as { readonly log: number; readonly checkpointed: number };
    return log - checkpointed;
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
    async run(): Promise<void> {
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
      worker.postMessage('copy');
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
