import { once } from 'node:events';
import { extname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

/**
 * The program of the thread. It is next to this file, both in `src` and in `dist`. If you rename it, also change its
 * name in rolldown.config.ts.
 */
const PROGRAM = join(import.meta.dirname, `checkpoint-main${extname(import.meta.filename)}`);

/** A checkpoint is due after the log has grown by this number of pages of 4 KiB. */
const STEP_PAGES = 5000;

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
  let dueAt = stepPages;
  let isUnknown = false;
  let isCopying = false;
  let copied: LogCopy | undefined;
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
  const copy = async (): Promise<void> => {
    isCopying = true;
    try {
      copied = await copyLog(file);
    } catch (error) {
      onError(error);
      dueAt = uncopied() + stepPages;
    }
    isCopying = false;
  };
  const copyRest = async ({ copyRest: run }: LogCopy): Promise<void> => {
    copied = undefined;
    await run().catch(onError);
    dueAt = uncopied() + stepPages;
  };
  return () => {
    if (copied !== undefined) return copyRest(copied);
    if (!isCopying && uncopied() >= dueAt) void copy();
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

/** A write-ahead log that a thread has copied into the database. */
interface LogCopy {
  /** Copies what was added to the log since then, and ends the thread. */
  copyRest(): Promise<void>;
}

/** Copies the log of the database `file` in a thread. Rejects if that fails. */
async function copyLog(file: string): Promise<LogCopy> {
  // Import the module when it is needed: few processes write enough for a checkpoint.
  const { Worker } = await import('node:worker_threads');
  const worker = new Worker(PROGRAM, { workerData: file, env: {} });
  // An error of the thread rejects this promise, and must not end the process.
  const ended = once(worker, 'exit');
  worker.on('error', () => {});
  const endedEarly = ended.then(() => {
    throw new Error('The thread that runs checkpoints ended unexpectedly.');
  });
  await Promise.race([once(worker, 'message'), endedEarly]);
  // The thread does not keep the process alive before it has to copy the rest.
  worker.unref();
  return {
    copyRest: async () => {
      worker.ref();
      worker.postMessage('copy the rest');
      await ended;
    },
  };
}
