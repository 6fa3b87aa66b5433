import { inject } from 'vitest';
import type { Tools } from '../../scripts/setup/tools.ts';

/** The programs that the global setup found or installed. Throws without ffmpeg, so guard the test with `needs`. */
export function tools(): Tools {
  const found = inject('tools');
  if (found === undefined) throw new Error('There is no ffmpeg. Start the test with needs("ffmpeg").');
  return found;
}

/** The major release of the installed ffmpeg. NaN without ffmpeg. */
export const ffmpegRelease = (): number => Number.parseInt(inject('tools')?.version ?? '', 10);
