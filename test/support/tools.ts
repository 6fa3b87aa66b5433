import { inject } from 'vitest';
import type { Tools } from '../../scripts/setup/tools.ts';

/** The programs that the global set-up found or installed. Throws where there is no ffmpeg: guard by `needs`. */
export function tools(): Tools {
  const found = inject('tools');
  if (found === undefined) throw new Error('There is no ffmpeg; a test that needs it begins with needs("ffmpeg").');
  return found;
}
