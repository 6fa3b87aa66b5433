import { createHash } from 'node:crypto';
import type { Metadata } from '@telecine/contract/domain/conversion.ts';
import type { NewJob } from '../jobs/ports/job-store.ts';
import { chunksOf } from './queries.ts';
import type { dbOf } from './transaction/database.ts';

const pairHash = (name: string, value: string): string =>
  createHash('sha256')
    .update(JSON.stringify([name, value]))
    .digest('base64url');

/** Hashes of each name with its value, so that long values need no long index entries. */
export const pairHashes = (metadata: Metadata): readonly string[] =>
  Object.entries(metadata).map(([name, value]) => pairHash(name, value));

/** Stores hashes of the metadata of new jobs, by which searches find the jobs. Call this after inserting the jobs. */
export async function insertMetadata(db: ReturnType<typeof dbOf>, jobs: readonly NewJob[]): Promise<void> {
  const rows = jobs.flatMap(({ jobId, clientId, metadata = {} }) =>
    pairHashes(metadata).map((hash) => ({ job_id: jobId, pair_hash: hash, client_id: clientId })),
  );
  await Promise.all(chunksOf(rows).map((chunk) => db.insertInto('job_metadata').values(chunk).execute()));
}
