import type { OutputUploads } from '../jobs/ports/job-records.ts';
import { chunksOf, deleteRows, hasValues } from './queries.ts';
import type { Database, Db } from './transaction/database.ts';

/** Thrown to roll back if an attempt could reserve only some of its keys. `key`: a key that another job has. */
class KeyTaken extends Error {
  readonly key: string;

  constructor(key: string) {
    super();
    this.key = key;
  }
}

interface Attempt {
  readonly job_id: string;
  readonly fence: number;
}

/** Returns the attempt to which a scratch folder belongs. The name of the folder is `<jobId>.<fence>`. */
function attemptOf(scratch: string): Attempt {
  const dot = scratch.lastIndexOf('.');
  const fence = Number(scratch.slice(dot + 1));
  if (dot < 1 || !Number.isInteger(fence))
    throw new Error(`"${scratch}" is not a scratch name of the form <jobId>.<fence>.`);
  return { job_id: scratch.slice(0, dot), fence };
}

const scratchOf = ({ job_id, fence }: Attempt): string => `${job_id}.${fence}`;

export function outputUploads({ reader, write }: Database): OutputUploads {
  return {
    record: (scratch, bucket, ids) =>
      write(async (db) => {
        const at = new Date().toISOString();
        const rows = [...ids].map(([key, upload_id]) => ({ ...attemptOf(scratch), bucket, key, upload_id, at }));
        // Do not ignore conflicts: an attempt begins each upload only once, so a second record would be an error.
        for (const chunk of chunksOf(rows)) await db.insertInto('output_uploads').values(chunk).execute();
      }),

    async find(scratch) {
      const ofAttempt = hasValues<'output_uploads' | 'output_reservations'>(attemptOf(scratch));
      const uploads = await reader
        .selectFrom('output_uploads')
        .select(['bucket', 'key', 'upload_id as uploadId'])
        .where('upload_id', 'is not', null)
        .where(ofAttempt)
        .orderBy('key')
        .execute();
      const reserved = await reader.selectFrom('output_reservations').select('key').where(ofAttempt).limit(1).execute();
      return {
        uploads: uploads.map(({ uploadId, ...at }) => ({ ...at, uploadId: uploadId ?? '' })),
        hasReserved: reserved.length > 0,
      };
    },

    async isRecorded(uploadId) {
      const recorded = reader.selectFrom('output_uploads').select('key').where('upload_id', '=', uploadId);
      return (await recorded.limit(1).executeTakeFirst()) !== undefined;
    },

    async forgetUploads(scratch) {
      await write((db) => deleteRows(db, 'output_uploads', attemptOf(scratch)));
    },

    async reserve(scratch, bucket, keys) {
      const attempt = attemptOf(scratch);
      // Sort the keys, so that two attempts with the same keys do not deadlock.
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
      return row && scratchOf(row);
    },

    async forget(scratch) {
      await write(async (db) => {
        await deleteRows(db, 'output_uploads', attemptOf(scratch));
        await deleteRows(db, 'output_reservations', attemptOf(scratch));
      });
    },

    async scratchNames() {
      const namesIn = async (table: 'output_uploads' | 'output_reservations') =>
        reader.selectFrom(table).select(['job_id', 'fence']).distinct().execute();
      const rows = [...(await namesIn('output_uploads')), ...(await namesIn('output_reservations'))];
      return [...new Set(rows.map(scratchOf))];
    },
  };
}

/** Deletes the reservations of earlier attempts of the same job, and of jobs that are not running. */
async function deleteEnded(db: Db, { job_id, fence }: Attempt, bucket: string, keys: readonly string[]): Promise<void> {
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
