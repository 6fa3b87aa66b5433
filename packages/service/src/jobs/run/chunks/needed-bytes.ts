import type { ByteRange } from '@telecine/contract/domain/byte-ranges.ts';
import { AttemptDeferred, type FailureCode, JobFailed, StorageDown } from '@telecine/contract/domain/failure.ts';
import type { StagedInput } from '../../ports/media-store.ts';
import { ChunkUnfit } from './encode-chunk.ts';

/** Failures whose cause may be bytes that were not copied. */
const MAY_LACK_BYTES: ReadonlySet<FailureCode> = new Set(['FFMPEG_FAILED', 'INPUT_INVALID', 'STALLED']);

/** Thrown if a worker finds another input than the one that was cut. A copy that lacks needed bytes looks like another input, too. */
export class InputReplaced extends Error {
  override readonly name = 'InputReplaced';
}

/** Jobs for whose chunks a part of the input did not suffice, although all of it did. Their next chunks get all of it at once. */
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

/**
 * Calls `encode` with the bytes to copy of the input. If that fails, and the cause may be that ffmpeg needed other bytes, calls
 * it once more without a limit. `encode` must report the inputs that it has staged.
 */
export async function withNeededBytes<T>(
  bytes: readonly ByteRange[] | undefined,
  { jobId, known, signal }: { readonly jobId: string; readonly known: WholeInputs; readonly signal: AbortSignal },
  encode: (bytes: readonly ByteRange[] | undefined, report: (inputs: readonly StagedInput[]) => boolean) => Promise<T>,
): Promise<T> {
  let isPartial = false;
  const report = (inputs: readonly StagedInput[]): boolean => {
    isPartial = inputs.some((input) => input.isPartial);
    return isPartial;
  };
  try {
    return await encode(known.has(jobId) ? undefined : bytes, report);
  } catch (error) {
    if (!isPartial || signal.aborted || !mayLackBytes(error)) throw error;
    const encoded = await encode(undefined, report);
    // Some decoders complain about a source in any case, and a complaint about a part might have been about missing bytes.
    known.add(jobId);
    return encoded;
  }
}

const mayLackBytes = (error: unknown): boolean =>
  error instanceof ChunkUnfit ||
  error instanceof InputReplaced ||
  (error instanceof JobFailed &&
    ![AttemptDeferred, StorageDown].some((kind) => error instanceof kind) &&
    MAY_LACK_BYTES.has(error.failure.code));
