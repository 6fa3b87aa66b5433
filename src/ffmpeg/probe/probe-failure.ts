import type { Failure } from '../../domain/failure.ts';
import { classifyFailure } from '../log/classify.ts';
import type { LogLine } from '../log/log-line.ts';
import type { ProcessEnd } from '../process/launch.ts';

export const probeTimedOut = (seconds: number): Failure => ({
  code: 'TIMEOUT',
  message: `The file could not be probed within ${seconds} s.`,
  fix: 'Try again when the machine is less busy; otherwise the file may be damaged. A smaller "probesize" reads less of it.',
});

export const PROBE_OUTPUT_TOO_LARGE: Failure = {
  code: 'INPUT_INVALID',
  message: 'The file says more of itself than is taken: too many streams, chapters or tags.',
};

export const PROBE_FAILED: Failure = {
  code: 'INPUT_INVALID',
  message: 'ffprobe gave no answer that can be read about this file.',
  fix: 'Check that the file plays and is complete.',
};

/** Why ffprobe failed, in words for the caller; `lines` are its own. */
export function probeFailure(end: ProcessEnd, lines: readonly LogLine[]): Failure {
  if (lines.some(({ text }) => text.startsWith('Unknown input format')))
    return { code: 'UNSUPPORTED', message: 'The installed ffprobe does not know the format that "f" names.' };
  const failure = classifyFailure({ ...end, lines });
  return failure.code === 'INPUT_INVALID' || failure.code === 'UNSUPPORTED' ? failure : PROBE_FAILED;
}
