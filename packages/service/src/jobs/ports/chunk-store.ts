import type { Failure } from '@telecine/contract/domain/failure.ts';
import type { Claim } from './job-store.ts';
import type { Tx } from './transactions.ts';

/** A part of the conversion of one job, or a sample of its search, which any worker with the same ffmpeg can encode. */
export interface NewChunk {
  /** A UUID (version 7). The ticket of the chunk has this id. */
  readonly chunkId: string;
  readonly jobId: string;
  readonly clientId: string;
  /** The place of the chunk in the job. The first one is 0. */
  readonly place: number;
  /** JSON that says what to encode. Only the code that runs chunks reads it. */
  readonly task: string;
}

/**
 * READY: no worker has the chunk. RUNNING: a worker encodes it. DONE: its file is stored, or the sample was tried. FAILED: another attempt of the
 * same build would fail too.
 */
export const CHUNK_STATES = ['READY', 'RUNNING', 'DONE', 'FAILED'] as const;

export type ChunkState = (typeof CHUNK_STATES)[number];

export interface Chunk extends NewChunk {
  readonly state: ChunkState;
  /** Rises with each claim of the chunk. The file of a DONE chunk has the fence of the claim that made it in its name. */
  readonly fence: number;
  /** The encoded seconds of media so far. */
  readonly doneSeconds: number;
  /** What the worker found in the file of a DONE chunk, as JSON. See `EncodedChunk`. For a sample, which has no file: see `TriedChunk`. */
  readonly facts?: string;
  /** Why the last attempt failed. */
  readonly error?: Failure;
}

/** The right of a worker to write to one chunk. Writes with an earlier fence change nothing. */
export interface ChunkClaim {
  readonly chunk: Chunk;
  readonly fence: number;
}

/**
 * The chunks of running jobs. The worker that has claimed the job takes chunks with `claimNext`. Other workers take
 * them by their tickets with `claim`. If a method with a claim resolves to false, the claim is no longer valid.
 */
export interface ChunkStore {
  /** Stores chunks. Throws `ClaimLost` if the claim of their job is no longer valid. */
  insert(tx: Tx, job: Claim, chunks: readonly NewChunk[]): Promise<void>;
  /** Lists the chunks of a job in the order of their places. */
  list(jobId: string): Promise<readonly Chunk[]>;
  /**
   * Gives the chunks of an ended job to the claimed job, so that what is encoded is not encoded again. Resolves to the
   * number of chunks.
   */
  adopt(tx: Tx, fromJobId: string, job: Claim): Promise<number>;
  /**
   * Claims a chunk for the worker that has its ticket. Resolves to undefined if the chunk is encoded or gone, if the
   * worker of the job encodes it, or if its job has ended or is being cancelled.
   */
  claim(tx: Tx, chunkId: string, workerId: string | undefined): Promise<ChunkClaim | undefined>;
  /**
   * Claims the first chunk that no worker encodes, for the worker that runs the job. A chunk whose worker has not
   * reported for `lostSeconds` counts as such, and so does a chunk that failed: the machine of its worker may be the
   * cause. Resolves to undefined if there is none, or if the claim of the job is no longer valid.
   */
  claimNext(job: Claim, lostSeconds: number, workerId: string | undefined): Promise<ChunkClaim | undefined>;
  /**
   * Stores the progress. A crash may undo this write. Also resolves to false if the job has ended or is being cancelled.
   */
  progress(claim: ChunkClaim, doneSeconds: number): Promise<boolean>;
  /** `facts`: see `Chunk.facts`. */
  finish(tx: Tx, claim: ChunkClaim, facts: string): Promise<boolean>;
  fail(tx: Tx, claim: ChunkClaim, error: Failure): Promise<boolean>;
  /** Gives a chunk back, for example because its worker drains. */
  giveBack(tx: Tx, claim: ChunkClaim): Promise<boolean>;
  /** Makes an encoded chunk READY again, because its file is gone. */
  reopen(tx: Tx, job: Claim, chunkId: string): Promise<void>;
  /**
   * Removes the chunks of a job that are neither encoded nor held by a worker, and returns them, so that they can be
   * stored again with new ids. Removes nothing if the claim of the job is no longer valid.
   */
  takeFree(tx: Tx, job: Claim): Promise<readonly Pick<Chunk, 'task' | 'place'>[]>;
  /**
   * Removes the chunks of a job, and returns them. `claim`: removes nothing unless this claim of the job is valid, because
   * the worker that has claimed the job since then may use the chunks.
   */
  remove(jobId: string, claim?: Claim): Promise<readonly Pick<Chunk, 'chunkId' | 'fence'>[]>;
  /** Returns the ids of the files that the workers of all chunks have stored or may be storing now. */
  fileIds(): Promise<ReadonlySet<string>>;
  /**
   * Lists the ids of jobs whose chunks are not needed: deleted jobs, jobs that failed before `before`, and other ended
   * jobs.
   */
  ofEndedJobs(before: string): Promise<readonly string[]>;
}

/** Thrown if another worker has claimed the job. */
export class ClaimLost extends Error {
  override readonly name = 'ClaimLost';
}
