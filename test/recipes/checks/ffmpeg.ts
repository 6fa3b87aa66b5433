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

/** What filters that measure say in the log. Each of `outputs`, the first behind the inputs, is thrown away. */
export async function measured(...outputs: readonly (readonly string[])[]): Promise<string> {
  return (
    await ffmpeg(
      outputs.flatMap((output) => [...output, '-f', 'null', '-']),
      'info',
    )
  ).stderr;
}

/** The hashes of what two outputs of the same inputs hold; which is which is not told. */
export async function hashes(
  inputs: readonly string[],
  ...outputs: readonly [readonly string[], readonly string[]]
): Promise<readonly [string, string]> {
  const words = outputs.flatMap((output) => [...output, '-f', 'hash', '-hash', 'md5', '-']);
  const [one, other, ...more] = (await ffmpeg([...inputs, ...words])).stdout.toString().trim().split('\n');
  if (one === undefined || other === undefined || more.length > 0) throw new Error('ffmpeg told no two hashes.');
  return [one, other];
}

/** The answer of ffprobe to `args`, as JSON. */
export async function ffprobe<T>(args: readonly string[]): Promise<T> {
  const { stdout } = await run(tools().ffprobePath, ['-v', 'error', '-of', 'json', ...args], { maxBuffer: MOST_BYTES });
  return JSON.parse(stdout) as T;
}
