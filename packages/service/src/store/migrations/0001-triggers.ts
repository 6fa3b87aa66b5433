/**
 * The columns whose change gives a job a new change number. Phase and progress are not among them, because they are not
 * replayed to readers.
 */
const NUMBERED = ['status', 'attempt', 'cancel_requested_at', 'released_at', 'outputs_expired'] as const;

const anyChanged = (isDifferent: string): string =>
  NUMBERED.map((column) => `new.${column} ${isDifferent} old.${column}`).join(' or ');

/**
 * SQL that writes the audit record of the submission when a job is deleted. (While the job exists, the audit log reads
 * its submission from the job.) `json`: creates a JSON object.
 */
const recordSubmission = (json: (key: string, value: string) => string): string => `
  insert into audit (audit_id, action, outcome, client_id, target, details)
  values (
    old.job_id, case when old.retry_of is null then 'job.submit' else 'job.retry' end, 'done', old.client_id, old.job_id,
    case when old.retry_of is not null then ${json('retryOf', 'old.retry_of')} end
  ) on conflict (audit_id) do nothing;`;

const COUNT_CHANGE = 'update installation set change_base = change_base + 1;';

const NUMBER_JOB = `${COUNT_CHANGE}
  update jobs set change_number = (select change_base from installation) where job_id = new.job_id;`;

/**
 * SQLite runs one transaction at a time, so a counter numbers the changes in the order of their commits.
 *
 * Audit records cannot be changed. They can be deleted only if they are older than
 * `installation.audit_forgotten_before`, so that no bug can change the log.
 */
export const SQLITE_TRIGGERS: readonly string[] = [
  // Number only jobs without a number: a group of submissions has reserved its numbers, and a moved job already has
  // one.
  `create trigger jobs_number_new after insert on jobs when new.change_number is null begin ${NUMBER_JOB} end`,
  `create trigger jobs_number_changed after update of ${NUMBERED.join(', ')} on jobs when ${anyChanged('is not')}
   begin ${NUMBER_JOB} end`,
  `create trigger jobs_record_deleted after delete on jobs begin
     ${COUNT_CHANGE}
     insert or replace into deleted_jobs (job_id, client_id, change_number, deleted_at)
       select old.job_id, old.client_id, change_base, strftime('%Y-%m-%dT%H:%M:%fZ', 'now') from installation;
   end`,
  `create trigger jobs_audit_deleted after delete on jobs begin ${recordSubmission((k, v) => `json_object('${k}', ${v})`)} end`,
  `create trigger audit_unchanged before update on audit
   begin select raise(abort, 'audit records cannot be changed'); end`,
  `create trigger audit_kept before delete on audit
     when old.audit_id >= (select audit_forgotten_before from installation)
   begin select raise(abort, 'audit records cannot be deleted'); end`,
];

/**
 * Stores a group of submissions with their tickets. In the arrays, the jobs of a client follow each other, so that no
 * sort is needed. Raises an error if a ticket could not be stored because no queue has its name.
 *
 * The plans of this function are cached, and they must suit any number of jobs: each query of `jobs` uses the order of
 * an index, and plans that sort are disabled. Otherwise, a connection that begins with few jobs would scan the table
 * until the next ANALYZE, which takes twice the time at 6,000 jobs. `force_generic_plan`: while there are no
 * statistics, PostgreSQL would plan the query of the rank for each group, which takes a tenth of the time of a group of
 * 24 jobs.
 */
