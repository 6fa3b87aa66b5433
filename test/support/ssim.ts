import { spawnSync } from 'node:child_process';
import { tools } from './tools.ts';

/** Pairs frames by their numbers. */
const NUMBERED = 'settb=AVTB,setpts=N/25/TB';

/**
 * The mean SSIM of a video and its source, measured by ffmpeg alone. `filter`: the filters between the source and the
 * encoder. `seconds`: how much of the source is read. `repeated`: how many frames of the video come before the first one of the source.
 */
export function ssimOf(file: string, source: string, filter: string, seconds?: number, repeated = 0): number {
  const graph = `[0:v]trim=start_frame=${repeated},${NUMBERED}[encoded];[1:v]${filter},${NUMBERED}[source];[encoded][source]ssim=shortest=1`;
  const args = [
    '-nostdin',
    '-hide_banner',
    '-i',
    file,
    ...(seconds === undefined ? [] : ['-t', String(seconds)]),
    '-i',
    source,
    '-filter_complex',
    graph,
    '-f',
    'null',
    '-',
  ];
  const { stderr, status } = spawnSync(tools().ffmpegPath, args, { encoding: 'utf8' });
  const mean = /SSIM .*All:(\d\.\d+)/.exec(stderr)?.[1];
  if (status !== 0 || mean === undefined) throw new Error(stderr);
  return Number(mean);
}
