import type { ClientLimits } from '../../domain/client-limits.ts';
import { type Failure, JobFailed } from '../../domain/failure.ts';
import { sizeText } from '../../domain/quantity.ts';
import type { Scratch, ScratchSpace, ScratchUsage, StagedInput, StagingOptions } from '../ports/media-store.ts';

/** Throws LIMIT_EXCEEDED if the inputs together are larger than the limit "input". */
export function checkInputSize(inputs: readonly Pick<StagedInput, 'sizeBytes'>[], { input }: ClientLimits): void {
  const bytes = inputs.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (input === undefined || bytes <= input) return;
  throw new JobFailed({
    code: 'LIMIT_EXCEEDED',
    message: `The inputs are ${sizeText(bytes)} together; the limit "input" is ${sizeText(input)}.`,
    fix: 'Send smaller or fewer inputs, or ask the operator for a higher limit.',
  });
}

/** How long the inputs of a job may be fetched from URLs: the limit "fetch". */
export function fetchDeadline({ fetch: seconds }: ClientLimits): Pick<StagingOptions, 'deadline'> {
  if (seconds === undefined) return {};
  return {
    deadline: {
      seconds,
      failure: {
        code: 'LIMIT_EXCEEDED',
        message: `Fetching the inputs from their URLs took longer than ${seconds} s (limit "fetch").`,
        fix: 'Upload the files, send URLs of a faster server, or ask the operator for a higher limit.',
      },
    },
  };
}

/**
 * Throws LIMIT_EXCEEDED if a conversion that has ended wrote too much. It may have ended before the space watch
 * noticed.
 */
export async function checkScratchSize(
  media: Pick<ScratchSpace, 'scratchUsage'>,
  scratch: Scratch,
  policy: ClientLimits,
): Promise<void> {
  const failure = scratchLimitFailure(await media.scratchUsage(scratch), policy);
  if (failure !== undefined) throw new JobFailed(failure);
}

/** Returns the failure of a conversion that has written too much, or undefined if it is within its limits. */
export function scratchLimitFailure(
  { bytes, files }: ScratchUsage,
  { scratch, files: maxFiles }: ClientLimits,
): Failure | undefined {
  if (scratch !== undefined && bytes > scratch)
    return {
      code: 'LIMIT_EXCEEDED',
      message: `The conversion wrote more than ${sizeText(scratch)} in all its files (limit "scratch").`,
      fix: 'Lower the bit rate or the duration of the output (a looped input needs "t"), or ask the operator for a higher limit.',
    };
  if (maxFiles !== undefined && files > maxFiles)
    return {
      code: 'LIMIT_EXCEEDED',
      message: `The conversion wrote more than ${maxFiles} files (limit "files").`,
      fix: 'Write fewer files: use longer segments, a lower frame rate or a part of the input; or ask the operator for a higher limit.',
    };
  return undefined;
}
