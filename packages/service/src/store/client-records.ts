import type { StoredFiles } from '@telecine/contract/domain/stored-files.ts';
import type { WatchScan } from '@telecine/contract/domain/watch.ts';
import { type Kysely, sql } from 'kysely';
import { parseJsonColumn } from './columns.ts';
import type { Schema } from './schema.ts';

/** How long a total is used: each request of a client asks for it. */
const FRESH_MS = 1000;

/** The path of a counted file is in its row, in an index, and with the outputs of its job. */
const COPIES_OF_PATH = 3;

/** What a file takes in the ledger of a watch. */
const WATCHED_FILE_BYTES = 1024;

/** Returns the function that counts the records of clients; see `StoredFiles.records`. */
export function clientRecords(reader: Kysely<Schema>): StoredFiles['records'] {
  const known = new Map<string, Promise<number>>();
  return (clientId) => {
    const bytes = known.get(clientId) ?? readRecords(reader, clientId);
    if (!known.has(clientId)) setTimeout(() => known.delete(clientId), FRESH_MS).unref();
    known.set(clientId, bytes);
    bytes.catch(() => known.delete(clientId));
    return bytes;
  };
}

async function readRecords(reader: Kysely<Schema>, clientId: string): Promise<number> {
  const sum = (table: 'client_usage' | 'client_storage' | 'bin_entries', bytes: string) =>
    sql<number>`(select coalesce(sum(${sql.raw(bytes)}), 0) from ${sql.table(table)} where client_id = ${clientId})`;
  const [{ jobs, paths, bin }, watches] = await Promise.all([
    reader
      .selectNoFrom([
        sum('client_usage', 'record_bytes').as('jobs'),
        sum('client_storage', 'path_bytes').as('paths'),
        sum('bin_entries', 'octet_length(counted)').as('bin'),
      ])
      .executeTakeFirstOrThrow(),
    reader.selectFrom('watches').select('last_scan').where('client_id', '=', clientId).execute(),
  ]);
  const files = watches.reduce((all, { last_scan }) => all + (parseJsonColumn<WatchScan>(last_scan)?.files ?? 0), 0);
  return Number(jobs) + COPIES_OF_PATH * Number(paths) + Number(bin) + WATCHED_FILE_BYTES * files;
}
