import { AFTER_ALL_IDS } from '@telecine/contract/domain/id-order.ts';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { JobSearch, JobSize, JobStore } from '../jobs/ports/job-store.ts';
import { pairHashes } from './job-metadata.ts';
import { storedBytes } from './job-reads.ts';
import { statusIs } from './queries.ts';
import type { Schema } from './schema.ts';
import type { Database } from './transaction/database.ts';

/**
 * The maximum number of jobs that one search looks at. It takes some milliseconds, which block the event loop on SQLite.
 */
const MAX_SEARCHED = 1000;

/** How many jobs that match are read at once, to check their status and their other values. */
const CHUNK = 100;

/** Searches jobs by their metadata and by words. Each search reads at most `MAX_SEARCHED` entries of an index. */
export const jobSearch = ({ reader }: Database): Pick<JobStore, 'search'> => ({
  async search(query) {
    const [first, ...others] = pairHashes(query.metadata ?? {});
    const { ids, searchedTo } =
      first === undefined ? await idsByWords(reader, query) : await idsByHash(reader, query, first);
    const found: JobSize[] = [];
    for (let start = 0; start < ids.length && found.length < query.limit; start += CHUNK) {
      let matching = reader
        .selectFrom('jobs')
        .select(['job_id as jobId', storedBytes.as('bytes')])
        .where('job_id', 'in', ids.slice(start, start + CHUNK));
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
      if (first !== undefined)
        for (const word of query.words ?? [])
          matching = matching.where((e) =>
            e.exists(
              e
                .selectFrom('job_texts')
                .select('job_texts.job_id')
                .whereRef('job_texts.job_id', '=', 'jobs.job_id')
                .where(contains(word)),
            ),
          );
      found.push(...(await matching.orderBy('job_id', 'desc').execute()));
    }
    return { jobs: found.slice(0, query.limit), ...(searchedTo !== undefined && { searchedTo }) };
  },
});

interface FoundIds {
  /** Newest first. */
  readonly ids: readonly string[];
  /** undefined: there are no older jobs. */
  readonly searchedTo?: string | undefined;
}

const contains = (word: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`job_texts.content like ${`%${word.replaceAll(/[\\%_]/g, '\\$&')}%`} escape '\\'`;

/** Returns those of the next `MAX_SEARCHED` jobs whose text contains all words. */
async function idsByWords(
  reader: Kysely<Schema>,
  { clientId, before = AFTER_ALL_IDS, words = [] }: JobSearch,
): Promise<FoundIds> {
  let older = reader.selectFrom('job_texts').select('job_id').where('job_id', '<', before).orderBy('job_id', 'desc');
  if (clientId !== undefined) older = older.where('client_id', '=', clientId);
  const last = await older
    .offset(MAX_SEARCHED - 1)
    .limit(1)
    .executeTakeFirst();
  let matching = last === undefined ? older : older.where('job_id', '>=', last.job_id);
  for (const word of words) matching = matching.where(contains(word));
  return { ids: (await matching.execute()).map((row) => row.job_id), searchedTo: last?.job_id };
}

/** Returns those of the next `MAX_SEARCHED` jobs that have a value of metadata. */
async function idsByHash(
  reader: Kysely<Schema>,
  { clientId, before = AFTER_ALL_IDS }: JobSearch,
  hash: string,
): Promise<FoundIds> {
  let candidates = reader
    .selectFrom('job_metadata')
    .select('job_id')
    .where('pair_hash', '=', hash)
    .where('job_id', '<', before)
    .orderBy('job_id', 'desc')
    .limit(MAX_SEARCHED);
  if (clientId !== undefined) candidates = candidates.where('client_id', '=', clientId);
  const ids = (await candidates.execute()).map((row) => row.job_id);
  return { ids, ...(ids.length === MAX_SEARCHED && { searchedTo: ids.at(-1) }) };
}
