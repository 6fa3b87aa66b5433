import { AFTER_ALL_IDS } from '@telecine/contract/domain/id-order.ts';
import { inSteps, turnsBySize } from '@telecine/contract/domain/steps.ts';
import type { JobSearch, JobSize, JobStore } from '../jobs/ports/job-store.ts';
import { pairHashes } from './job-metadata.ts';
import { storedBytes } from './job-reads.ts';
import { statusIs } from './queries.ts';
import type { Database, Db } from './transaction/database.ts';

/** The maximum number of jobs that one search looks at. */
const MAX_SEARCHED = 1000;

/** How many texts of jobs are read at once. It takes some milliseconds, which block the event loop on SQLite. */
const TEXTS = 100;

/** How many jobs are read at once. SQLite takes 4 ms to find a job with a request of 1 MB. */
const JOBS = 25;

/** How many characters of texts are searched for a word in one turn of the event loop. It takes some milliseconds. */
const TURN_CHARACTERS = 256 * 1024;

/** Searches jobs by their metadata and by words. Each search reads at most `MAX_SEARCHED` entries of an index. */
export const jobSearch = ({ reader }: Database): Pick<JobStore, 'search'> => ({
  async search(query) {
    const { words = [] } = query;
    const [first, ...others] = pairHashes(query.metadata ?? {});
    const ids = await (first === undefined ? idsWithText(reader, query) : idsByHash(reader, query, first));
    const turn = turnsBySize(TURN_CHARACTERS);
    /** Not by LIKE: SQLite takes quadratic time for it, and runs it for all rows in one turn. */
    const withWords = async (jobIds: readonly string[]): Promise<readonly string[]> => {
      const texts = await reader.selectFrom('job_texts').selectAll().where('job_id', 'in', jobIds).execute();
      const matching = new Set<string>();
      for (const { job_id, content } of texts) {
        await turn(content.length * words.length);
        if (words.every((word) => content.includes(word))) matching.add(job_id);
      }
      return jobIds.filter((jobId) => matching.has(jobId));
    };
    const read = async (jobIds: readonly string[]): Promise<readonly JobSize[]> => {
      let matching = reader
        .selectFrom('jobs')
        .select(['job_id as jobId', storedBytes.as('bytes')])
        .where('job_id', 'in', jobIds);
      if (query.status !== undefined) matching = matching.where(statusIs(query.status));
      if (query.watchId !== undefined) matching = matching.where('watch_id', '=', query.watchId);
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
      return matching.orderBy('job_id', 'desc').execute();
    };
    const found: JobSize[] = [];
    for await (const some of inSteps(ids, TEXTS)) {
      // Most jobs do not match. Read only those that do.
      for await (const jobIds of inSteps(words.length === 0 ? some : await withWords(some), JOBS)) {
        found.push(...(await read(jobIds)));
        if (found.length >= query.limit) break;
      }
      if (found.length >= query.limit) break;
    }
    const searchedTo = ids[MAX_SEARCHED - 1];
    return { jobs: found.slice(0, query.limit), ...(searchedTo !== undefined && { searchedTo }) };
  },
});

/** Returns the next `MAX_SEARCHED` jobs that have a text, newest first. */
async function idsWithText(reader: Db, { clientId, before = AFTER_ALL_IDS }: JobSearch): Promise<readonly string[]> {
  let older = reader
    .selectFrom('job_texts')
    .select('job_id')
    .where('job_id', '<', before)
    .orderBy('job_id', 'desc')
    .limit(MAX_SEARCHED);
  if (clientId !== undefined) older = older.where('client_id', '=', clientId);
  return (await older.execute()).map((row) => row.job_id);
}

/** Returns the next `MAX_SEARCHED` jobs that have a value of metadata, newest first. */
async function idsByHash(
  reader: Db,
  { clientId, before = AFTER_ALL_IDS }: JobSearch,
  hash: string,
): Promise<readonly string[]> {
  let candidates = reader
    .selectFrom('job_metadata')
    .select('job_id')
    .where('pair_hash', '=', hash)
    .where('job_id', '<', before)
    .orderBy('job_id', 'desc')
    .limit(MAX_SEARCHED);
  if (clientId !== undefined) candidates = candidates.where('client_id', '=', clientId);
  return (await candidates.execute()).map((row) => row.job_id);
}
