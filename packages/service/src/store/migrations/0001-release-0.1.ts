import { randomUUID } from 'node:crypto';
import { type Kysely, SqliteAdapter, sql } from 'kysely';
import { POSTGRES_FUNCTIONS, SQLITE_TRIGGERS } from './0001-triggers.ts';

/** Creates all tables. `schema.ts` describes the columns. */
export async function up(db: Kysely<{ installation: { id: string } }>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const statements = isSqlite
    ? [...statementsOf(TABLES), ...statementsOf(SQLITE_INDEXES), ...SQLITE_TRIGGERS]
    : [...statementsOf(forPostgres(TABLES)), ...statementsOf(forPostgres(POSTGRES_TABLES)), ...POSTGRES_FUNCTIONS];
  for (const statement of statements) await sql.raw(statement).execute(db);
  // Services that share a disk recognise their own folders by this id.
  await db.insertInto('installation').values({ id: randomUUID() }).execute();
}

export const statementsOf = (text: string): readonly string[] => text.trim().split(/;\n+/);

/**
 * Adapts statements for PostgreSQL. Texts must sort by bytes, as on SQLite: by default, the order depends on the locale
 * of the server. `without rowid` is removed: it makes SQLite store a table only in the tree of its primary key, so that
 * an insert writes to one tree.
 */
export const forPostgres = (text: string): string =>
  text
    .replaceAll(/ text\b/g, ' text collate "C"')
    .replaceAll(/ blob\b/g, ' bytea')
    .replaceAll(' without rowid', '');

/**
 * The statements for both databases. Each index that contains queued jobs costs a submission about a microsecond.
 * Partial indexes of other jobs are written only when a job starts, ends, or gets the indexed property.
 */
