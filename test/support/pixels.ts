import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { tools } from './tools.ts';

const run = promisify(execFile);

/** The decoded video of a file. */
export interface DecodedVideo {
  readonly frames: number;
  /** Red, green and blue (0–255) of one pixel of the frame that is shown at `seconds`. */
  pixelAt(seconds: number, x: number, y: number): readonly number[];
}

/** Decodes all frames in one run of ffmpeg. For short, small videos with a constant frame rate. */
export async function decodeVideo(
  file: string,
  { width, height, rate }: { readonly width: number; readonly height: number; readonly rate: number },
): Promise<DecodedVideo> {
  const args = ['-v', 'error', '-nostdin', '-i', `file:${file}`, '-map', '0:v:0'];
  const filter = ['-vf', 'scale=in_range=auto,format=rgb24', '-vsync', 'passthrough'];
  const { stdout } = await run(tools().ffmpegPath, [...args, ...filter, '-f', 'rawvideo', '-'], {
    ...{ encoding: 'buffer', maxBuffer: 256 * 1024 * 1024 },
  });
  const frameBytes = width * height * 3;
  return {
    frames: stdout.length / frameBytes,
    pixelAt(seconds, x, y) {
      const offset = Math.floor(seconds * rate) * frameBytes + (y * width + x) * 3;
      return [...stdout.subarray(offset, offset + 3)];
    },
  };
}

/** Counts the video frames of a file by decoding them. */
export async function countFrames(file: string): Promise<number> {
  const args = ['-v', 'error', '-count_frames', '-select_streams', 'v:0', '-show_entries', 'stream=nb_read_frames'];
  const { stdout } = await run(tools().ffprobePath, [...args, '-of', 'csv=p=0', `file:${file}`]);
  return Number.parseInt(stdout, 10);
}