const INSERT_JOBS = `
  create function telecine_insert_jobs(
    clients text[], job_clients text[], ids text[], requests text[], created text, ranks_apart int,
    queues text[], lanes text[], weights int[], priorities int[], moves int[], warning_lists text[], traces text[]
  ) returns void language plpgsql volatile
    set plan_cache_mode = force_generic_plan set enable_sort = off as $$
  declare
    client text;
    started bigint;
    rank bigint;
    number bigint := telecine_change_number();
    ordinal_of_first int;
    jobs_of_client int;
    tickets_of_client int;
  begin
    foreach client in array clients loop
      perform pg_advisory_xact_lock(hashtextextended('rank of client ' || client, 0));
      started := (select fairness_rank from jobs where started_at is not null order by fairness_rank desc limit 1);
      rank := greatest(
        coalesce(started, 0) + case when (
          select true from jobs
          where started_at is not null and fairness_rank >= started and client_id || '' = client order by fairness_rank desc limit 1
        ) then ranks_apart else 1 end,
        ranks_apart + (
          select fairness_rank from jobs where client_id = client and status = 'PENDING' and waiting_for is null
          order by fairness_rank desc limit 1
        )
      );
      ordinal_of_first := coalesce(array_position(job_clients, client), 1);
      insert into jobs (job_id, client_id, status, request, fairness_rank, attempt, fence, created_at, change_number,
        lane, weight, priority, warnings, trace_parent)
      select id, client, 'PENDING', request, rank + ranks_apart * (ordinal - ordinal_of_first), 0, 0, created,
        number, coalesce(lane, 'full'), coalesce(weight, 100), coalesce(priority, 0), warning_list, trace
      from unnest(ids, job_clients, requests, lanes, weights, priorities, warning_lists, traces) with ordinality
        as job (id, of_client, request, lane, weight, priority, warning_list, trace, ordinal)
      where coalesce(of_client, client) = client;
      get diagnostics jobs_of_client = row_count;
      -- What pg-boss's insert writes.
      insert into telecine_queue.job (name, id, priority, group_id, data, start_after, created_on, keep_until, policy,
        expire_seconds, deletion_seconds, retry_limit, retry_delay, retry_backoff, heartbeat_seconds)
      select queue.name, id::uuid,
        greatest(-coalesce(move, 0) - rank - ranks_apart * (ordinal - ordinal_of_first), -2147483648), client,
        case when weight <> 100 then jsonb_build_object('weight', weight) end, now, now,
        now + queue.retention_seconds * interval '1s', queue.policy, queue.expire_seconds, queue.deletion_seconds,
        queue.retry_limit, queue.retry_delay, queue.retry_backoff, queue.heartbeat_seconds
      from unnest(ids, job_clients, queues, weights, moves) with ordinality
        as ticket (id, of_client, queue_name, weight, move, ordinal)
      join telecine_queue.queue on queue.name = coalesce(queue_name, 'conversions')
      cross join telecine_queue.job_now() as now
      where coalesce(of_client, client) = client
      order by ordinal;
      get diagnostics tickets_of_client = row_count;
      if tickets_of_client <> jobs_of_client then
        raise exception '% jobs have % tickets. A queue is missing in telecine_queue.queue.', jobs_of_client, tickets_of_client;
      end if;
      insert into client_usage (client_id, day, jobs, media_ms) values (client, left(created, 10), jobs_of_client, 0)
        on conflict (client_id, day) do update set jobs = client_usage.jobs + excluded.jobs;
    end loop;
  end $$`;

/**
 * The number of a change is the id of its transaction plus `change_base`. The id is known before the commit, and it
 * tells readers which numbers may still appear. `change_base` keeps the numbers rising after a restore, or after a move
 * to a server with lower ids. It is read once per transaction, because a query for each job costs 5 µs, and kept in a
 * setting of the transaction, because a pooler may give the connection to another client.
 */
export const POSTGRES_FUNCTIONS: readonly string[] = [
  `create function telecine_change_number() returns bigint language plpgsql volatile as $$
     declare base text := current_setting('telecine.change_base', true);
     begin
       if base is null or base = '' then
         base := (select change_base from installation);
         perform set_config('telecine.change_base', base, true);
       end if;
       return base::bigint + pg_current_xact_id()::text::bigint;
     end $$`,
  'alter table jobs alter column change_number set default telecine_change_number()',
  `create function telecine_number_changed_job() returns trigger language plpgsql as $$
     begin new.change_number := telecine_change_number(); return new; end $$`,
  `create trigger jobs_number_changed before update of ${NUMBERED.join(', ')} on jobs
     for each row when (${anyChanged('is distinct from')}) execute function telecine_number_changed_job()`,
  `create function telecine_record_deleted_job() returns trigger language plpgsql as $$
     begin
       insert into deleted_jobs (job_id, client_id, change_number, deleted_at)
         values (old.job_id, old.client_id, telecine_change_number(),
           to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
         on conflict (job_id) do update
           set change_number = excluded.change_number, deleted_at = excluded.deleted_at;
       return null;
     end $$`,
  `create trigger jobs_record_deleted after delete on jobs
     for each row execute function telecine_record_deleted_job()`,
  `create function telecine_audit_deleted_job() returns trigger language plpgsql as $$
     begin ${recordSubmission((k, v) => `json_build_object('${k}', ${v})::text`)} return null; end $$`,
  `create trigger jobs_audit_deleted after delete on jobs
     for each row execute function telecine_audit_deleted_job()`,
  `create function telecine_keep_audit() returns trigger language plpgsql as $$
     begin
       if tg_op = 'DELETE' then
         if old.audit_id < (select audit_forgotten_before from installation) then return old; end if;
         raise exception 'audit records cannot be deleted';
       end if;
       raise exception 'audit records cannot be changed';
     end $$`,
  `create trigger audit_unchanged before update or delete on audit
     for each row execute function telecine_keep_audit()`,
  `create trigger audit_not_truncated before truncate on audit
     for each statement execute function telecine_keep_audit()`,
  INSERT_JOBS,
];
