import type { AuditAction, AuditChannel, AuditOutcome } from '@telecine/contract/domain/audit.ts';
import type { FailureCode } from '@telecine/contract/domain/failure.ts';
import type { Lane } from '@telecine/contract/domain/lane.ts';
import type { MeasuredList } from '@telecine/contract/domain/measured-lists.ts';
import type { JobPhase, JobStatus } from '@telecine/contract/domain/states.ts';
import type { DeliveredEvent } from '@telecine/contract/domain/webhook.ts';
import type { Generated } from 'kysely';
import type { CountedEvent } from '../jobs/ports/job-records.ts';
import type { DisabledReason } from '../webhooks/ports/endpoints.ts';
import type { DeliveryState } from '../webhooks/ports/outbox.ts';
import type { WorkerRecord } from '../workers/ports/worker-store.ts';

/** A boolean as 1 or 0, which both SQLite and PostgreSQL support. */
export type Flag = 0 | 1;

/** The tables for Kysely. Times are ISO 8601 UTC text. JSON is text, which the repositories write and parse. */
export interface Schema {
  jobs: {
    job_id: string;
    client_id: string;
    status: JobStatus;
    phase: JobPhase | null;
    /** JSON of PhaseStart[], of the newest attempt. */
    phases: Generated<string | null>;
    /** JSON of a ConversionRequest. */
    request: string;
    /** JSON of a Progress. */
    progress: string | null;
    retry_of: string | null;
    fairness_rank: number;
    priority: Generated<number>;
    /** Attempts that count. Shown to clients. */
    attempt: number;
    /** Rises with each claim. Never reset, never shown. */
    fence: number;
    created_at: string;
    started_at: string | null;
    completed_at: string | null;
    cancel_requested_at: string | null;
    /** JSON of a Failure. */
    error: string | null;
    /** JSON of JobOutput[]: the first `FIRST_OUTPUTS`. The others are in `job_outputs`. Earlier versions stored all here. */
    outputs: string | null;
    /** The number of all outputs, if some are in `job_outputs`. */
    output_count: Generated<number | null>;
    /** When an attempt first met a storage that was down. */
    storage_down_since: Generated<string | null>;
    /** JSON of a PublishIntent. Null once the job has ended. */
    intent: string | null;
    /** JSON of Warning[]. Null if there are none. */
    warnings: string | null;
    lane: Generated<Lane>;
    /** In hundredths of a slot. */
    weight: Generated<number>;
    /** Its reservation of its client's day. */
    reserved_media_ms: Generated<number>;
    /** JSON of string[]. Null if there are none. */
    needs: string | null;
    /** Null if the job was submitted alone. */
    batch_id: string | null;
    /** Its name in the batch. Null if it has none. */
    name: string | null;
    /** JSON of string[]: the jobs that this one waits for. Null if there are none. */
    waiting_for: string | null;
    /** When it stopped waiting. Null if it waits, or never did. */
    released_at: string | null;
    /** The worker of the latest claim, and the time of that. */
    worker_id: string | null;
    claimed_at: string | null;
    /** The number of its last change. Triggers write it. Null if the job has not changed since numbers exist. */
    change_number: Generated<number | null>;
    /** See `Job.traceParent`. */
    trace_parent: Generated<string | null>;
    /** Null if its outputs do not expire, or it has none. */
    outputs_expire_at: Generated<string | null>;
    /** 1 once its outputs were removed because they had expired, else null. */
    outputs_expired: Generated<1 | null>;
    /** JSON of Measurements. Null unless it is an analysis that is complete. */
    measurements: Generated<string | null>;
  };
  /** Logs have their own table, so that an update of a job does not rewrite its long log. */
  job_logs: {
    job_id: string;
    log: string;
  };
  /** A row for each part of the outputs of a job after the first part, which is in `jobs`. */
  job_outputs: {
    job_id: string;
    /** The place of the first output of the part in the list of all. */
    first: number;
    /** JSON of JobOutput[], from the place `first` on: one part of `job-outputs.ts`. */
    outputs: string;
  };
  job_measurements: {
    job_id: string;
    list: MeasuredList;
    /** The place of the first entry of the part in the list. */
    first: number;
    /** JSON of MeasuredEntry[], from the place `first` on: one part of `job-measurements.ts`. */
    entries: string;
  };
  /** A row for each name and value in the metadata of a job. */
  job_metadata: {
    job_id: string;
    /** See `pairHash`. */
    pair_hash: string;
    client_id: string;
  };
  batches: {
    batch_id: string;
    client_id: string;
    created_at: string;
    /** The number of jobs that were submitted. */
    size: number;
    /** JSON of BatchMember[]. */
    members: string | null;
    /** Where its end is reported. Null if nowhere. */
    callback_url: Generated<string | null>;
  };
  /** A row for each job that another one waits for, as long as it does. */
  job_dependencies: {
    parent_id: string;
    /** The job that waits. */
    job_id: string;
    /** 1: the parent is complete, and this job is still to be released. */
    is_complete: Generated<number>;
  };
  /** A row for each job whose outputs will expire. It outlives the job. */
  output_expiries: {
    job_id: string;
    client_id: string;
    /** When they expire, or when the next attempt to remove them may begin. */
    due_at: string;
    /** JSON of the paths and fingerprints of the outputs. */
    outputs: string;
  };
  /** A row for each deleted job, until it is forgotten. A trigger writes it. */
  deleted_jobs: {
    job_id: string;
    client_id: string;
    /** The number of the deletion. */
    change_number: number;
    deleted_at: string;
  };
  idempotency_keys: {
    client_id: string;
    idempotency_key: string;
    body_hash: string;
    job_id: string;
    used_at: string;
  };
  tickets: {
    client_id: string;
    /** Named after the lane and the needs. See `queue/queue-name.ts`. */
    queue: string;
    /** 0: ready. 1: delayed until `due_at`. 2: with a worker; its lease ends at `due_at`. */
    state: number;
    /** See `Ticket.queuePosition`. */
    queue_position: number;
    job_id: string;
    /** Rises with each delivery. */
    receipt: number;
    /** 1 on the first ready ticket of each client in each queue. See `queue/ready-heads.ts`. */
    head: Flag;
    /** The weight of the job. */
    weight: Generated<number>;
    due_at: string | null;
  };
  clients: {
    client_id: string;
    secret_hash: string;
    /** JSON of Scope[]. */
    scopes: string;
    root: string | null;
    external_subject: string | null;
    /** JSON of ClientLimitChanges. */
    limits: string | null;
    created_at: string;
    revoked_at: string | null;
    tokens_not_before: string | null;
  };
  /** The usage of a client on a UTC day. */
  client_usage: {
    client_id: string;
    day: string;
    jobs: number;
    /** Published by its jobs of this day, and reserved by unfinished ones. */
    media_ms: number;
  };
  /** How many jobs something happened to, in one step of time. */
  job_history: {
    /** The length of the step in seconds. */
    step: number;
    /** When it began. */
    at: string;
    event: CountedEvent;
    /** Why the jobs failed, or empty. */
    code: FailureCode | '';
    jobs: number;
    waited_ms: number;
  };
  /** A file that a client has published in its media root, by an upload or a job. */
  client_files: {
    client_id: string;
    path: string;
    bytes: number;
    /** See `CountedFile`. Empty: unknown. */
    version: Generated<string>;
    /** When it was last counted; later than it was corrected, because then it is checked less often; empty: check it next. */
    checked_at: string;
  };
  /** The total of a client's files. A client without files has a row or none. */
  client_storage: {
    client_id: string;
    bytes: number;
    /** When the files were last added up. Empty: never. */
    checked_at: string;
  };
  /** A file that is about to appear: its path counts as at least these bytes until its publisher has looked. */
  pending_files: {
    client_id: string;
    path: string;
    /** The version with which it is counted. */
    version: string;
    bytes: number;
    /** 1 if all its bytes are here, so that it may have appeared; 0 while they arrive. */
    arrived: number;
    /** If this is long ago, its publisher was killed. */
    renewed_at: string;
  };
  refresh_tokens: {
    token_hash: string;
    /** The token that was exchanged for this one. */
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
  /** Has one row. */
  installation: {
    id: string;
    /** Null while the queue is not paused. */
    queue_paused_at: string | null;
    /** SQLite: the last change number. PostgreSQL: the difference between a change number and the id of its transaction. */
    change_base: Generated<number>;
    /** The highest number of a deletion that is forgotten. */
    forgotten_changes: Generated<number>;
    /** The audit records with lower ids may be deleted. */
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
  /** Times are by the clock of the database. */
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
    /** Null unless an operator drains the worker. */
    drain_requested_at: string | null;
    /** 1 or 0. Null: unknown. */
    has_ffprobe: number | null;
    /** JSON of `WorkerDevice[]`. Null if the worker has none. */
    devices: string | null;
  };
  catalogues: {
    catalogue_key: string;
    content: Uint8Array;
  };
  /** Times are by the clock of the database. */
  tasks: {
    task_id: string;
    kind: string;
    client_id: string;
    request: string;
    /** The worker that has or had the task. */
    worker_id: string | null;
    leased_until: string | null;
    /** JSON. Null until the task is finished. */
    result: string | null;
    deadline_at: string;
  };
  /** Times are by the clock of the database. */
  leases: {
    name: string;
    holder: string;
    expires_at: string;
    data: string | null;
  };
  /** Append-only: triggers reject anything else. */
  audit: {
    /** A UUID version 7 with the time of the record. */
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
  /** Times are by the clock of the database. */
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
    /** The holder of the valid lock. */
    holder: string | null;
    expires_at: string;
  };
  /** An upload link that has been used. */
  used_links: {
    link_id: string;
    /** The row is deleted after this time, when the link has long expired. */
    kept_until: string;
  };
  /** A browser that is signed in. */
  sessions: {
    /** The SHA-256 of its secret, in base64url. */
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
    /** JSON of a Recipe without its name. */
    definition: string;
    stored_at: string;
  };
  webhook_endpoints: {
    webhook_id: string;
    client_id: string;
    url: string;
    /** JSON of WebhookEvent[]. Null: all. */
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
    /** Null for a callback, which has a `url`. */
    webhook_id: string | null;
    url: string | null;
    /** The unit of limits: `<client>/<endpoint>` or `<client>/<origin of the callback>`. */
    receiver: string;
    state: DeliveryState;
    /** Rises with each claim. */
    receipt: Generated<number>;
    is_leased: Generated<Flag>;
    /** When it may be claimed: at its next attempt, or when its lease ends. */
    due_at: string;
    attempt_count: Generated<number>;
    /** JSON of DeliveryAttempt[]. */
    attempts: string | null;
    reason: string | null;
    created_at: string;
    ended_at: string | null;
  };
}