const TABLES = `
create table installation (
  id text primary key,
  queue_paused_at text,
  change_base bigint not null default 0,
  forgotten_changes bigint not null default 0,
  audit_forgotten_before text not null default ''
);

create table jobs (
  job_id text primary key,
  client_id text not null,
  status text not null,
  phase text,
  request text not null,
  progress text,
  retry_of text,
  fairness_rank bigint not null,
  attempt integer not null default 0,
  fence integer not null default 0,
  created_at text not null,
  started_at text,
  completed_at text,
  cancel_requested_at text,
  error text,
  outputs text,
  intent text,
  warnings text,
  lane text not null default 'full',
  needs text,
  worker_id text,
  claimed_at text,
  change_number bigint,
  trace_parent text,
  weight integer not null default 100,
  waiting_for text,
  released_at text,
  reserved_media_ms bigint not null default 0,
  batch_id text,
  name text,
  outputs_expire_at text,
  outputs_expired integer,
  priority integer not null default 0,
  measurements text,
  phases text,
  storage_down_since text,
  output_count integer
) without rowid;
create index jobs_by_status_and_age on jobs (status, job_id);
create index jobs_by_change on jobs (change_number, job_id, client_id) where change_number is not null;
create index jobs_by_completion on jobs (completed_at) where completed_at is not null;
create index jobs_by_needs on jobs (needs) where status = 'PENDING' and needs is not null;
create index jobs_of_batch on jobs (batch_id, job_id, status) where batch_id is not null;
create index jobs_unfinished_of_batch on jobs (batch_id) where batch_id is not null and completed_at is null;
create index jobs_publishing on jobs (job_id) where intent is not null;
create index jobs_started on jobs (fairness_rank) where started_at is not null;

create table job_logs (job_id text primary key, log text not null);

create table job_outputs (
  job_id text not null references jobs (job_id) on delete cascade,
  first integer not null,
  outputs text not null,
  lowest_path text not null default '',
  highest_path text not null default '\u{10ffff}',
  constraint job_outputs_pk primary key (job_id, first)
);
create index job_outputs_by_path on job_outputs (job_id, highest_path, lowest_path);

create table job_measurements (
  job_id text not null references jobs (job_id) on delete cascade,
  list text not null,
  first integer not null,
  entries text not null,
  constraint job_measurements_pk primary key (job_id, list, first)
);

-- What the search of jobs reads, and the last change that it contains.
create table job_texts (job_id text primary key, client_id text not null, content text not null) without rowid;
create index job_texts_of_client on job_texts (client_id, job_id);
create table job_text_position (number bigint not null, job_id text not null);
insert into job_text_position values (0, '');

-- A row for each name and value, with the hash of both, so that long values make no long index.
create table job_metadata (
  job_id text not null references jobs (job_id) on delete cascade,
  pair_hash text not null,
  client_id text not null,
  constraint job_metadata_pk primary key (job_id, pair_hash)
) without rowid;
create index job_metadata_of_all on job_metadata (pair_hash, job_id);
create index job_metadata_of_client on job_metadata (client_id, pair_hash, job_id);

create table job_dependencies (
  parent_id text not null,
  job_id text not null,
  is_complete integer not null default 0,
  constraint job_dependencies_pk primary key (parent_id, job_id)
) without rowid;
create index job_dependencies_of_job on job_dependencies (job_id);

create table job_chunks (
  chunk_id text primary key,
  job_id text not null,
  client_id text not null,
  place integer not null,
  task text not null,
  fairness_rank bigint not null,
  state text not null default 'READY',
  fence integer not null default 0,
  job_fence integer,
  worker_id text,
  reported_at text,
  done_ms bigint not null default 0,
  facts text,
  error text,
  constraint job_chunks_places unique (job_id, place)
);
create index job_chunks_waiting on job_chunks (client_id, fairness_rank) where state <> 'DONE';
create index job_chunks_by_state on job_chunks (state, chunk_id, fence) where state = 'RUNNING';

create table job_history (
  step integer not null,
  at text not null,
  event text not null,
  code text not null,
  jobs bigint not null,
  waited_ms bigint not null,
  constraint job_history_key primary key (step, at, event, code)
);

create table deleted_jobs (
  job_id text primary key,
  client_id text not null,
  change_number bigint not null,
  deleted_at text not null
);
create index deleted_jobs_by_age on deleted_jobs (deleted_at);
create index deleted_jobs_by_change on deleted_jobs (change_number, job_id, client_id) where change_number is not null;

create table batches (
  batch_id text primary key,
  client_id text not null,
  created_at text not null,
  size integer not null,
  members text,
  callback_url text
);
create index batches_of_client on batches (client_id, batch_id);

create table idempotency_keys (
  client_id text not null,
  idempotency_key text not null,
  body_hash text not null,
  job_id text not null,
  used_at text not null,
  constraint idempotency_keys_pk primary key (client_id, idempotency_key)
) without rowid;
create index idempotency_keys_by_age on idempotency_keys (used_at);

-- The key has the state, so that one seek finds a client's first READY ticket, and one its deliveries.
create table tickets (
  client_id text not null,
  queue text not null default 'conversions',
  state integer not null,
  queue_position bigint not null,
  job_id text not null,
  receipt integer not null default 0,
  head integer not null,
  due_at text,
  weight integer not null default 100,
  constraint tickets_pk primary key (client_id, queue, state, queue_position, job_id)
) without rowid;
create index tickets_due on tickets (due_at) where due_at is not null;
create index tickets_heads on tickets (queue, queue_position, job_id) where head = 1;
create index tickets_out on tickets (job_id) where state = 2;

create table workers (
  worker_id text primary key,
  host_name text not null,
  pid integer not null,
  version text not null,
  ffmpeg_version text not null,
  build_key text not null,
  catalogue_key text not null,
  concurrency integer not null,
  processors integer not null,
  sandbox text not null,
  state text not null,
  free_scratch_bytes bigint not null,
  started_at text not null,
  last_seen_at text not null,
  drain_requested_at text,
  has_ffprobe integer,
  devices text,
  speeds text,
  load text
);

create table catalogues (catalogue_key text primary key, content blob not null);

create table tasks (
  task_id text primary key,
  kind text not null,
  client_id text not null,
  request text not null,
  worker_id text,
  leased_until text,
  result text,
  deadline_at text not null
);

create table leases (name text primary key, holder text not null, expires_at text not null, data text);

create table output_uploads (
  job_id text not null,
  fence integer not null,
  bucket text not null,
  key text not null,
  upload_id text,
  at text not null,
  constraint output_uploads_pk primary key (job_id, fence, bucket, key)
);

create table output_reservations (
  bucket text not null,
  key text not null,
  job_id text not null,
  fence integer not null,
  constraint output_reservations_pk primary key (bucket, key)
);
create index output_reservations_job on output_reservations (job_id, fence);

-- It has the files itself, so that they expire also if the job is deleted before.
create table output_expiries (
  job_id text primary key,
  client_id text not null,
  due_at text not null,
  outputs text not null
);
create index output_expiries_by_time on output_expiries (due_at, job_id);

create table clients (
  client_id text primary key,
  secret_hash text not null,
  scopes text not null,
  root text,
  external_subject text,
  limits text,
  created_at text not null,
  revoked_at text,
  tokens_not_before text,
  previous_secret text
);
create unique index clients_by_external_subject on clients (external_subject) where revoked_at is null;

create table client_usage (
  client_id text not null,
  day text not null,
  jobs bigint not null,
  media_ms bigint not null,
  constraint client_usage_pk primary key (client_id, day)
);

create table client_files (
  client_id text not null,
  path text not null,
  bytes bigint not null,
  checked_at text not null,
  version text not null default '',
  constraint client_files_pk primary key (client_id, path)
);
create index client_files_by_check on client_files (checked_at);

-- The total of the files of each client, so that reading it costs the same however many there are.
create table client_storage (client_id text primary key, bytes bigint not null, checked_at text not null);
create index client_storage_by_check on client_storage (checked_at);

create table pending_files (
  client_id text not null,
  path text not null,
  version text not null,
  bytes bigint not null,
  arrived integer not null,
  renewed_at text not null,
  constraint pending_files_pk primary key (client_id, path, version)
);
create index pending_files_by_time on pending_files (renewed_at);

create table bin_entries (
  entry_id text not null primary key,
  client_id text not null,
  path text not null,
  bytes bigint not null,
  counted text not null,
  deleted_at text not null,
  expires_at text not null,
  data text not null default '',
  holder text not null default '',
  held_until text not null default '',
  given_up_at text not null default ''
);
create index bin_entries_of_client on bin_entries (client_id, deleted_at);
create index bin_entries_by_end on bin_entries (expires_at);

create table resumable_uploads (
  upload_id text primary key,
  client_id text not null,
  path text not null,
  size_bytes bigint not null,
  offset_bytes bigint not null,
  metadata text not null,
  precondition text not null,
  data text not null,
  published integer not null,
  holder text,
  expires_at text not null
);
create index resumable_uploads_by_expiry on resumable_uploads (expires_at, upload_id);
create index resumable_uploads_open on resumable_uploads (client_id, expires_at) where published = 0;
create index resumable_uploads_finished on resumable_uploads (client_id, expires_at, upload_id) where published = 1;

create table own_recipes (
  client_id text not null,
  name text not null,
  version integer not null,
  definition text not null,
  stored_at text not null,
  constraint own_recipes_key primary key (client_id, name)
);

create table signing_keys (kid text primary key, secret text not null, created_at text not null, retired_at text);
create unique index signing_keys_current on signing_keys ((retired_at is null)) where retired_at is null;

create table refresh_tokens (
  token_hash text primary key,
  parent text,
  family text not null,
  client_id text not null,
  scopes text not null,
  issued_at text not null,
  expires_at text not null,
  used_at text
);
create index refresh_tokens_by_age on refresh_tokens (client_id, issued_at);
create index refresh_tokens_by_expires_at on refresh_tokens (expires_at);
create index refresh_tokens_by_family on refresh_tokens (family);
create index refresh_tokens_by_parent on refresh_tokens (parent);

create table sessions (
  session_hash text not null primary key,
  client_id text not null,
  scopes text not null,
  issued_at text not null,
  expires_at text not null
);
create index sessions_by_end on sessions (expires_at);

create table used_links (link_id text not null primary key, kept_until text not null);
create index used_links_by_end on used_links (kept_until);

create table shares (
  share_id text not null primary key,
  link_hash text not null,
  client_id text not null,
  path text,
  fingerprint text,
  job_id text,
  note text,
  created_at text not null,
  expires_at text not null,
  uses integer not null,
  last_used_at text,
  folder text,
  size_bytes bigint
);
create unique index shares_by_link on shares (link_hash);
create index shares_of_client on shares (client_id, share_id);
create index shares_by_end on shares (expires_at);

create table webhook_endpoints (
  webhook_id text primary key,
  client_id text not null,
  url text not null,
  events text,
  description text,
  created_at text not null,
  disabled_at text,
  disabled_reason text,
  failing_since text
);
create index webhook_endpoints_of_client on webhook_endpoints (client_id, webhook_id);

create table webhook_secrets (
  owner text not null,
  secret text not null,
  created_at text not null,
  expires_at text,
  constraint webhook_secrets_pk primary key (owner, secret)
);

create table webhook_messages (
  message_id text primary key,
  client_id text not null,
  job_id text,
  event text not null,
  payload text not null,
  created_at text not null,
  batch_id text
);

create table webhook_deliveries (
  delivery_id text primary key,
  message_id text not null,
  client_id text not null,
  job_id text,
  webhook_id text,
  url text,
  receiver text not null,
  state text not null,
  receipt integer not null default 0,
  is_leased integer not null default 0,
  due_at text not null,
  attempt_count integer not null default 0,
  attempts text,
  reason text,
  created_at text not null,
  ended_at text,
  batch_id text
);
create index webhook_deliveries_due on webhook_deliveries (receiver, due_at) where state = 'PENDING';
create index webhook_deliveries_ended on webhook_deliveries (ended_at) where ended_at is not null;
create index webhook_deliveries_of_batch on webhook_deliveries (batch_id, delivery_id) where batch_id is not null;
create index webhook_deliveries_of_endpoint on webhook_deliveries (webhook_id, delivery_id);
create index webhook_deliveries_of_job on webhook_deliveries (job_id, delivery_id);
create index webhook_deliveries_of_message on webhook_deliveries (message_id);
create index webhook_deliveries_pending on webhook_deliveries (created_at) where state = 'PENDING';
create index webhook_deliveries_unsent on webhook_deliveries (client_id) where state = 'FAILED' and attempt_count = 0;

create table audit (
  audit_id text primary key,
  action text not null,
  outcome text not null,
  via text,
  client_id text,
  target text,
  address text,
  request_id text,
  code text,
  details text
) without rowid`;

/**
 * `jobs_by_status` is also used to count queued jobs, and has columns only for that. A separate index would be
 * expensive: each index of queued jobs adds five pages to the write of a group of submissions. A job that waits for
 * other jobs is not in `jobs_queued_ranks`: it gets its rank when it is released.
 */
const SQLITE_INDEXES = `
create index jobs_by_status on jobs (status, client_id, job_id, lane, created_at, released_at, waiting_for);
create index jobs_queued_ranks on jobs (client_id, fairness_rank) where status = 'PENDING' and waiting_for is null`;

/**
 * `jobs_queued` is used for the ranks and counts of queued jobs. It is a separate index, because PostgreSQL limits the
 * length of an entry.
 *
 * `event_counts` counts events for rate limits that several services share. (A service on SQLite counts in memory.) The
 * table is unlogged: a crash empties it, but a write needs no flush.
 */
const POSTGRES_TABLES = `
create index jobs_by_status on jobs (status, client_id, job_id);
create index jobs_queued on jobs (client_id, fairness_rank) include (lane, created_at, released_at)
  where status = 'PENDING' and waiting_for is null;
create unlogged table event_counts (key text primary key, events integer not null, ends_at timestamptz not null);
create index event_counts_by_end on event_counts (ends_at)`;
