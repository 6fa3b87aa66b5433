import { askOperator, hint } from '@telecine/contract/domain/hint.ts';
import { type FailureRule, ffmpegFailed } from '../failure-rule.ts';

export const LARGE_FILE_FIX =
  'Lower the bit rate or the duration of the output (a looped input needs "t"), or ask the operator for a higher limit.';

/** Failures for want of disk space, of a file size that is allowed, or of a program that starts ffmpeg. */
export const MACHINE_CAUSES: readonly FailureRule[] = [
  {
    // Only the end of the line counts, because the text before it may be a file name that the client chose.
    shape: /(?:: |\()(?:No space left on device|Disk quota exceeded)\)?$/,
    code: 'NO_SPACE',
    message: 'The disk is full: the output could not be written.',
    fix: 'Free disk space, or lower the bit rate or the duration of the output.',
  },
  ffmpegFailed(
    // The lines of programs that start ffmpeg have no level. They count only before ffmpeg's first line (`isComplaint`).
    /^(?:.*\/)?(bwrap|prlimit|setpriv|timeout|nice): /,
    'ffmpeg could not be started: $1 failed on this machine.',
    hint`${askOperator('read the log of the service, which has the reason, and to run "telecine doctor"')}.`,
  ),
  {
    // The code is not NO_SPACE, because the service would retry the job, and a retry would exceed the same limit.
    shape: /: File too large$/,
    code: 'LIMIT_EXCEEDED',
    message: 'The output exceeded the maximum file size$limits.',
    limits: ['output'],
    fix: LARGE_FILE_FIX,
  },
];

const OUT_OF_MEMORY = {
  code: 'LIMIT_EXCEEDED',
  message: 'ffmpeg needed more memory or threads than a job may use$limits.',
  limits: ['pixels', 'memory', 'processes'],
  fix: 'Use a smaller frame size, fewer inputs, a faster preset or fewer threads ("threads"), or ask the operator for higher limits.',
} as const satisfies Omit<FailureRule, 'shape'>;

/** Failures for want of memory or threads. They follow the failures of devices, whose lines say more. */
export const MEMORY_CAUSES: readonly FailureRule[] = [
  {
    // Matches messages of ffmpeg, libvpx, libaom and SVT-AV1.
    shape:
      /Cannot allocate memory|: Resource temporarily unavailable$|: Memory allocation error$|: insufficient resources \(0x[0-9a-f]{1,8}\)$/,
    ...OUT_OF_MEMORY,
  },
  {
    shape: /^x26[45] \[error\]: malloc of size \d+ failed$/,
    // Requires a coloured line of ffmpeg, which media cannot forge.
    requires:
      /^(?:Error submitting video frame to the encoder$|(?:Error initializing output stream \d+:\d+ -- )?Error while opening encoder )/,
    ...OUT_OF_MEMORY,
  },
];
