import { createHash } from 'node:crypto';
import type { Metadata } from '@telecine/contract/domain/conversion.ts';
import { AFTER_ALL_IDS } from '@telecine/contract/domain/id-order.ts';
import type { JobSize, JobStore, NewJob } from '../jobs/ports/job-store.ts';
import { storedBytes } from './job-reads.ts';
import { chunksOf, statusIs } from './queries.ts';
import type { Database, dbOf } from './transaction/database.ts';

const MAX_SEARCHED = 1000;

const CHUNK = 100;

const pairHash = (name: string, value: string): string =>
  createHash('sha256')
    .update(JSON.stringify([name, value]))
    .digest('base64url');

const hashesOf = (metadata: Metadata): readonly string[] =>
  Object.entries(metadata).map(([name, value]) => pairHash(name, value));

/** Stores hashes of the metadata of new jobs, by which searches find the jobs. Call this after inserting the jobs. */
export async function insertMetadata(db: ReturnType<typeof dbOf>, jobs: readonly NewJob[]): Promise<void> {
  const rows = jobs.flatMap(({ jobId, clientId, metadata = {} }) =>
    hashesOf(metadata).map((hash) => ({ job_id: jobId, pair_hash: hash, client_id: clientId })),
  );
  await Promise.all(chunksOf(rows).map((chunk) => db.insertInto('job_metadata').values(chunk).execute()));
}

/** Searches jobs by their metadata. Each search reads at most `MAX_SEARCHED` entries of an index. */
export function metadataSearch({ reader }: Database): Pick<JobStore, 'search'> {
  return {
    async search({ clientId, status, limit, before = AFTER_ALL_IDS, metadata }) {
      const [first = '', ...others] = hashesOf(metadata);
      const found: JobSize[] = [];
      let last = before;
      for (let searched = 0; found.length < limit && searched < MAX_SEARCHED; searched += CHUNK) {
        let candidates = reader
          .selectFrom('job_metadata')
          .select('job_id')
          .where('pair_hash', '=', first)
          .where('job_id', '<', last)
          .orderBy('job_id', 'desc')
          .limit(CHUNK);
        if (clientId !== undefined) candidates = candidates.where('client_id', '=', clientId);
        const ids = (await candidates.execute()).map((row) => row.job_id);
        const lastOfChunk = ids.at(-1);
        if (lastOfChunk === undefined) return { jobs: found };
        let matching = reader
          .selectFrom('jobs')
          .select(['job_id as jobId', storedBytes.as('bytes')])
          .where('job_id', 'in', ids);
        if (status !== undefined) matching = matching.where(statusIs(status));
        for (const hash of others)
          matching = matching.where((e) =>
            e.exists(
              e
                .selectFrom('job_metadata')
                .select('job_metadata.job_id')
                .whereRef('job_metadata.job_id', '=', 'jobs.job_id')
                .where('job_metadata.pair_hash', '=', hash),
            ),
          );
        found.push(...(await matching.orderBy('job_id', 'desc').execute()));
        last = lastOfChunk;
        if (ids.length < CHUNK) return { jobs: found.slice(0, limit) };
      }
      return { jobs: found.slice(0, limit), searchedTo: last };
    },
  };
}
