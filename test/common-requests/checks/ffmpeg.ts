import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { tools } from '../../support/tools.ts';

const run = promisify(execFile);
const MAX_STDOUT_BYTES = 16 * 1024 * 1024;

/** Runs plain ffmpeg to generate media. Throws with ffmpeg's log if it fails. */
export async function ffmpeg(args: readonly string[]): Promise<void> {
  await run(tools().ffmpegPath, ['-v', 'error', '-nostdin', '-y', ...args]);
}

/** Runs ffprobe and parses its JSON output. */
export async function ffprobe<T>(args: readonly string[]): Promise<T> {
  const { stdout } = await run(tools().ffprobePath, ['-v', 'error', '-of', 'json', ...args], {
    maxBuffer: MAX_STDOUT_BYTES,
  });
  return JSON.parse(stdout) as T;
}
