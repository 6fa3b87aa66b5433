import type { ByteRange } from '@telecine/contract/domain/byte-ranges.ts';
import {
  AttemptDeferred,
  type Failure,
  type FailureCode,
  JobFailed,
  StorageDown,
} from '@telecine/contract/domain/failure.ts';
import type { StagedInput } from '../../ports/media-store.ts';
import { ChunkUnfit } from './encode-chunk.ts';

/** Failures whose cause may be bytes that were not copied. */
const MAY_LACK_BYTES: ReadonlySet<FailureCode> = new Set(['FFMPEG_FAILED', 'INPUT_INVALID', 'STALLED']);

/** Thrown if a worker finds another input than the one that was cut. A copy that lacks needed bytes looks like another input, too. */
export class InputReplaced extends Error {
  override readonly name = 'InputReplaced';
}

/**
 * Jobs for whose chunks a part of the input did not suffice, although all of it did. Their next chunks get all of it at
 * once, or are left to the worker of the job.
 */
export type WholeInputs = Pick<Set<string>, 'has' | 'add'>;

const MOST_JOBS = 100;

/** Remembers the latest of these jobs. */
export function createWholeInputs(): WholeInputs {
  const jobs = new Set<string>();
  return {
    has: (jobId) => jobs.has(jobId),
    add(jobId) {
      const [oldest] = jobs;
      if (jobs.size >= MOST_JOBS && oldest !== undefined) jobs.delete(oldest);
      return jobs.add(jobId);
    },
  };
}

interface NeededBytesOptions {
  readonly jobId: string;
  readonly known: WholeInputs;
  readonly signal: AbortSignal;
  /** Whether the whole input may be copied for a chunk. False for an input at a URL, whose server is not ours. */
  readonly mayCopyAll: boolean;
}

/**
 * Calls `encode` with the bytes to copy of the input. If that fails, and the cause may be that ffmpeg needed other bytes, calls
 * it once more without a limit. If the whole input may not be copied, throws `JobFailed` instead, so that the worker of the
 * job encodes the chunk. `encode` must report the inputs that it has staged.
 */
export async function withNeededBytes<T>(
  bytes: readonly ByteRange[] | undefined,
  { jobId, known, signal, mayCopyAll }: NeededBytesOptions,
  encode: (bytes: readonly ByteRange[] | undefined, report: (inputs: readonly StagedInput[]) => boolean) => Promise<T>,
): Promise<T> {
  if (!mayCopyAll && (bytes === undefined || known.has(jobId))) throw new JobFailed(PART_TOO_SMALL);
  let isPartial = false;
  const report = (inputs: readonly StagedInput[]): boolean => {
    isPartial = inputs.some((input) => input.isPartial);
    return isPartial;
  };
  try {
    return await encode(known.has(jobId) ? undefined : bytes, report);
  } catch (error) {
    if (!isPartial || signal.aborted || !mayLackBytes(error)) throw error;
    if (!mayCopyAll) {
      known.add(jobId);
      throw new JobFailed(PART_TOO_SMALL, error);
    }
    const encoded = await encode(undefined, report);
    // Some decoders complain about a source in any case, and a complaint about a part might have been about missing bytes.
    known.add(jobId);
    return encoded;
  }
}

const PART_TOO_SMALL: Failure = {
  code: 'INPUT_INVALID',
  message: 'The part of the input that was fetched for a chunk does not suffice.',
};

const mayLackBytes = (error: unknown): boolean =>
  error instanceof ChunkUnfit ||
  error instanceof InputReplaced ||
  (error instanceof JobFailed &&
    ![AttemptDeferred, StorageDown].some((kind) => error instanceof kind) &&
    MAY_LACK_BYTES.has(error.failure.code));
