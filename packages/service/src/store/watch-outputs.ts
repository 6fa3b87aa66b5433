import { folderOf } from '@telecine/contract/domain/media-path.ts';
import type { Kysely } from 'kysely';
import type { JobEnd } from '../jobs/ports/job-store.ts';
import { type FileSubmission, identityOf, type MadeFile, type WatchLedger } from '../watches/ports.ts';
import { chunksOf, excluded, rowsChanged, updateRows } from './queries.ts';
import type { Schema } from './schema.ts';
import type { Database } from './transaction/database.ts';

/** A job with more outputs, such as HLS, is stored by the folders of its outputs: a folder of segments belongs to one job. */
const MAX_FILES = 100;

/** How many old rows one transaction removes. */
const REMOVED_ROWS = 1000;

/**
 * Stores which files jobs of watches have made, by the watches through which they came to be. The rows of a job are added with the job,
 * because a scan can find an output before the transaction that ends the job.
 */
export function watchOutputs({ reader, write }: Pick<Database, 'reader' | 'write'>) {
  const upsert = async (
    db: Kysely<Schema>,
    rows: readonly {
      readonly client_id: string;
      readonly path: string;
      readonly job_id: string;
      readonly bytes: number | null;
      readonly fingerprint: string | null;
      readonly pending: 1 | null;
      readonly origins: string;
      readonly created_at: string;
    }[],
    columns: readonly ('bytes' | 'fingerprint')[],
  ): Promise<void> => {
    // Two outputs of one request can name the same path, and one statement must not change a row twice.
    const unique = [...new Map(rows.map((row) => [row.path, row])).values()];
    for (const some of chunksOf(unique))
      await db
        .insertInto('watch_outputs')
        .values(some)
        .onConflict((c) =>
          c
            .columns(['client_id', 'path'])
            .doUpdateSet(excluded('job_id', 'pending', 'origins', 'created_at', ...columns)),
        )
        .execute();
  };

  return {
    /** Stores the outputs that jobs are going to write. */
    add: (db: Kysely<Schema>, clientId: string, jobs: readonly FileSubmission[], at: string): Promise<void> =>
      upsert(
        db,
        jobs.flatMap(({ jobId, outputs, origins }) =>
          outputs.map((path) => ({
            client_id: clientId,
            path,
            job_id: jobId,
            bytes: null,
            fingerprint: null,
            pending: 1 as const,
            origins: JSON.stringify(origins),
            created_at: at,
          })),
        ),
        // If the job fails, the file that an earlier job has made at this path is still there.
        [],
      ),

    /** Replaces the outputs that a job was going to write by those that it has written. */
    async settle(db: Kysely<Schema>, { jobId, clientId, outputs = [], at }: JobEnd): Promise<void> {
      const planned = await db
        .selectFrom('watch_outputs')
        .select('origins')
        .where('job_id', '=', jobId)
        .limit(1)
        .executeTakeFirst();
      if (planned === undefined) return;
      await db.deleteFrom('watch_outputs').where('job_id', '=', jobId).where('bytes', 'is', null).execute();
      await updateRows(db, 'watch_outputs', { pending: null }, { job_id: jobId });
      const written =
        outputs.length <= MAX_FILES
          ? outputs.map(({ path, sizeBytes, fingerprint = null }) => ({ path, bytes: sizeBytes, fingerprint }))
          : [...new Set(outputs.map(({ path }) => folderOf(path)))].map((path) => ({
              ...{ path, bytes: null, fingerprint: null },
            }));
      await upsert(
        db,
        written.map((file) => ({
          ...file,
          client_id: clientId,
          job_id: jobId,
          pending: null,
          origins: planned.origins,
          created_at: at,
        })),
        ['bytes', 'fingerprint'],
      );
    },

    find: (async (clientId, files) => {
      const paths = files.flatMap(({ path }) => [path, folderOf(path)]);
      const identities = files.flatMap((file) => identityOf(file) ?? []);
      const rows = () =>
        reader
          .selectFrom('watch_outputs')
          .select(['path', 'bytes', 'fingerprint', 'pending', 'origins'])
          .where('client_id', '=', clientId);
      const found = await Promise.all([
        ...chunksOf([...new Set(paths)]).map((some) => rows().where('path', 'in', some).execute()),
        ...chunksOf(identities).map((some) =>
          rows().where('fingerprint', 'is not', null).where('fingerprint', 'in', some).execute(),
        ),
      ]);
      return found.flat().map(
        ({ path, bytes, fingerprint, pending, origins }): MadeFile => ({
          path,
          ...(bytes !== null && { bytes }),
          ...(fingerprint !== null && { fingerprint }),
          isPending: pending === 1,
          origins: JSON.parse(origins) as string[],
        }),
      );
    }) satisfies WatchLedger['madeFiles'],

    async removeBefore(before: string): Promise<void> {
      for (;;) {
        const removed = await write((db) => {
          const old = db
            .selectFrom('watch_outputs')
            .select('job_id')
            .where('created_at', '<', before)
            // A job can wait longer than that, and its outputs are not new files.
            .where('pending', 'is', null)
            .limit(REMOVED_ROWS);
          return rowsChanged(db, db.deleteFrom('watch_outputs').where('job_id', 'in', old));
        });
        if (removed < REMOVED_ROWS) return;
      }
    },
  };
}
