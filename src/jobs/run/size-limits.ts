import { type Failure, JobFailed } from '../../domain/failure.ts';
import type { Mount } from '../../domain/plan.ts';
import type { Policy } from '../../domain/policy.ts';
import { sizeText } from '../../domain/quantity.ts';
import type { MediaStore, Scratch, Used } from '../ports.ts';

/** Throws LIMIT_EXCEEDED where the inputs are larger than the policy lets them be. */
export function checkInputSize(mounts: readonly Mount[], { input }: Policy): void {
  const bytes = mounts.reduce((sum, mount) => sum + (mount.sizeBytes ?? 0), 0);
  if (input === undefined || bytes <= input) return;
  throw new JobFailed({
    code: 'LIMIT_EXCEEDED',
    message: `The inputs are ${sizeText(bytes)} together; ${sizeText(input)} is the most that they may be (limit "input").`,
    fix: 'Send smaller or fewer inputs, or ask the operator for a higher limit.',
  });
}

/** Throws LIMIT_EXCEEDED where a conversion has ended before anyone saw that it wrote too much. */
export async function checkScratchSize(
  media: Pick<MediaStore, 'used'>,
  scratch: Scratch,
  policy: Policy,
): Promise<void> {
  const failure = scratchLimitFailure(await media.used(scratch), policy);
  if (failure !== undefined) throw new JobFailed(failure);
}

/** Why a conversion that has written so much is to end; undefined: it may go on. */
export function scratchLimitFailure({ bytes, files }: Used, { scratch, files: most }: Policy): Failure | undefined {
  if (scratch !== undefined && bytes > scratch)
    return {
      code: 'LIMIT_EXCEEDED',
      message: `The conversion wrote more than ${sizeText(scratch)}, all files together (limit "scratch").`,
      fix: 'Lower the bit rate or the duration of the output (a looped input needs "t"), or ask the operator for a higher limit.',
    };
  if (most !== undefined && files > most)
    return {
      code: 'LIMIT_EXCEEDED',
      message: `The conversion made more than ${most} files (limit "files").`,
      fix: 'Make fewer: longer segments, a lower frame rate, or a part of the input at a time; or ask the operator for a higher limit.',
    };
  return undefined;
}
