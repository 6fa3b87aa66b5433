import { expect } from 'vitest';
import type { Check } from '../recipe.ts';
import { ffmpeg, ffprobe } from './ffmpeg.ts';

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
    expect(await frameCount(file)).toBe(count);
  };

async function frameCount(file: string): Promise<number> {
  const args = ['-count_frames', '-select_streams', 'v:0', '-show_entries', 'stream=nb_read_frames', file];
  const { streams } = await ffprobe<{ readonly streams: readonly { readonly nb_read_frames: string }[] }>(args);
  return Number(streams[0]?.nb_read_frames);
}

/** The bytes of a stream's packets are those of a stream of `source`; `part` is what ffmpeg reads of the source. */
export const samePackets =
  (source: string, stream: string, from = stream, part: readonly string[] = []): Check =>
  async ({ file, at }) => {
    expect(await packetsHash(file, stream)).toBe(await packetsHash(at(source), from, part));
  };

async function packetsHash(file: string, stream: string, part: readonly string[] = []): Promise<string> {
  const args = [...part, '-i', file, '-map', `0:${stream}`, '-c', 'copy', '-f', 'hash', '-hash', 'md5', '-'];
  return (await ffmpeg(args)).stdout.toString();
}
