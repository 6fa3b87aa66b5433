import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import type { ConversionRequest } from '@telecine/contract/domain/conversion.ts';
import { type Failure, JobFailed, MAX_ATTEMPTS } from '@telecine/contract/domain/failure.ts';
import { hint, RETRY_JOB, withAdvice } from '@telecine/contract/domain/hint.ts';
import type { PlannedInput, Warning } from '@telecine/contract/domain/plan.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { sizeLimitText, sizeText } from '@telecine/contract/domain/quantity.ts';
import type { Scratch, ScratchSpace, ScratchUsage, StagedInput, StagingOptions } from '../ports/media-store.ts';

export const WORKER_LOST: Failure = {
  code: 'WORKER_LOST',
  message: `The worker of this job was lost ${MAX_ATTEMPTS} times (it crashed, was killed, or could not reach the database); the job is not attempted again.`,
  fix: hint`Check the service and its machine (memory, restarts, network), then ${RETRY_JOB}.`,
};

export const OUTPUT_TOO_LARGE: Failure = {
  code: 'NO_SPACE',
  message: 'The conversion used all free disk space, except the space that the service keeps free.',
  fix: 'Lower the bit rate or the length of the output (a looped input needs "t"), or ask the operator for a larger disk.',
};

/** The failure of a job with `"strict": true` whose run has warnings. */
export function strictFailure([first, ...others]: readonly Warning[]): Failure {
  const more = others.length === 0 ? '' : ` And ${others.length} more: see "warnings".`;
  return {
    code: 'STRICT_WARNING',
    message: `The job is strict, and its run has a warning, ${first?.code}: ${first?.message}${more}`,
    fix: withAdvice(first?.fix, 'To get the output in spite of warnings, leave "strict" out.'),
  };
}

/** The warning that the fallback of a request ran. `reason`: the fault of the device, as a sentence. */
export const fallbackWarning = (reason: string): Warning => ({
  field: '/fallback',
  code: 'DEVICE_FALLBACK',
  message: `${reason} So "fallback" replaced "parameters".`,
});

/**
 * Returns the warning that a job ran whole although the request asks for chunks of a certain length. undefined: the
 * request leaves the choice to the service.
 */
export const wholeWarning = ({ chunks }: Pick<ConversionRequest, 'chunks'>, reason: string): Warning | undefined =>
  typeof chunks === 'object'
    ? {
        field: '/chunks',
        code: 'NOT_CHUNKED',
        message: `The job ran whole, not in chunks: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}`,
        fix: 'Leave "chunks" out, or send "chunks": "auto".',
      }
    : undefined;

export const STAGED_FILE_VANISHED: Failure = {
  code: 'STORAGE_FAULT',
  message:
    'The finished file disappeared from the scratch folder before it was published. Another program may have deleted it.',
  fix: hint`${RETRY_JOB}.`,
};

/** Returns the failure of a job whose outputs exceed a quota. undefined: `error` has another cause. */
export function quotaFailureOf(error: unknown): JobFailed | undefined {
  if (!(error instanceof Problem) || error.quota === undefined) return undefined;
  const { name, used, limit } = error.quota;
  // Do not use the message of the problem: it is about a request, and says when to send the request again.
  return new JobFailed({
    code: 'LIMIT_EXCEEDED',
    message: `The outputs exceed the quota "${name}", which allows ${limit} ${name === 'media' ? 'seconds of media a day' : 'bytes'}: ${used} are used, and the outputs need more than what is left.`,
    fix:
      name === 'media'
        ? 'Send "t", or leave out what makes the output longer; or ask the operator for more.'
        : hint`Delete files, then ${RETRY_JOB}; or ask the operator for more storage.`,
  });
}

/** ffprobe reported no size for the thumbnail sheet, so the positions of the images in it are unknown. */
export const UNMEASURED_SHEET: Failure = {
  code: 'FFMPEG_FAILED',
  message: 'The size of the sheet of images could not be read, so its thumbnail track cannot be written.',
  fix: 'Send another "format", such as "jpg".',
};

/** Throws LIMIT_EXCEEDED if the inputs together are larger than the limit "input". */
export function checkInputSize(inputs: readonly Pick<StagedInput, 'sizeBytes'>[], { input }: ClientLimits): void {
  const bytes = inputs.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (input === undefined || bytes <= input) return;
  throw new JobFailed({
    code: 'LIMIT_EXCEEDED',
    message: `The inputs are ${sizeText(bytes)} together; the limit "input" is ${sizeLimitText(input)}.`,
    fix: 'Send smaller or fewer inputs, or ask the operator for a higher limit.',
  });
}

/** The maximum time to fetch the inputs of a job from URLs: the client limit "fetch". */
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
 * Throws LIMIT_EXCEEDED if a conversion that has ended wrote too much. The space watch may have missed that, because it
 * measures only at intervals.
 */
export async function checkScratchSize(
  media: Pick<ScratchSpace, 'scratchUsage'>,
  scratch: Scratch,
  policy: ClientLimits,
): Promise<void> {
  const failure = scratchLimitFailure(await media.scratchUsage(scratch), policy);
  if (failure !== undefined) throw new JobFailed(failure);
}

/** Returns the failure of a conversion that has written too much. undefined: it is within its limits. */
export function scratchLimitFailure(
  { bytes, files }: ScratchUsage,
  { scratch, files: maxFiles }: ClientLimits,
): Failure | undefined {
  if (scratch !== undefined && bytes > scratch)
    return {
      code: 'LIMIT_EXCEEDED',
      message: `The conversion wrote more than ${sizeLimitText(scratch)} in all its files (limit "scratch").`,
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

/** The counter in a file name pattern. */
const COUNTER = /%\d*d/;

/** Warns about image sequences that stopped at a missing number. Images with later numbers are not in the output. */
export const sequenceGaps = (
  planned: readonly Pick<PlannedInput, 'path' | 'field'>[],
  staged: readonly Pick<StagedInput, 'gap'>[],
): readonly Warning[] =>
  planned.flatMap(({ path, field }, index) => {
    const gap = staged[index]?.gap;
    if (gap === undefined) return [];
    const { frames, missing, unread } = gap;
    const input = { input: path.replace(COUNTER, '[0-9]*'), parameters: { pattern_type: 'glob' } };
    return [
      {
        field,
        code: 'SEQUENCE_GAP',
        message: `The sequence "${path}" ended after ${frames} ${frames === 1 ? 'image' : 'images'}, because "${missing}" is missing: ${unread} later ${unread === 1 ? 'image was' : 'images were'} not read.`,
        fix: `Send the missing image, or all existing ones by a wildcard: "inputs": [${JSON.stringify(input)}], with the other parameters of the input.`,
      },
    ];
  });
