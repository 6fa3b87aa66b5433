import { expect } from 'vitest';
import type { Check, RecipeResult } from '../recipe.ts';
import { ffprobe } from './ffmpeg.ts';

interface Described {
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

const described = new WeakMap<RecipeResult, Promise<Described>>();

/** What ffprobe says of the result, asked once for all checks: a process costs more than what it decodes. */
export function describe(made: RecipeResult): Promise<Described> {
  const known = described.get(made) ?? describeFile(made.file);
  described.set(made, known);
  return known;
}

/** What ffprobe says of any file. */
export const describeFile = (file: string): Promise<Described> =>
  ffprobe<Described>(['-show_format', '-show_streams', '-show_chapters', file]);

/** All streams, in order, with what matters of each. */
export const streams =
  (...wanted: readonly Readonly<Record<string, unknown>>[]): Check =>
  async (made) => {
    expect((await describe(made)).streams).toMatchObject(wanted);
  };

/** One of the names of the demuxer that reads it. */
export const format =
  (name: string): Check =>
  async (made) => {
    expect((await describe(made)).format.format_name.split(',')).toContain(name);
  };

/** A frame of the small clips. */
export const FRAME = 1 / 24;

/** The container's length, in seconds; by default to within one frame. */
export const lasts =
  (seconds: number, slack = FRAME): Check =>
  async (made) => {
    const { format } = await describe(made);
    expect(Math.abs(Number(format.duration) - seconds), `it lasts ${format.duration} s`).toBeLessThanOrEqual(
      slack + 0.001,
    );
  };

export const startsAt =
  (seconds: number, slack = FRAME): Check =>
  async (made) => {
    const { format } = await describe(made);
    expect(Math.abs(Number(format.start_time) - seconds), `it starts at ${format.start_time} s`).toBeLessThan(slack);
  };

/** Tags of the whole, whatever their case; undefined: there is none of that name. */
export const tags =
  (wanted: Readonly<Record<string, string | undefined>>): Check =>
  async (made) => {
    const { format } = await describe(made);
    const found = Object.entries(format.tags ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
    const all = Object.fromEntries(found);
    for (const [name, value] of Object.entries(wanted)) expect(all[name], name).toBe(value);
  };

/** Start and end in seconds, and title. */
export const chapters =
  (...wanted: readonly (readonly [start: number, end: number, title: string])[]): Check =>
  async (made) => {
    const found = (await describe(made)).chapters.map((chapter) => [
      Number(chapter['start_time']),
      Number(chapter['end_time']),
      (chapter['tags'] as Record<string, string> | undefined)?.['title'],
    ]);
    expect(found).toEqual(wanted);
  };

/** Kilobits a second of the whole. */
export const bitRate =
  (least: number, most: number): Check =>
  async (made) => {
    const kilobits = Number((await describe(made)).format.bit_rate) / 1000;
    expect(kilobits).toBeGreaterThanOrEqual(least);
    expect(kilobits).toBeLessThanOrEqual(most);
  };
