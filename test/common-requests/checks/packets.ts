import { expect } from 'vitest';
import type { Check } from '../common-request.ts';
import { ffprobe } from './ffmpeg.ts';
import { type MediaQuery, runQueries } from './ffmpeg-queries.ts';
import { frameHashes } from './picture.ts';

interface Packets {
  readonly packets: readonly { readonly pts_time: string; readonly flags: string }[];
}

export async function keyFrameTimes(file: string): Promise<number[]> {
  const args = ['-select_streams', 'v:0', '-show_entries', 'packet=pts_time,flags', file];
  const { packets } = await ffprobe<Packets>(args);
  return packets.filter(({ flags }) => flags.startsWith('K')).map(({ pts_time }) => Number(pts_time));
}

/** The first video stream has key frames at these times, in seconds after the first one. */
export const keyFrames =
  (...wanted: readonly number[]): Check =>
  async ({ file }) => {
    const times = await keyFrameTimes(file);
    expect(times.map((time) => Number((time - (times[0] ?? 0)).toFixed(2)))).toEqual(wanted);
  };

/** The first video stream has this number of frames after decoding. */
export const frameCount =
  (count: number): Check =>
  async ({ file }) => {
    expect(await frameHashes(file)).toHaveLength(count);
  };

/** A stream's packets equal those of `sourceStream` of `source`, an input. `sourceOptions`: input options for `source`. */
export const samePackets =
  (source: string, stream: string, sourceStream = stream, sourceOptions: readonly string[] = []): Check =>
  async ({ file, at }) => {
    const [found, wanted] = await runQueries(
      streamHash([file], stream, ['-c', 'copy']),
      streamHash([...sourceOptions, at(source)], sourceStream, ['-c', 'copy']),
    );
    expect(found.bytes.toString()).toBe(wanted.bytes.toString());
  };

/** The hash of a stream that is converted with `options`. */
export const streamHash = (input: readonly string[], stream: string, options: readonly string[]): MediaQuery => ({
  inputs: [input],
  output: ([index]) => ['-map', `${index}:${stream}`, ...options, '-f', 'hash', '-hash', 'md5'],
});
