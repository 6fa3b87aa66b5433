import { type Kysely, SqliteAdapter, sql } from 'kysely';

/**
 * Adds a function that gives new jobs their ranks and stores them with their tickets, so that a group of submissions is one statement,
 * whose plans each connection keeps. It does what `nextFairnessRank`, `insert` and `enqueue` do, and `reserve` without a quota.
 * Each of its statements sees what is committed when it begins: it reads the ranks of a client after it has locked them.
 *
 * `clients`: each once, in the order in which all transactions lock them. `job_clients` and the arrays after `ranks_apart` are null
 * if all jobs have the usual value. `moves`: by how much the queue position of a job differs from its rank.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (db.getExecutor().adapter instanceof SqliteAdapter) return;
  await sql
    .raw(
      `create function telecine_insert_jobs(
         clients text[], job_clients text[], ids text[], requests text[], created text, ranks_apart int,
         queues text[], lanes text[], weights int[], priorities int[], moves int[], warning_lists text[], traces text[]
       ) returns void language plpgsql volatile as $$
       declare
         client text;
         started bigint;
         rank bigint;
         number bigint := telecine_change_number();
         jobs_of_client int;
       begin
         foreach client in array clients loop
           perform pg_advisory_xact_lock(hashtextextended('rank of client ' || client, 0));
           started := (select max(turn) from jobs where started_at is not null);
           rank := greatest(
             coalesce(started, 0) + case when exists (
               select from jobs where started_at is not null and turn = started and client_id || '' = client
             ) then ranks_apart else 1 end,
             (select turn from jobs where client_id = client and status = 'PENDING' order by turn desc limit 1) + ranks_apart
           );
           with stored as (
             insert into jobs (job_id, client_id, status, request, turn, attempt, fence, created_at, change_number,
               lane, weight, priority, warnings, trace_parent)
             select id, client, 'PENDING', request, rank + ranks_apart * (row_number() over (order by place) - 1), 0, 0, created,
               number, coalesce(lane, 'full'), coalesce(weight, 100), coalesce(priority, 0), warning_list, trace
             from unnest(ids, job_clients, requests, lanes, weights, priorities, warning_lists, traces) with ordinality
               as job (id, of_client, request, lane, weight, priority, warning_list, trace, place)
             where coalesce(of_client, client) = client
             order by place
           )
           -- What pg-boss's insert writes.
           insert into telecine_queue.job (name, id, priority, group_id, data, start_after, created_on, keep_until, policy,
             expire_seconds, deletion_seconds, retry_limit, retry_delay, retry_backoff, heartbeat_seconds)
           select queue.name, id, greatest(-coalesce(move, 0) - rank - ranks_apart * (at - 1), -2147483648), client,
             case when weight <> 100 then jsonb_build_object('weight', weight) end, now, now,
             now + queue.retention_seconds * interval '1s', queue.policy, queue.expire_seconds, queue.deletion_seconds,
             queue.retry_limit, queue.retry_delay, queue.retry_backoff, queue.heartbeat_seconds
           from (
             select id::uuid as id, coalesce(queue, 'conversions') as queue, weight, move, row_number() over (order by place) as at
             from unnest(ids, job_clients, queues, weights, moves) with ordinality
               as job (id, of_client, queue, weight, move, place)
             where coalesce(of_client, client) = client
           ) as ticket
           join telecine_queue.queue on queue.name = ticket.queue
           cross join telecine_queue.job_now() as now
           order by at;
           get diagnostics jobs_of_client = row_count;
           insert into client_usage (client_id, day, jobs, media_ms) values (client, left(created, 10), jobs_of_client, 0)
             on conflict (client_id, day) do update set jobs = client_usage.jobs + excluded.jobs;
         end loop;
       end $$`,
    )
    .execute(db);
}
