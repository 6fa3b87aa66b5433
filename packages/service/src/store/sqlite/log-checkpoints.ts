import { once } from 'node:events';
import { extname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Worker } from 'node:worker_threads';

/**
 * The program of the thread. It is next to this file, both in `src` and in `dist`. If you rename it, also change its
 * name in rolldown.config.ts.
 */
const PROGRAM = join(import.meta.dirname, `checkpoint-main${extname(import.meta.filename)}`);

/** A checkpoint is due after the log has grown by this number of pages of 4 KiB. */
const STEP_PAGES = 5000;

/**
 * How long the thread waits for the next checkpoint before it ends. Under load, a checkpoint is due each second, and
 * starting the thread takes tens of ms.
 */
const IDLE_MS = 10_000;

/**
 * Returns a function to call between two groups of transactions. It starts a checkpoint in a thread when `stepPages`
 * pages of the log of `file` are not copied into the database yet. A checkpoint has two steps. The first one runs while
 * transactions go on. For the second one, the function returns a promise, for which transactions must wait: SQLite
 * starts the log from its beginning only when all of it is copied, and flushing overwritten blocks is faster than
 * flushing new ones. In all other cases, the function returns undefined. After a failure, the next checkpoint starts
 * when the log has grown by `stepPages` again. Never throws or rejects: `onError` receives errors.
 */
export function logCheckpoints(
  file: string,
  {
    uncopiedPages,
    stepPages = STEP_PAGES,
    onError,
  }: {
    /** Returns how many pages of the log are not copied into the database yet. */
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
   * Returns the number of pages that are not copied, or 0 if it is unknown. Reports only the first failure in a row,
   * because this is called for each group.
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

/**
 * Returns a function that counts the pages of the write-ahead log that are not copied into the database yet. A call
 * takes a microsecond.
 */
export function uncopiedPages(connection: DatabaseSync): () => number {
  const counts = connection.prepare('pragma wal_checkpoint(noop)');
  return () => {
    const { log, checkpointed } = counts.get() as { readonly log: number; readonly checkpointed: number };
    return log - checkpointed;
  };
}

/** Runs checkpoints of the database `file` in a thread, which ends after `IDLE_MS` without a checkpoint. */
function checkpointThread(file: string) {
  let running: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  const start = async (): Promise<Worker> => {
    // Import the module when it is needed: few processes write enough for a checkpoint.
    const { Worker } = await import('node:worker_threads');
    const worker = new Worker(PROGRAM, { workerData: file, env: {} });
    // An error of the thread between two checkpoints must not end the process. The thread exits, and the next
    // checkpoint fails.
    worker.on('error', () => {});
    return worker;
  };
  return {
    /** Runs a checkpoint. Rejects if the checkpoint fails. Do not call it while one is running. */
    async run(): Promise<void> {
      clearTimeout(idle);
      running ??= await start();
      const worker = running;
      const waiting = new AbortController();
      const { signal } = waiting;
      const ended = async (): Promise<never> => {
        await once(worker, 'exit', { signal });
        throw new Error('The thread that runs checkpoints ended unexpectedly.');
      };
      // Keep the process alive, even if it waits only for the checkpoint.
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
