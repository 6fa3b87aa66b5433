import type { AuditAction, AuditChannel, AuditOutcome } from '@telecine/contract/domain/audit.ts';
import type { FailureCode } from '@telecine/contract/domain/failure.ts';
import type { Watch, WatchedFile, WatchedFileState, WatchWait } from '@telecine/contract/domain/watch.ts';
import type { DeliveredEvent } from '@telecine/contract/domain/webhook.ts';
import type { Measured } from '@telecine/ffmpeg/estimate/estimate.ts';
import type { Generated } from 'kysely';
import type { CountedEvent } from '../jobs/ports/job-records.ts';
import type { DisabledReason } from '../webhooks/ports/endpoints.ts';
import type { DeliveryState } from '../webhooks/ports/outbox.ts';
import type { WorkerRecord } from '../workers/ports/worker-store.ts';
import type { JobTables } from './job-tables.ts';

/** A boolean as 1 or 0, because SQLite has no boolean type. */
type Flag = 0 | 1;

/**
 * The tables of the database, for Kysely. Times are ISO 8601 texts in UTC. JSON is stored as text, which the
 * repositories write and parse. A new column also needs a file in `migrations`.
 */
export interface Schema extends JobTables {
  idempotency_keys: {
    client_id: string;
    idempotency_key: string;
    body_hash: string;
    job_id: string;
    used_at: string;
  };
  tickets: {
    client_id: string;
    /** The name of the queue, which contains the lane and the needs. See `queue/queue-name.ts`. */
    queue: string;
    /** 0: ready. 1: delayed until `due_at`. 2: a worker has the ticket, and its lease ends at `due_at`. */
    state: number;
    /** The priority, negated. */
    queue_position: number;
    job_id: string;
    /** Rises with each delivery. */
    receipt: number;
    /** 1 for ready tickets. Only an earlier version reads it. */
    head: Flag;
    weight: Generated<number>;
    due_at: string | null;
  };
  client_turns: {
    client_id: string;
    /** See `tickets.queue`. */
    queue: string;
    /** Ready tickets of the client with the lowest turn start first. */
    turn: number;
  };
  clients: {
    client_id: string;
    secret_hash: string;
    /** JSON of ClientRecord.previousSecret. Null if the secret was never rotated. */
    previous_secret: Generated<string | null>;
    /** JSON of Scope[]. */
    scopes: string;
    root: string | null;
    external_subject: string | null;
    /** JSON of ClientLimitChanges. */
    limits: string | null;
    created_at: string;
    last_used_at: Generated<string | null>;
    revoked_at: string | null;
    tokens_not_before: string | null;
  };
  client_usage: {
    client_id: string;
    day: string;
    jobs: number;
    /** The milliseconds of media that jobs of this day have published, plus what unfinished jobs have reserved. */
    media_ms: number;
    /** What the jobs of this day that are not deleted count for the quota `records`. */
    record_bytes: Generated<number>;
  };
  /** The number of jobs that had an event in one step of time. */
  job_history: {
    /** The length of the step in seconds. */
    step: number;
    /** When the step began. */
    at: string;
    event: CountedEvent;
    /** The error code of the jobs, or empty. */
    code: FailureCode | '';
    jobs: number;
    waited_ms: number;
  };
  /** What a client stores; see `StoredFiles`. Without a row, nothing. */
  storage_use: {
    client_id: string;
    bytes: number;
    bin_bytes: number;
    /** All bytes that were ever added, deleted or moved to the bin, so that a sum knows what changed while it ran. */
    grown: number;
    /** When the media root is added up next. Empty: now. */
    sum_at: string;
  };
  /** Room for bytes that are about to be stored. */
  storage_reservations: {
    client_id: string;
    /** Of the upload, or the scratch folder of the job. */
    id: string;
    bytes: number;
    /** When it was made or renewed. If this is long ago, its process was killed. */
    at: string;
  };
  refresh_tokens: {
    token_hash: string;
    /** The hash of the refresh token that was exchanged for this one. Null for the first token of a family. */
    parent: string | null;
    family: string;
    client_id: string;
    /** JSON of Scope[]. */
    scopes: string;
    issued_at: string;
    expires_at: string;
    used_at: string | null;
  };
  signing_keys: {
    kid: string;
    secret: string;
    created_at: string;
    retired_at: string | null;
  };
  /** This table has one row. */
  installation: {
    id: string;
    /** When the queue was paused. Null if it is not paused. */
    queue_paused_at: string | null;
    /**
     * On SQLite: the last change number. On PostgreSQL: what is added to the id of a transaction to get its change
     * number.
     */
    change_base: Generated<number>;
    /** The highest change number among the deletions whose records were removed. */
    forgotten_changes: Generated<number>;
    /** Audit records with a lower id may be deleted. */
    audit_forgotten_before: Generated<string>;
  };
  output_uploads: {
    job_id: string;
    fence: number;
    bucket: string;
    key: string;
    upload_id: string | null;
    at: string;
  };
  output_reservations: {
    bucket: string;
    key: string;
    job_id: string;
    fence: number;
  };
  /** The times are by the clock of the database. */
  workers: {
    worker_id: string;
    host_name: string;
    pid: number;
    version: string;
    ffmpeg_version: string;
    build_key: string;
    catalogue_key: string;
    concurrency: number;
    processors: number;
    sandbox: WorkerRecord['sandbox'];
    state: WorkerRecord['state'];
    free_scratch_bytes: number;
    started_at: string;
    last_seen_at: string;
    /** When an operator drained the worker. Null if it is not drained. */
    drain_requested_at: string | null;
    /** 1 or 0. Null: unknown. */
    has_ffprobe: number | null;
    /** JSON of `WorkerDevice[]`. Null if the worker has no devices. */
    devices: string | null;
    /** JSON of `WorkerLoad`. Null: unknown. */
    load: string | null;
    /** JSON of `WorkerMachine`. Null: unknown. */
    machine: string | null;
    /** JSON of `FailedCheck[]`. Null: the worker is ready. */
    failed_checks: string | null;
  };
  /** See `Measured`. The time is by the clock of the database. */
  measured_kinds: Measured & { measured_at: string };
  catalogues: {
    catalogue_key: string;
    content: Uint8Array;
  };
  /** The times are by the clock of the database. */
  tasks: {
    task_id: string;
    kind: string;
    client_id: string;
    request: string;
    /** The worker that has the task, or the last one that had it. */
    worker_id: string | null;
    leased_until: string | null;
    /** The result as JSON. Null until the task is finished. */
    result: string | null;
    deadline_at: string;
  };
  /** The times are by the clock of the database. */
  leases: {
    name: string;
    holder: string;
    expires_at: string;
    data: string | null;
  };
  /** The audit log. It is append-only: triggers reject other writes. */
  audit: {
    /** A UUID version 7 that contains the time of the record. */
    audit_id: string;
    action: AuditAction;
    outcome: AuditOutcome;
    via: AuditChannel | null;
    client_id: string | null;
    target: string | null;
    address: string | null;
    request_id: string | null;
    code: string | null;
    /** JSON of an object. */
    details: string | null;
  };
  /** The times are by the clock of the database. */
  resumable_uploads: {
    upload_id: string;
    client_id: string;
    path: string;
    size_bytes: number;
    offset_bytes: number;
    metadata: string;
    precondition: string;
    data: string;
    /** 1 or 0. */
    published: number;
    /** The holder of the lock on this upload. */
    holder: string | null;
    expires_at: string;
  };
  /** The upload links that were used, each of which works only once. */
  used_links: {
    link_id: string;
    /** When the row may be deleted, long after the link has expired. */
    kept_until: string;
  };
  /** The links to files and to outputs of jobs. A row stays for some time after the end of its link. */
  shares: {
    share_id: string;
    /** The SHA-256 of the secret of the link, in base64url. */
    link_hash: string;
    client_id: string;
    /** Null for the share of a job, unless the job has one output. */
    path: string | null;
    /** Null for the share of a job. */
    fingerprint: string | null;
    job_id: string | null;
    /** See `Share.folder`. Null for the share of a file. */
    folder: string | null;
    size_bytes: number | null;
    note: string | null;
    created_at: string;
    expires_at: string;
    uses: number;
    last_used_at: string | null;
    revoked_at: string | null;
    revoked_by: string | null;
    /** See `Share.maxFiles`. */
    max_files: number | null;
  };
  /** The browsers that are signed in. */
  sessions: {
    /** The SHA-256 of the secret of the session, in base64url. */
    session_hash: string;
    client_id: string;
    /** A JSON array. */
    scopes: string;
    issued_at: string;
    expires_at: string;
  };
  own_recipes: {
    client_id: string;
    name: string;
    version: number;
    /** JSON of a Recipe, without its name. */
    definition: string;
    stored_at: string;
  };
  watches: {
    watch_id: string;
    client_id: string;
    /** JSON of WatchSettings. */
    settings: string;
    state: Watch['state'];
    created_at: string;
    changed_at: string;
    source_since: string | null;
    first_scan_at: string | null;
    unreachable_since: string | null;
    waiting_for: WatchWait | null;
    /** JSON of a WatchedFailure. */
    stopped: string | null;
    /** JSON of Watch['lastScan']. */
    last_scan: string | null;
  };
  /** The ledger of watches: one row for each file that a watch knows. */
  watched_files: {
    watch_id: string;
    path: string;
    version: string;
    bytes: number;
    file_key: string | null;
    state: WatchedFileState;
    skip_reason: NonNullable<WatchedFile['skipReason']> | null;
    job_id: string | null;
    attempts: number;
    /** When a job may be submitted. Null unless the file is READY or FAILED. */
    due_at: string | null;
    /** JSON of a WatchedFailure. */
    failure: string | null;
    source: NonNullable<WatchedFile['source']> | null;
    /** Where the source is about to be moved; see `BIN`. */
    source_target: string | null;
    /** When the source of a converted file is to be looked at. Null: not at all. */
    settle_at: string | null;
    replaces: 1 | null;
    seen_at: string;
    changed_at: string;
  };
  /** The outputs of jobs of watches, by path, so that no watch converts what came from it. */
  watch_outputs: {
    client_id: string;
    /** Of a file, or, with a slash at its end, of a folder with many files. */
    path: string;
    job_id: string;
    /** Null until the job has ended, and for a folder. */
    bytes: number | null;
    /** Of a file. See `JobOutput.fingerprint`. */
    fingerprint: string | null;
    /** 1 while a job is going to write it. */
    pending: 1 | null;
    /** JSON of string[]. */
    origins: string;
    created_at: string;
  };
  webhook_endpoints: {
    webhook_id: string;
    client_id: string;
    url: string;
    /** JSON of WebhookEvent[]. Null: all events. */
    events: string | null;
    description: string | null;
    created_at: string;
    disabled_at: string | null;
    disabled_reason: DisabledReason | null;
    failing_since: string | null;
  };
  webhook_secrets: {
    /** `client/<id>` or `webhook/<id>`. */
    owner: string;
    secret: string;
    created_at: string;
    /** Null for the current secret. */
    expires_at: string | null;
  };
  webhook_messages: {
    message_id: string;
    client_id: string;
    job_id: string | null;
    batch_id: string | null;
    watch_id: Generated<string | null>;
    event: DeliveredEvent;
    payload: string;
    created_at: string;
  };
  /** `due_at` is by the clock of the database. */
  webhook_deliveries: {
    delivery_id: string;
    message_id: string;
    client_id: string;
    job_id: string | null;
    batch_id: string | null;
    watch_id: Generated<string | null>;
    /** The endpoint. Null for a callback, which has a `url`. */
    webhook_id: string | null;
    url: string | null;
    /** For limits per receiver: `<client>/<endpoint>` or `<client>/<origin of the callback>`. */
    receiver: string;
    state: DeliveryState;
    /** Rises with each claim. */
    receipt: Generated<number>;
    is_leased: Generated<Flag>;
    /** When the delivery may be claimed: at its next attempt, or when its lease ends. */
    due_at: string;
    /** When the next attempt was planned. Null unless a person made the delivery due before that. */
    planned_at: Generated<string | null>;
    attempt_count: Generated<number>;
    /** JSON of DeliveryAttempt[]. */
    attempts: string | null;
    reason: string | null;
    created_at: string;
    ended_at: string | null;
  };
}
