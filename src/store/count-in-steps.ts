import type { StoredFile } from '../domain/stored-files.ts';
import type { Tx } from '../jobs/ports/transactions.ts';
import { chunksOf } from './chunks-of.ts';
import { countFiles, needRoom } from './count-files.ts';
import { deletePendingAt, writePending } from './pending-files.ts';
import type { Database } from './transaction/database.ts';
import { dbOf } from './transaction/tx.ts';

/** The path of the room that is reserved for files of which only some are counted. No file has it. */
const ROOM_OF_ALL = '';

/**
 * Counts files as `countFiles` does, but thousands in several transactions, because others wait for each. `begin` does what one
 * transaction can: it counts a few, or reserves the room of many. `finish` counts those, in transactions of its own. Await it
 * before the files appear.
 */
export function countInSteps(
  database: Database,
  clientId: string,
  files: readonly StoredFile[],
  { version, limit }: { readonly version: string; readonly limit?: number | undefined },
): { begin(tx: Tx): Promise<void>; finish(): Promise<void> } {
  const steps = chunksOf(files);
  const isOneStep = steps.length < 2;
  const reserve = (tx: Tx, bytes: number): Promise<void> =>
    writePending(dbOf(tx), clientId, [{ path: ROOM_OF_ALL, bytes }], version, false);
  const total = bytesOf(files);
  /** What is reserved for the files that are not counted yet. */
  let room = 0;
  return {
    async begin(tx) {
      if (isOneStep) return countFiles(database, dbOf(tx), clientId, files, { version, limit });
      if (limit === undefined) return;
      room = await needRoom(database, dbOf(tx), clientId, files, { version, limit });
      await reserve(tx, room);
    },
    async finish() {
      if (isOneStep) return;
      // Near the limit, less is reserved than the files have, because some replace others: then all of it stays until the last step.
      const isNet = room < total;
      for (const [index, some] of steps.entries()) {
        if (!isNet) room = Math.max(0, room - bytesOf(some));
        const count = async (tx: Tx): Promise<void> => {
          await countFiles(database, dbOf(tx), clientId, some, { version });
          if (limit === undefined) return;
          const isLast = index === steps.length - 1;
          await (isLast ? deletePendingAt(dbOf(tx), clientId, ROOM_OF_ALL, version) : reserve(tx, room));
        };
        // A crash may undo it: then the next attempt looks at the files.
        await database.transactions.run(count, { durable: false });
      }
    },
  };
}

const bytesOf = (files: readonly StoredFile[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0);
