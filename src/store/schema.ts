import type { JobPhase, JobStatus } from '../domain/states.ts';

/** A yes or no: 1 or 0, which both databases read alike. */
export type Flag = 0 | 1;

/** Times are ISO 8601 UTC text; whatever is JSON is text that the repositories write and read. */
export interface JobsTable {
  job_id: string;
  client_id: string;
  status: JobStatus;
  phase: JobPhase | null;
  /** JSON of a ConversionRequest. */
  request: string;
  /** JSON of a Progress. */
  progress: string | null;
  retry_of: string | null;
  turn: number;
  /** Tries that count; shown. */
  attempt: number;
  /** Rises with every claim, is never reset and never shown. */
  fence: number;
  created_at: string;
  started_at: string | null;
  completed_at: string | null;
  cancel_requested_at: string | null;
  /** JSON of a Failure. */
  error: string | null;
  /** JSON of JobOutput[]. */
  outputs: string | null;
  /** JSON of a PublishIntent; gone once the job has ended. */
  intent: string | null;
}

/** Apart from the jobs, so that a long log is not written anew with every change of its job. */
export interface JobLogsTable {
  job_id: string;
  log: string;
}

export interface IdempotencyKeysTable {
  client_id: string;
  idempotency_key: string;
  body_hash: string;
  job_id: string;
  used_at: string;
}

export interface TicketsTable {
  client_id: string;
  /** 0 ready to be taken, 1 put off until `due_at`, 2 out with a worker whose lease ends at `due_at`. */
  state: number;
  /** The rank with its sign turned, so that the first in line sorts first. */
  place: number;
  job_id: string;
  /** Rises with every hand-over. */
  receipt: number;
  /** 1 on the first ready ticket of each client, at least: these alone are looked at to choose the next. */
  head: Flag;
  due_at: string | null;
}

export interface ClientsTable {
  client_id: string;
  secret_hash: string;
  /** JSON of Scope[]. */
  scopes: string;
  root: string | null;
  external_subject: string | null;
  /** JSON of PolicyChanges. */
  limits: string | null;
  created_at: string;
  revoked_at: string | null;
  tokens_not_before: string | null;
}

export interface RefreshTokensTable {
  token_hash: string;
  /** The token that it was exchanged for. */
  parent: string | null;
  family: string;
  client_id: string;
  /** JSON of Scope[]. */
  scopes: string;
  issued_at: string;
  expires_at: string;
  used_at: string | null;
}

export interface SigningKeysTable {
  kid: string;
  secret: string;
  created_at: string;
  retired_at: string | null;
}

/** All tables, as Kysely knows them. */
export interface Schema {
  jobs: JobsTable;
  job_logs: JobLogsTable;
  idempotency_keys: IdempotencyKeysTable;
  tickets: TicketsTable;
  clients: ClientsTable;
  refresh_tokens: RefreshTokensTable;
  signing_keys: SigningKeysTable;
}
