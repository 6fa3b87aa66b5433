import { type Failure, JobFailed } from '../domain/failure.ts';
import type { Mount } from '../domain/plan.ts';
import type { Policy } from '../domain/policy.ts';
import { sizeText } from '../domain/quantity.ts';
import type { MediaStore, Scratch } from './ports.ts';

/** Throws LIMIT_EXCEEDED where the inputs are larger than the policy lets them be. */
export function refuseLargeInputs(mounts: readonly Mount[], { input }: Policy): void {
  const bytes = mounts.reduce((sum, mount) => sum + (mount.sizeBytes ?? 0), 0);
  if (input === undefined || bytes <= input) return;
  throw new JobFailed({
    code: 'LIMIT_EXCEEDED',
    message: `The inputs are ${sizeText(bytes)} together; ${sizeText(input)} is the most that they may be (limit "input").`,
    fix: 'Send smaller or fewer inputs, or ask the operator for a higher limit.',
  });
}

/** Throws LIMIT_EXCEEDED where a conversion has ended before anyone saw that it wrote too much. */
export async function refuseLargeScratch(
  media: Pick<MediaStore, 'usedBytes'>,
  scratch: Scratch,
  { scratch: most }: Policy,
): Promise<void> {
  if (most !== undefined && (await media.usedBytes(scratch)) > most) throw new JobFailed(wroteTooMuch(most));
}

export const wroteTooMuch = (most: number): Failure => ({
  code: 'LIMIT_EXCEEDED',
  message: `The conversion wrote more than ${sizeText(most)}, all files together (limit "scratch").`,
  fix: 'Lower the bit rate or the length of the output (an input that is looped needs "t"), or ask the operator for a higher limit.',
});
