import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Shot } from './recorder.ts';

/** The README shows pictures at most this wide. */
const WIDTH = 960;

/** Writes an animated WebP, which repeats without end. Browsers, GitHub and npm show it, in half the bytes of a GIF. */
export async function encode(ffmpeg: string, shots: readonly Shot[], target: string): Promise<void> {
  const [first, last] = [shots.at(0), shots.at(-1)];
  if (first === undefined || last === undefined) throw new Error('There is no screenshot.');
  const list = `${first.file}.txt`;
  const entries = shots.map(({ file, ms }) => `file '${file}'\nduration ${ms}ms`);
  // ffmpeg needs a frame after the last one, or it shows the last one for a moment only.
  await writeFile(list, ['ffconcat version 1.0', ...entries, `file '${last.file}'`, ''].join('\n'));
  await promisify(execFile)(ffmpeg, [
    ...['-v', 'error', '-y', '-f', 'concat', '-safe', '0', '-i', list],
    ...['-vf', `scale=${WIDTH}:-2:flags=lanczos`, '-fps_mode', 'passthrough'],
    ...['-c:v', 'libwebp_anim', '-quality', '75', '-compression_level', '6', '-loop', '0', target],
  ]);
}
