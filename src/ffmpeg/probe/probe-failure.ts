import type { Failure } from '../../domain/failure.ts';
import { classifyFailure } from '../log/classify.ts';
import type { LogLine } from '../log/log-line.ts';
import type { ProcessEnd } from '../process/launch.ts';

export const probeTimedOut = (seconds: number): Failure => ({
  code: 'TIMEOUT',
  message: `The file could not be probed within ${seconds} s.`,
  fix: 'Retry when the machine is less busy, or send a smaller "probesize" to read less. The file may also be damaged.',
});

export const PROBE_OUTPUT_TOO_LARGE: Failure = {
  code: 'INPUT_INVALID',
  message: 'The file has too many streams, chapters or tags to probe.',
};

export const PROBE_FAILED: Failure = {
  code: 'INPUT_INVALID',
  message: 'ffprobe could not read this file.',
  fix: 'Check that the file plays and is complete.',
};

/** Explains to the client why ffprobe failed. `lines`: ffprobe's log. */
export function probeFailure(end: ProcessEnd, lines: readonly LogLine[]): Failure {
  if (lines.some(({ text }) => text.startsWith('Unknown input format')))
    return { code: 'UNSUPPORTED', message: 'The installed ffprobe does not support the format in "f".' };
  const failure = classifyFailure({ ...end, lines });
  return failure.code === 'INPUT_INVALID' || failure.code === 'UNSUPPORTED' ? failure : PROBE_FAILED;
}
