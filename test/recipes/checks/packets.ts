import { expect } from 'vitest';
import type { Check } from '../recipe.ts';
import { ffprobe } from './ffmpeg.ts';
import { frameHashes } from './picture.ts';
import { ask, type Question } from './run-ffmpeg.ts';

interface Packets {
  readonly packets: readonly { readonly pts_time: string; readonly flags: string }[];
}

export async function keyFrameTimes(file: string): Promise<number[]> {
  const args = ['-select_streams', 'v:0', '-show_entries', 'packet=pts_time,flags', file];
  const { packets } = await ffprobe<Packets>(args);
  return packets.filter(({ flags }) => flags.startsWith('K')).map(({ pts_time }) => Number(pts_time));
}

/** The times of all key frames of the first video stream, in seconds from the first. */
export const keyFrames =
  (...wanted: readonly number[]): Check =>
  async ({ file }) => {
    const times = await keyFrameTimes(file);
    expect(times.map((time) => Number((time - (times[0] ?? 0)).toFixed(2)))).toEqual(wanted);
  };

/** Frames of the first video stream, decoded. */
export const frames =
  (count: number): Check =>
  async ({ file }) => {
    expect(await frameHashes(file)).toHaveLength(count);
  };

/** The bytes of a stream's packets are those of a stream of `source`; `part` is what ffmpeg reads of the source. */
export const samePackets =
  (source: string, stream: string, from = stream, part: readonly string[] = []): Check =>
  async ({ file, at }) => {
    const [found, wanted] = await ask(
      hash([file], stream, ['-c', 'copy']),
      hash([...part, at(source)], from, ['-c', 'copy']),
    );
    expect(found.bytes.toString()).toBe(wanted.bytes.toString());
  };

/** The hash of all that the words of an output make of a stream. */
export const hash = (input: readonly string[], stream: string, words: readonly string[]): Question => ({
  inputs: [input],
  output: ([place]) => ['-map', `${place}:${stream}`, ...words, '-f', 'hash', '-hash', 'md5'],
});
