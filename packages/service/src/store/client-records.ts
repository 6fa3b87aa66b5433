import type { StoredFiles } from '@telecine/contract/domain/stored-files.ts';
import type { Watch } from '@telecine/contract/domain/watch.ts';
import { sql } from 'kysely';
import { parseJsonColumn } from './columns.ts';
import type { Db } from './transaction/database.ts';

/** How long a total is used: each request of a client asks for it. */
const FRESH_MS = 1000;

/** What a file takes in the ledger of a watch. */
const WATCHED_FILE_BYTES = 1024;

/** Returns the function that counts the records of clients; see `StoredFiles.records`. */
export function clientRecords(reader: Db): StoredFiles['records'] {
  const known = new Map<string, Promise<number>>();
  return (clientId) => {
    const bytes = known.get(clientId) ?? readRecords(reader, clientId);
    if (!known.has(clientId)) setTimeout(() => known.delete(clientId), FRESH_MS).unref();
    known.set(clientId, bytes);
    bytes.catch(() => known.delete(clientId));
    return bytes;
  };
}

async function readRecords(reader: Db, clientId: string): Promise<number> {
  const [{ jobs }, watches] = await Promise.all([
    reader
      .selectFrom('client_usage')
      .select(sql<number>`coalesce(sum(record_bytes), 0)`.as('jobs'))
      .where('client_id', '=', clientId)
      .executeTakeFirstOrThrow(),
    reader.selectFrom('watches').select('last_scan').where('client_id', '=', clientId).execute(),
  ]);
  const files = watches.reduce(
    (all, { last_scan }) => all + (parseJsonColumn<Watch['lastScan']>(last_scan)?.files ?? 0),
    0,
  );
  return Number(jobs) + WATCHED_FILE_BYTES * files;
}
