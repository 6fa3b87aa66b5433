import { type Kysely, sql } from 'kysely';
import { type StoredFile, type StoredFiles, storageExceeded } from '../domain/stored-files.ts';
import type { FileChecks } from '../files/ports/file-checks.ts';
import { chunksOf } from './chunks-of.ts';
import type { Schema } from './schema.ts';
import type { Database } from './transaction/database.ts';
import { dbOf } from './transaction/tx.ts';

type Db = Kysely<Schema>;

const sumOf = (column: 'bytes' | 'size_bytes') => sql<number>`cast(coalesce(sum(${sql.ref(column)}), 0) as bigint)`;

/** The bytes of a client: those of its files, and the whole size of its unfinished resumable uploads. */
export async function storedBytes(db: Db, now: Database['now'], clientId: string): Promise<number> {
  const files = await db
    .selectFrom('client_files')
    .select(sumOf('bytes').as('sum'))
    .where('client_id', '=', clientId)
    .executeTakeFirstOrThrow();
  const uploads = await db
    .selectFrom('resumable_uploads')
    .select(sumOf('size_bytes').as('sum'))
    .where('client_id', '=', clientId)
    .where('published', '=', sql.lit(0))
    .where('expires_at', '>', now())
    .executeTakeFirstOrThrow();
  return Number(files.sum) + Number(uploads.sum);
}

/** Counts files in a transaction; see `StoredFiles.count`. */
export async function countFiles(
  { lock, now }: Pick<Database, 'lock' | 'now'>,
  db: Db,
  clientId: string,
  files: readonly StoredFile[],
  limit: number | undefined,
): Promise<void> {
  if (files.length === 0) return;
  // Else two transactions would each see what was there before both.
  if (limit !== undefined) await lock?.(db, 'storage of client', clientId);
  const before = limit === undefined ? 0 : await storedBytes(db, now, clientId);
  const checkedAt = new Date().toISOString();
  // In one order everywhere, so that no two transactions wait for each other.
  const rows = files
    .map(({ path, bytes }) => ({ client_id: clientId, path, bytes, checked_at: checkedAt }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  for (const chunk of chunksOf(rows))
    await db
      .insertInto('client_files')
      .values(chunk)
      .onConflict((c) =>
        c.columns(['client_id', 'path']).doUpdateSet((e) => ({
          bytes: e.ref('excluded.bytes'),
          checked_at: e.ref('excluded.checked_at'),
        })),
      )
      .execute();
  if (limit === undefined) return;
  const after = await storedBytes(db, now, clientId);
  // A smaller file in place of a larger one is always allowed.
  if (after > limit && after > before) throw storageExceeded(before, after - before, limit);
}

/** The repository of the files that clients have published. */
export function storedFiles(database: Database): StoredFiles & FileChecks {
  const { reader, transactions, now } = database;
  return {
    count: (clientId, files, limit) =>
      // A crash of the machine may undo it. Then a file is not counted.
      transactions.run((tx) => countFiles(database, dbOf(tx), clientId, files, limit), { durable: false }),

    forget: (clientId, files) =>
      transactions.run(
        async (tx) => {
          const ofClient = () => dbOf(tx).deleteFrom('client_files').where('client_id', '=', clientId);
          const sized = files.flatMap(({ path, bytes }) => (bytes === undefined ? [] : [{ path, bytes }]));
          const others = files.flatMap(({ path, bytes }) => (bytes === undefined ? [path] : []));
          for (const chunk of chunksOf(sized)) {
            const values = sql.join(chunk.map(({ path, bytes }) => sql`(${path}, ${sql.lit(bytes)})`));
            await ofClient().where(sql<boolean>`(path, bytes) in (values ${values})`).execute();
          }
          for (const chunk of chunksOf(others)) await ofClient().where('path', 'in', chunk).execute();
        },
        { durable: false },
      ),

    used: (clientId) => storedBytes(reader, now, clientId),

    async checkedBefore(at, limit) {
      const rows = await reader
        .selectFrom('client_files')
        .select(['client_id as clientId', 'path', 'checked_at as checkedAt'])
        .where('checked_at', '<', at)
        .orderBy('checked_at')
        .limit(limit)
        .execute();
      return rows;
    },

    settle: ({ clientId, path, checkedAt }, found) =>
      transactions.run(
        async (tx) => {
          const db = dbOf(tx);
          // Unless it was published again since.
          const isSame = { client_id: clientId, path, checked_at: checkedAt };
          if (found === undefined)
            await db
              .deleteFrom('client_files')
              .where((e) => e.and(isSame))
              .execute();
          else
            await db
              .updateTable('client_files')
              .set({ bytes: found.bytes, checked_at: found.at })
              .where((e) => e.and(isSame))
              .execute();
        },
        { durable: false },
      ),
  };
}
