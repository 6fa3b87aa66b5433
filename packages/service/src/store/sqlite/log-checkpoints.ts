import { once } from 'node:events';
import { extname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Worker } from 'node:worker_threads';

/** The program of the thread. It is next to this file, both in `src` and in `dist`. rolldown.config.ts also contains its name. */
const PROGRAM = join(import.meta.dirname, `checkpoint-main${extname(import.meta.filename)}`);

/** The number of pages of 4 KiB by which the log grows before it is copied into the database. */
const STEP_PAGES = 5000;

/**
 * How long the thread waits for the next checkpoint. Under load, a checkpoint is due each second, and starting the
 * thread takes tens of ms.
 */
const IDLE_MS = 10_000;

/**
 * Returns a function to call between groups of transactions. It starts a checkpoint in a thread when `stepPages` pages
 * of the log of `file` are not in the database yet. The first step runs in parallel to transactions. After it, the
 * function returns a promise for the second step, and transactions must wait for this promise. The wait is needed
 * because SQLite starts the log from its beginning only after all of it is copied, and flushing overwritten blocks is
 * faster than flushing new ones. In all other cases, the function returns undefined. After a failure, the next
 * checkpoint starts after the log has grown by `stepPages` again. Never throws or rejects: `onError` receives errors.
 */
export function logCheckpoints(
  file: string,
  {
    uncopiedPages,
    stepPages = STEP_PAGES,
    onError,
  }: {
    /** Returns how many pages of the log are not in the database. */
    readonly uncopiedPages: () => number;
    readonly stepPages?: number;
    readonly onError: (error: unknown) => void;
  },
): () => Promise<void> | undefined {
  const thread = checkpointThread(file);
  let dueAt = stepPages;
  let isUnknown = false;
  let state: 'idle' | 'copying' | 'copied' = 'idle';
  /**
   * Returns the number of pages that are not copied. Returns 0 if it is unknown. Reports only the first failure,
   * because each group calls this.
   */
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

/** Returns a function that counts the pages of the write-ahead log that are not in the database. A call takes a microsecond. */
export function uncopiedPages(connection: DatabaseSync): () => number {
  const counts = connection.prepare('pragma wal_checkpoint(noop)');
  return () => {
    const { log, checkpointed } = counts.get() as { readonly log: number; readonly checkpointed: number };
    return log - checkpointed;
  };
}

/** Runs checkpoints of the database `file` in a thread. The thread ends after some time without checkpoints. */
function checkpointThread(file: string) {
  let running: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  const start = async (): Promise<Worker> => {
    // Load the module on demand, because few processes write enough to need a checkpoint.
    const { Worker } = await import('node:worker_threads');
    const worker = new Worker(PROGRAM, { workerData: file, env: {} });
    // An error between two checkpoints must not end the process. The thread then exits, and the next checkpoint fails.
    worker.on('error', () => {});
    return worker;
  };
  return {
    /** Runs a checkpoint. Rejects if the checkpoint fails. At most one runs at a time. */
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
      // The process must not exit while it waits only for the checkpoint.
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
