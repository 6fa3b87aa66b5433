import { expect } from 'vitest';
import type { Check, RequestResult } from '../common-request.ts';
import { ffprobe } from './ffmpeg.ts';

interface FileDescription {
  readonly format: {
    readonly format_name: string;
    readonly duration?: string;
    readonly start_time?: string;
    readonly bit_rate?: string;
    readonly size: string;
    readonly tags?: Readonly<Record<string, string>>;
  };
  readonly streams: readonly Readonly<Record<string, unknown>>[];
  readonly chapters: readonly Readonly<Record<string, unknown>>[];
}

const descriptions = new WeakMap<RequestResult, Promise<FileDescription>>();

/** ffprobe's description of the result. All checks share one ffprobe, because starting it takes longest. */
export function describeResult(result: RequestResult): Promise<FileDescription> {
  const known = descriptions.get(result) ?? describeFile(result.file);
  descriptions.set(result, known);
  return known;
}

/** ffprobe's description of a file. */
export const describeFile = (file: string): Promise<FileDescription> =>
  ffprobe<FileDescription>(['-show_format', '-show_streams', '-show_chapters', file]);

/** The result has exactly these streams in this order, with at least these fields. */
export const streams =
  (...wanted: readonly Readonly<Record<string, unknown>>[]): Check =>
  async (result) => {
    expect((await describeResult(result)).streams).toMatchObject(wanted);
  };

/** ffprobe's demuxer for the result has this name, among others. */
export const format =
  (name: string): Check =>
  async (result) => {
    expect((await describeResult(result)).format.format_name.split(',')).toContain(name);
  };

/** The duration of one frame of the small clips, in seconds. */
export const FRAME = 1 / 24;

/** The duration that the container states, in seconds; by default within one frame. */
export const duration =
  (seconds: number, tolerance = FRAME): Check =>
  async (result) => {
    const { format } = await describeResult(result);
    expect(Math.abs(Number(format.duration) - seconds), `the duration is ${format.duration} s`).toBeLessThanOrEqual(
      tolerance + 0.001,
    );
  };

export const startsAt =
  (seconds: number, tolerance = FRAME): Check =>
  async (result) => {
    const { format } = await describeResult(result);
    expect(Math.abs(Number(format.start_time) - seconds), `the start time is ${format.start_time} s`).toBeLessThan(
      tolerance,
    );
  };

/** The tags of the container, by lower-case name. undefined: no tag of this name. */
export const tags =
  (wanted: Readonly<Record<string, string | undefined>>): Check =>
  async (result) => {
    const { format, streams: [first] = [] } = await describeResult(result);
    // Ogg stores the tags of a file in its stream.
    const all = { ...(first?.['tags'] as Record<string, string> | undefined), ...format.tags };
    const found = Object.entries(all).map(([name, value]) => [name.toLowerCase(), value]);
    const byName = Object.fromEntries(found);
    for (const [name, value] of Object.entries(wanted)) expect(byName[name], name).toBe(value);
  };

/** The chapters: start and end in seconds, and title. */
export const chapters =
  (...wanted: readonly (readonly [start: number, end: number, title: string])[]): Check =>
  async (result) => {
    const found = (await describeResult(result)).chapters.map((chapter) => [
      Number(chapter['start_time']),
      Number(chapter['end_time']),
      (chapter['tags'] as Record<string, string> | undefined)?.['title'],
    ]);
    expect(found).toEqual(wanted);
  };

/** The bit rate of the whole file, in kbit/s. */
export const bitRate =
  (least: number, most: number): Check =>
  async (result) => {
    const kilobits = Number((await describeResult(result)).format.bit_rate) / 1000;
    expect(kilobits).toBeGreaterThanOrEqual(least);
    expect(kilobits).toBeLessThanOrEqual(most);
  };
