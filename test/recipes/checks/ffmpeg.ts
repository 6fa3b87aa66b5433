import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { tools } from '../../support/tools.ts';

const run = promisify(execFile);
const MOST_BYTES = 256 * 1024 * 1024;

interface Ran {
  readonly stdout: Buffer;
  /** Its log. */
  readonly stderr: string;
}

/** Runs ffmpeg itself, to make or to measure media. Throws with its log where it fails. */
export async function ffmpeg(args: readonly string[], level = 'error'): Promise<Ran> {
  const words = ['-v', level, '-hide_banner', '-nostdin', '-nostats', '-y', ...args];
  const { stdout, stderr } = await run(tools().ffmpegPath, words, { encoding: 'buffer', maxBuffer: MOST_BYTES });
  return { stdout, stderr: stderr.toString() };
}

/** What a filter that measures says in the log, the media itself being thrown away. */
export async function measured(args: readonly string[]): Promise<string> {
  return (await ffmpeg([...args, '-f', 'null', '-'], 'info')).stderr;
}

/** The answer of ffprobe to `args`, as JSON. */
export async function ffprobe<T>(args: readonly string[]): Promise<T> {
  const { stdout } = await run(tools().ffprobePath, ['-v', 'error', '-of', 'json', ...args], { maxBuffer: MOST_BYTES });
  return JSON.parse(stdout) as T;
}
