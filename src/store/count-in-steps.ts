import type { Kysely } from 'kysely';
import type { StoredFile } from '../domain/stored-files.ts';
import type { Tx } from '../jobs/ports/transactions.ts';
import { type CountFiles, needRoom } from './count-files.ts';
import { deletePendingAt, writePending } from './pending-files.ts';
import { chunksOf } from './queries.ts';
import type { Schema } from './schema.ts';
import type { Database } from './transaction/database.ts';
import { dbOf } from './transaction/tx.ts';

type Db = Kysely<Schema>;

/** The path of the reserved room. No file has it. */
const ROOM_OF_ALL = '';

/** Counts of files in several transactions. */
export interface StepCount {
  /** Counts a few files. Of many, reserves the room. */
  begin(tx: Tx): Promise<void>;
  /**
   * Counts many files, in transactions of its own. Await it before the files appear. Each transaction calls `mayCount` first. If
   * that resolves to false, counting stops and `finish` resolves to false.
   */
  finish(mayCount: (db: Db) => Promise<boolean>): Promise<boolean>;
}

/** Counts files with `countFiles`: thousands of files in several transactions, because other writes wait for each transaction. */
export function countInSteps(
  database: Database,
  countFiles: CountFiles,
  clientId: string,
  files: readonly StoredFile[],
  { version, limit }: { readonly version: string; readonly limit?: number | undefined },
): StepCount {
  const steps = chunksOf(files);
  const isOneStep = steps.length < 2;
  // The room of pending files is kept for them, which matters under a limit only.
  const arePending = limit !== undefined;
  const reserve = (db: Db, bytes: number): Promise<void> =>
    writePending(db, clientId, [{ path: ROOM_OF_ALL, bytes }], version, false);
  const total = bytesOf(files);
  /** The bytes that are reserved for the files that are not counted yet. */
  let room = 0;
  return {
    async begin(tx) {
      const db = dbOf(tx);
      if (isOneStep) return countFiles(db, clientId, files, { version, limit, arePending });
      if (limit === undefined) return;
      room = await needRoom(database, db, clientId, files, { version, limit });
      await reserve(db, room);
    },
    async finish(mayCount) {
      if (isOneStep) return true;
      // Near the limit, some files replace others, so less is reserved than the files have. Then all of it stays until the end.
      const isNet = room < total;
      for (const [index, some] of steps.entries()) {
        if (!isNet) room = Math.max(0, room - bytesOf(some));
        const count = async (db: Db): Promise<boolean> => {
          if (!(await mayCount(db))) return false;
          await countFiles(db, clientId, some, { version, arePending });
          if (limit === undefined) return true;
          const isLast = index === steps.length - 1;
          await (isLast ? deletePendingAt(db, clientId, ROOM_OF_ALL, version) : reserve(db, room));
          return true;
        };
        // A crash may undo it: then the next attempt looks at the files.
        if (!(await database.write(count, { durable: false }))) return false;
      }
      return true;
    },
  };
}

const bytesOf = (files: readonly StoredFile[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0);
