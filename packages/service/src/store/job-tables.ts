import type { Lane } from '@telecine/contract/domain/lane.ts';
import type { MeasuredList } from '@telecine/contract/domain/measured-lists.ts';
import type { JobPhase, JobStatus } from '@telecine/contract/domain/states.ts';
import type { Generated } from 'kysely';
import type { ChunkState } from '../jobs/ports/chunk-store.ts';

/** The tables of jobs, their batches and their parts. See `Schema`. */
export interface JobTables {
  jobs: {
    job_id: string;
    client_id: string;
    status: JobStatus;
    phase: JobPhase | null;
    /** JSON of PhaseStart[]: the phases of the latest attempt. */
    phases: Generated<string | null>;
    /** JSON of a ConversionRequest. */
    request: string;
    /** JSON of a Progress. */
    progress: string | null;
    retry_of: string | null;
    /** The client that has submitted the job for its client. Null: the client of the job itself. */
    submitted_by: Generated<string | null>;
    fairness_rank: number;
    priority: Generated<number>;
    /** The number of attempts that count, which clients see. */
    attempt: number;
    /** Rises with each claim and never falls. Clients do not see it. */
    fence: number;
    created_at: string;
    started_at: string | null;
    completed_at: string | null;
    cancel_requested_at: string | null;
    /** JSON of a Failure. */
    error: string | null;
    /** JSON of JobOutput[]: the first `FIRST_OUTPUTS` outputs. The others are in `job_outputs`. */
    outputs: string | null;
    /** The number of all outputs. Null if this row has all of them. */
    output_count: Generated<number | null>;
    /** When an attempt first found that the storage is down. */
    storage_down_since: Generated<string | null>;
    /** JSON of a PublishIntent. Null before publishing, and after the job has ended. */
    intent: string | null;
    /** JSON of Warning[]. Null if there are none. */
    warnings: string | null;
    lane: Generated<Lane>;
    /** In hundredths of a slot. */
    weight: Generated<number>;
    /** The milliseconds that the job reserves of the daily media quota of its client. */
    reserved_media_ms: Generated<number>;
    /** JSON of string[]. Null if there are no needs. */
    needs: string | null;
    /** Null if the job does not belong to a batch. */
    batch_id: string | null;
    /** The name of the job in its batch. Null if it has none. */
    name: string | null;
    /** The watch that has submitted the job. Null if none has. */
    watch_id: Generated<string | null>;
    /** JSON of string[]: the jobs that this one waits for. Null if there are none. */
    waiting_for: string | null;
    /** When the job stopped waiting for other jobs. Null if it still waits, or never waited. */
    released_at: string | null;
    /** The worker of the latest claim. `claimed_at`: the time of this claim. */
    worker_id: string | null;
    claimed_at: string | null;
    /**
     * The number of the last change of the job, which triggers write. Null if the job has not changed since numbers
     * were introduced.
     */
    change_number: Generated<number | null>;
    /** See `Job.traceParent`. */
    trace_parent: Generated<string | null>;
    /** When the outputs expire. Null if they never do. */
    outputs_expire_at: Generated<string | null>;
    /** 1 after the outputs have expired and were removed, otherwise null. */
    outputs_expired: Generated<1 | null>;
    /** JSON of Measurements. Null unless the job is a complete analysis. */
    measurements: Generated<string | null>;
    /** What the result and the log of the job count for the quota `records` besides what counts for each job. Null: nothing. */
    record_bytes: Generated<number | null>;
  };
  /** The logs of jobs. They are not in `jobs`, so that an update of a job does not rewrite its long log. */
  job_logs: {
    job_id: string;
    log: string;
  };
  /** The lists of publish intents that are too long for the row of their job. See `splitIntent`. */
  job_intents: {
    job_id: string;
    list: string;
    /** The index of the first entry of this part in the list. */
    first: number;
    entries: string;
  };
  /** The outputs of jobs that are not in `jobs`, in parts: one row for each part. */
  job_outputs: {
    job_id: string;
    /** The index of the first output of this part in the list of all outputs. */
    first: number;
    /** JSON of JobOutput[]: the outputs of this part. See `long-lists.ts`. */
    outputs: string;
    /** The paths of this part are between these, by their bytes. See `pathBounds`. */
    lowest_path: Generated<string>;
    highest_path: Generated<string>;
  };
  job_measurements: {
    job_id: string;
    list: MeasuredList;
    /** The index of the first entry of this part in the list of all entries. */
    first: number;
    /** JSON of MeasuredEntry[]: the entries of this part. See `long-lists.ts`. */
    entries: string;
  };
  /** The metadata of jobs: one row for each pair of name and value. */
  job_metadata: {
    job_id: string;
    /** See `pairHashes`. */
    pair_hash: string;
    client_id: string;
  };
  /** The texts by which searches find jobs. They are written some time after the job was stored or changed. */
  job_texts: {
    job_id: string;
    client_id: string;
    /** See `searchText`. */
    content: string;
  };
  /** One row: the changes of jobs that `job_texts` contains. See `ReadPosition`. */
  job_text_position: {
    number: number;
    job_id: string;
    /** JSON: a list of pairs of number and job id. */
    open_changes: Generated<string>;
  };
  batches: {
    batch_id: string;
    client_id: string;
    created_at: string;
    /** The number of jobs that were submitted with the batch. */
    size: number;
    /** JSON of BatchMember[]. */
    members: string | null;
    /** The URL that is called when the batch ends. Null if there is none. */
    callback_url: Generated<string | null>;
  };
  /** Which jobs wait for which other jobs. A row is deleted when its wait ends. */
  job_dependencies: {
    parent_id: string;
    /** The job that waits for `parent_id`. */
    job_id: string;
    /** 1: the parent is complete, but `job_id` is not released yet. */
    is_complete: Generated<number>;
  };
  /** The parts of running jobs that several workers encode. The times are by the clock of the database. */
  job_chunks: {
    chunk_id: string;
    job_id: string;
    client_id: string;
    /** The place of the chunk in its job, from 0. */
    place: number;
    /** JSON. See `NewChunk.task`. */
    task: string;
    /** 0. Earlier versions order the chunks by it, while they run beside this one. */
    fairness_rank: number;
    state: Generated<ChunkState>;
    /** Rises with each claim. */
    fence: Generated<number>;
    /** The fence of the job's claim, if the worker of the job encodes the chunk. Null if another worker does. */
    job_fence: number | null;
    /** The worker of the latest claim. */
    worker_id: string | null;
    /** When the worker last reported. Null before the first claim. */
    reported_at: string | null;
    done_ms: Generated<number>;
    /** See `Chunk.facts`. */
    facts: string | null;
    /** JSON of a Failure. */
    error: string | null;
  };
  /** The jobs whose outputs will expire. A row stays even if its job is deleted. */
  output_expiries: {
    job_id: string;
    client_id: string;
    /** When the outputs expire. If they could not be removed then: when the next attempt may begin. */
    due_at: string;
    /** JSON of the paths and fingerprints of the outputs. */
    outputs: string;
  };
  /** The jobs that were deleted, for a limited time. A trigger writes this table. */
  deleted_jobs: {
    job_id: string;
    client_id: string;
    /** The change number of the deletion. */
    change_number: number;
    deleted_at: string;
  };
}
