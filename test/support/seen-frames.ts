import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { tools } from './tools.ts';

const run = promisify(execFile);

/** The decoded frames of a video, as their mean colours. */
export interface SeenFrames {
  /** When each frame begins, in seconds. */
  readonly times: readonly number[];
  /** When the last packet ends, in seconds. */
  readonly end: number;
  /** Red, green and blue (0–255) of the frame that is on screen at a time, each rounded to a multiple of 16. */
  at(seconds: number): string;
}

/** Decodes all frames of the first video of a file. The video must be small. */
export async function seenFrames(file: string): Promise<SeenFrames> {
  const args = [
    '-v',
    'error',
    '-select_streams',
    'v:0',
    '-show_entries',
    'frame=pts_time:packet=pts_time,duration_time',
  ];
  const [{ stdout }, pixels] = await Promise.all([
    run(tools().ffprobePath, [...args, '-of', 'json', `file:${file}`], { maxBuffer: 64 * 1024 * 1024 }),
    run(
      tools().ffmpegPath,
      // Convert before scaling: swscale converts 4:2:0 by another matrix if it also scales.
      [
        '-v',
        'error',
        '-nostdin',
        '-i',
        `file:${file}`,
        '-map',
        '0:v:0',
        '-vf',
        'format=rgb24,scale=1:1:flags=area',
      ].concat([...['-fps_mode', 'passthrough', '-f', 'rawvideo', '-']]),
      { encoding: 'buffer', maxBuffer: 64 * 1024 * 1024 },
    ),
  ]);
  const { packets_and_frames: all } = JSON.parse(stdout) as {
    readonly packets_and_frames: readonly {
      readonly type: string;
      readonly pts_time?: string;
      readonly duration_time?: string;
    }[];
  };
  const times = all.filter(({ type }) => type === 'frame').map(({ pts_time: time }) => Number(time ?? 0));
  const end = Math.max(
    ...all.map(({ pts_time: time = 0, duration_time: length = 0 }) => Number(time) + Number(length)),
  );
  return {
    times,
    end,
    at(seconds) {
      const index = Math.max(0, times.filter((time) => time <= seconds + 0.001).length - 1);
      const colour = [...pixels.stdout.subarray(index * 3, index * 3 + 3)];
      return colour.map((one) => Math.min(255, Math.round(one / 16) * 16)).join(' ');
    },
  };
}
