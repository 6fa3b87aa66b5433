import { once } from 'node:events';
import { extname, join } from 'node:path';
import type { WalFile } from './wal-file.ts';

/** The program next to this file, in `src` and in `dist`. rolldown.config.ts also contains its name. */
const PROGRAM = join(import.meta.dirname, `checkpoint-main${extname(import.meta.filename)}`);

/** How much the log grows until it is copied into the database. */
const STEP_BYTES = 20 * 2 ** 20;

/**
 * Returns a function to call between two groups of transactions. When the write-ahead log of the database `file` has grown by
 * `stepBytes`, it runs a checkpoint in a thread of its own, and resolves when that has ended; otherwise it returns undefined.
 * A checkpoint flushes the database, which would block the event loop for as long as the disk takes. Transactions must wait: a
 * log that grows meanwhile is never copied as a whole, so that SQLite does not begin it anew. If readers keep parts of the log
 * in use, or the checkpoint fails, the next one is due after the same growth. Never throws or rejects: `onError` gets what failed.
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
  let dueAt = stepBytes;
  let isUnknown = false;
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
  const run = async (): Promise<void> => {
    await inThread(file).catch(onError);
    dueAt = logBytes() + stepBytes;
  };
  return () => (logBytes() < dueAt ? undefined : run());
}

async function inThread(file: string): Promise<void> {
  // Few processes write so much, and the others do not load it.
  const { Worker } = await import('node:worker_threads');
  await once(new Worker(PROGRAM, { workerData: file }), 'exit');
}
