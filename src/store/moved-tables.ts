import type { Schema } from './schema.ts';

/** The tables that a move copies, each with the columns of its primary key. */
export const MOVED_TABLES = {
  installation: ['id'],
  signing_keys: ['kid'],
  clients: ['client_id'],
  client_usage: ['client_id', 'day'],
  job_history: ['step', 'at', 'event', 'code'],
  client_files: ['client_id', 'path'],
  client_storage: ['client_id'],
  pending_files: ['client_id', 'path', 'version'],
  refresh_tokens: ['token_hash'],
  jobs: ['job_id'],
  job_logs: ['job_id'],
  job_outputs: ['job_id', 'first'],
  job_measurements: ['job_id', 'list', 'first'],
  job_metadata: ['job_id', 'pair_hash'],
  batches: ['batch_id'],
  job_dependencies: ['parent_id', 'job_id'],
  output_expiries: ['job_id'],
  deleted_jobs: ['job_id'],
  idempotency_keys: ['client_id', 'idempotency_key'],
  // Media stay where they are, so the moved installation also removes the parts that killed services left on S3.
  output_uploads: ['job_id', 'fence', 'bucket', 'key'],
  leases: ['name'],
  audit: ['audit_id'],
  // The parts stay where they are, in a folder with the id of the installation or on S3.
  resumable_uploads: ['upload_id'],
  used_links: ['link_id'],
  sessions: ['session_hash'],
  own_recipes: ['client_id', 'name'],
  webhook_endpoints: ['webhook_id'],
  webhook_secrets: ['owner', 'secret'],
  webhook_messages: ['message_id'],
  webhook_deliveries: ['delivery_id'],
} as const satisfies Partial<Record<keyof Schema, readonly string[]>>;

/** The tables that a move leaves behind, each with the reason. `event_counts` is only on PostgreSQL. */
export const TABLES_LEFT_BEHIND: Readonly<
  Record<Exclude<keyof Schema, keyof typeof MOVED_TABLES> | 'event_counts', string>
> = {
  tickets: 'The queue of the target is filled from the jobs.',
  output_reservations: 'They count only while their jobs run, and none runs during a move.',
  workers: 'Each worker registers when it starts, under a new id.',
  catalogues: 'Each worker registers the catalogue of its ffmpeg when it starts.',
  tasks: 'The requests that waited for them have ended with the service.',
  event_counts: 'A service on SQLite counts events in memory.',
};
