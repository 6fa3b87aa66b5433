import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { tools } from '../../support/tools.ts';

const run = promisify(execFile);
const MOST_BYTES = 16 * 1024 * 1024;

/** Runs ffmpeg itself, to make media. Throws with its log where it fails. */
export async function ffmpeg(args: readonly string[]): Promise<void> {
  await run(tools().ffmpegPath, ['-v', 'error', '-nostdin', '-y', ...args]);
}

/** The answer of ffprobe to `args`, as JSON. */
export async function ffprobe<T>(args: readonly string[]): Promise<T> {
  const { stdout } = await run(tools().ffprobePath, ['-v', 'error', '-of', 'json', ...args], { maxBuffer: MOST_BYTES });
  return JSON.parse(stdout) as T;
}
