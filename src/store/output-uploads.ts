import type { Kysely } from 'kysely';
import type { OutputUploads } from '../jobs/ports/job-records.ts';
import { chunksOf } from './chunks-of.ts';
import type { Schema } from './schema.ts';
import type { Database } from './transaction/database.ts';
import { dbOf } from './transaction/tx.ts';

/** Thrown to roll back the reservations of an attempt that got only some of its keys. */
class KeyTaken extends Error {
  readonly key: string;

  constructor(key: string) {
    super();
    this.key = key;
  }
}

export function outputUploads({ reader, transactions }: Database): OutputUploads {
  const write = (unit: (db: Kysely<Schema>) => Promise<void>): Promise<void> =>
    transactions.run((tx) => unit(dbOf(tx)));

  return {
    begin: (scratch, bucket, keys) =>
      write(async (db) => {
        const attempt = attemptOf(scratch);
        const at = new Date().toISOString();
        for (const chunk of chunksOf(keys))
          await db
            .insertInto('output_uploads')
            .values(chunk.map((key) => ({ ...attempt, bucket, key, upload_id: null, at })))
            .execute();
      }),

    recordIds: (scratch, bucket, ids) =>
      write(async (db) => {
        const attempt = attemptOf(scratch);
        const at = new Date().toISOString();
        for (const chunk of chunksOf([...ids]))
          await db
            .insertInto('output_uploads')
            .values(chunk.map(([key, id]) => ({ ...attempt, bucket, key, upload_id: id, at })))
            .onConflict((c) =>
              c
                .columns(['job_id', 'fence', 'bucket', 'key'])
                .doUpdateSet((e) => ({ upload_id: e.ref('excluded.upload_id') })),
            )
            .execute();
      }),

    async find(scratch) {
      const { job_id, fence } = attemptOf(scratch);
      const uploads = await reader
        .selectFrom('output_uploads')
        .select(['bucket', 'key', 'upload_id', 'at'])
        .where('job_id', '=', job_id)
        .where('fence', '=', fence)
        .orderBy('key')
        .execute();
      const reserved = await reader
        .selectFrom('output_reservations')
        .select('key')
        .where('job_id', '=', job_id)
        .where('fence', '=', fence)
        .limit(1)
        .execute();
      return {
        uploads: uploads.map(({ upload_id, ...rest }) => ({
          ...rest,
          ...(upload_id !== null && { uploadId: upload_id }),
        })),
        hasReserved: reserved.length > 0,
      };
    },

    async recordedFor(bucket, key) {
      const rows = await reader
        .selectFrom('output_uploads')
        .select(['job_id', 'fence', 'upload_id', 'at'])
        .where('bucket', '=', bucket)
        .where('key', '=', key)
        .execute();
      return rows.map(({ job_id, fence, upload_id, at }) => ({
        scratch: `${job_id}.${fence}`,
        at,
        ...(upload_id !== null && { uploadId: upload_id }),
      }));
    },

    forgetUploads: (scratch) => write((db) => deleteUploads(db, scratch)),

    async reserve(scratch, bucket, keys) {
      const attempt = attemptOf(scratch);
      // Sorted, so that two attempts with the same keys do not wait for each other.
      const chunks = chunksOf([...keys].sort());
      try {
        await write(async (db) => {
          for (const chunk of chunks) {
            await deleteEnded(db, attempt, bucket, chunk);
            await db
              .insertInto('output_reservations')
              .values(chunk.map((key) => ({ ...attempt, bucket, key })))
              .onConflict((c) => c.columns(['bucket', 'key']).doNothing())
              .execute();
            const foreign = await db
              .selectFrom('output_reservations')
              .select(['key', 'job_id', 'fence'])
              .where('bucket', '=', bucket)
              .where('key', 'in', chunk)
              .where((e) => e.or([e('job_id', '!=', attempt.job_id), e('fence', '!=', attempt.fence)]))
              .limit(1)
              .executeTakeFirst();
            if (foreign !== undefined) throw new KeyTaken(foreign.key);
          }
        });
        return undefined;
      } catch (error) {
        if (error instanceof KeyTaken) return error.key;
        throw error;
      }
    },

    async reservedBy(bucket, key) {
      const row = await reader
        .selectFrom('output_reservations')
        .innerJoin('jobs', 'jobs.job_id', 'output_reservations.job_id')
        .select(['output_reservations.job_id', 'output_reservations.fence'])
        .where('output_reservations.bucket', '=', bucket)
        .where('output_reservations.key', '=', key)
        .where('jobs.status', '=', 'PROCESSING')
        .executeTakeFirst();
      return row && `${row.job_id}.${row.fence}`;
    },

    forget: (scratch) =>
      write(async (db) => {
        const { job_id, fence } = attemptOf(scratch);
        await deleteUploads(db, scratch);
        await db.deleteFrom('output_reservations').where('job_id', '=', job_id).where('fence', '=', fence).execute();
      }),

    async scratchNames() {
      const namesIn = async (table: 'output_uploads' | 'output_reservations') =>
        reader.selectFrom(table).select(['job_id', 'fence']).distinct().execute();
      const rows = [...(await namesIn('output_uploads')), ...(await namesIn('output_reservations'))];
      return [...new Set(rows.map(({ job_id, fence }) => `${job_id}.${fence}`))];
    },
  };
}

/** The attempt with a scratch folder, `<jobId>.<fence>`. */
function attemptOf(scratch: string): { readonly job_id: string; readonly fence: number } {
  const dot = scratch.lastIndexOf('.');
  const fence = Number(scratch.slice(dot + 1));
  if (dot < 1 || !Number.isInteger(fence)) throw new Error(`"${scratch}" is not a scratch name.`);
  return { job_id: scratch.slice(0, dot), fence };
}

async function deleteUploads(db: Kysely<Schema>, scratch: string): Promise<void> {
  const { job_id, fence } = attemptOf(scratch);
  await db.deleteFrom('output_uploads').where('job_id', '=', job_id).where('fence', '=', fence).execute();
}

/** Deletes the reservations of earlier attempts of the same job, and of jobs that do not run. */
async function deleteEnded(
  db: Kysely<Schema>,
  { job_id, fence }: ReturnType<typeof attemptOf>,
  bucket: string,
  keys: readonly string[],
): Promise<void> {
  await db
    .deleteFrom('output_reservations')
    .where('bucket', '=', bucket)
    .where('key', 'in', keys)
    .where((e) =>
      e.or([
        e.and([e('job_id', '=', job_id), e('fence', '<', fence)]),
        e.and([
          e('job_id', '!=', job_id),
          e.not(
            e.exists(
              e
                .selectFrom('jobs')
                .select('jobs.job_id')
                .whereRef('jobs.job_id', '=', 'output_reservations.job_id')
                .where('jobs.status', '=', 'PROCESSING'),
            ),
          ),
        ]),
      ]),
    )
    .execute();
}
