import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { PostgresServer } from '../../support/postgres.ts';
import { scratchProcesses } from '../../support/scratch-processes.ts';
import { CHUNKS_FOR_RETRIES, filesIn, RECEIPTS } from '../service-state.ts';
import type { Cluster } from './cluster.ts';
import { queryCluster } from './cluster-audit.ts';

/**
 * What may be left in the database for no longer than a transaction takes, or than a worker needs to remove it. A service that runs holds the
 * leases of its rounds. A retry may use the chunks of a failed job for a day.
 */
const IN_DATABASE = `
  select 'ticket' as what, id::text || ' ' || state::text as name from telecine_queue.job
  union all select 'intent', job_id from jobs where intent is not null
  union all select 'part of an intent', job_id from job_intents
  union all select 'open transaction', application_name || ' ' || coalesce(query, '') from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%' and now() - state_change > interval '5 s'
  union all select 'advisory lock', objid::text from pg_locks l join pg_stat_activity a using (pid)
    where locktype = 'advisory' and now() - a.xact_start > interval '5 s'
  union all select 'record of an upload', job_id || ' ' || key from output_uploads
  union all select 'reservation', job_id || ' ' || key from output_reservations
  union all select 'chunk', job_id || ' ' || place::text from job_chunks left join jobs using (job_id)
    where jobs.status is distinct from 'FAILED'
  union all select 'lease', name from leases where name not in ('bin', 'storage sums')
  union all select 'reserved room', id from storage_reservations where id like '%.%'`;

/** The names of the files of encoded chunks of failed jobs, which a retry may use. */
export const chunksForRetries = async (postgres: PostgresServer): Promise<ReadonlySet<string>> =>
  new Set((await queryCluster(postgres, CHUNKS_FOR_RETRIES)).map(({ name }) => String(name)));

/** What no service may leave when all jobs have ended: scratch folders, hidden files, tickets, intents, locks, processes. */
export async function findClusterLeftovers({ postgres, members, setup, media }: Cluster): Promise<readonly string[]> {
  const { mediaRoot } = setup;
  const kept = await chunksForRetries(postgres);
  const namesIn = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => []);
  const scratchParents =
    media.store === undefined
      ? [mediaRoot]
      : members.flatMap(({ folder }) => ['data', 'scratch'].map((name) => join(folder, name)));
  const found: string[] = [...(await media.leftovers(kept))];
  for (const own of scratchParents.map((parent) => join(parent, '.telecine')))
    for (const parent of (await namesIn(own)).filter((name) => name !== basename(RECEIPTS)))
      for (const name of await namesIn(join(own, parent))) if (!kept.has(name)) found.push(`scratch ${parent}/${name}`);
  for (const path of await filesIn(mediaRoot)) if (basename(path).startsWith('.telecine')) found.push(path);
  for (const { name, folder } of members) {
    for (const place of ['tmp', 'data/tmp', 'data/scratch'])
      for (const file of await namesIn(join(folder, place))) found.push(`${name}: ${place}/${file}`);
  }
  for (const parent of scratchParents)
    for (const { pid, command } of await scratchProcesses(parent)) found.push(`process ${pid}: ${command}`);
  for (const { what, name } of await queryCluster(postgres, IN_DATABASE)) found.push(`${what} ${name}`);
  return found;
}

/** The sessions of services in the database. */
export const sessionsOf = async ({ postgres }: Cluster): Promise<readonly string[]> =>
  (
    await queryCluster(
      postgres,
      `select application_name as name from pg_stat_activity where application_name like 'telecine%'`,
    )
  ).map(({ name }) => String(name));
