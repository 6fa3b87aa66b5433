import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { tools } from './tools.ts';

const run = promisify(execFile);

/** Red, green and blue (0–255) of one pixel of `file` at `seconds`. */
export async function pixelAt(file: string, seconds: number, x: number, y: number): Promise<readonly number[]> {
  const args = ['-v', 'error', '-nostdin', '-ss', `${seconds}`, '-i', `file:${file}`, '-frames:v', '1'];
  // Convert to RGB first: on 4:2:0, crop accepts even positions only.
  const filter = `scale=in_range=auto,format=rgb24,crop=1:1:${x}:${y}`;
  const { stdout } = await run(tools().ffmpegPath, [...args, '-vf', filter, '-f', 'rawvideo', '-'], {
    encoding: 'buffer',
  });
  return [...stdout];
}

/** Counts the video frames of a file by decoding them. */
export async function countFrames(file: string): Promise<number> {
  const args = ['-v', 'error', '-count_frames', '-select_streams', 'v:0', '-show_entries', 'stream=nb_read_frames'];
  const { stdout } = await run(tools().ffprobePath, [...args, '-of', 'csv=p=0', `file:${file}`]);
  return Number.parseInt(stdout, 10);
}
