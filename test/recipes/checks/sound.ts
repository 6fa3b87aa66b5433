import { expect } from 'vitest';
import type { Check } from '../recipe.ts';
import { ffmpeg, measured } from './ffmpeg.ts';

const decibels = (log: string, name: string): number =>
  Number(new RegExp(`${name}: (-?[\\d.]+|-inf)`).exec(log)?.[1]?.replace('-inf', '-200'));

/** The mean level in dBFS of the first audio stream, after `filters`. */
export async function level(file: string, filters = 'anull'): Promise<number> {
  return decibels(await measured(['-i', file, '-map', '0:a:0', '-af', `${filters},volumedetect`]), 'mean_volume');
}

/**
 * By how many dB its level is above that of an input: between two bounds. `filters` take the part that is looked at, of
 * both where `ofSource` says nothing else.
 */
export const louderBetween =
  (least: number, most: number, source: string, filters = 'anull', ofSource = filters): Check =>
  async ({ file, at }) => {
    const [found, before] = await Promise.all([level(file, filters), level(at(source), ofSource)]);
    expect(found - before, `${before} dB became ${found} dB`).toBeGreaterThanOrEqual(least);
    expect(found - before, `${before} dB became ${found} dB`).toBeLessThanOrEqual(most);
  };

/** … to half a decibel. */
export const louderBy = (change: number, source: string, filters = 'anull', ofSource = filters): Check =>
  louderBetween(change - 0.5, change + 0.5, source, filters, ofSource);

/** … by no more than `change`, a negative number: quieter. */
export const louderBelow = (change: number, source: string, filters = 'anull', ofSource = filters): Check =>
  louderBetween(-300, change, source, filters, ofSource);

/** The level of a part lies between two, in dBFS. */
export const levelBetween =
  (least: number, most: number, filters = 'anull'): Check =>
  async ({ file }) => {
    const found = await level(file, filters);
    expect(found).toBeGreaterThanOrEqual(least);
    expect(found).toBeLessThanOrEqual(most);
  };

/** Integrated loudness by EBU R 128, to one unit. */
export const loudness =
  (units: number): Check =>
  async ({ file }) => {
    const log = await measured(['-i', file, '-map', '0:a:0', '-af', 'ebur128']);
    const found = Number(/Integrated loudness:\s+I:\s+(-?[\d.]+) LUFS/.exec(log)?.[1]);
    expect(Math.abs(found - units), `it has ${found} LUFS`).toBeLessThan(1);
  };

/** Where the sound is silent: start and end in seconds, to a tenth. */
export const silent =
  (...wanted: readonly (readonly [start: number, end: number])[]): Check =>
  async ({ file }) => {
    const log = await measured(['-i', file, '-map', '0:a:0', '-af', 'silencedetect=noise=-60dB:duration=0.2']);
    const times = [...log.matchAll(/silence_(?:start|end): (-?[\d.]+)/g)].map(([, time]) => Number(time));
    const found = Array.from({ length: times.length / 2 }, (_, i) => times.slice(2 * i, 2 * i + 2));
    expect(found, `silent: ${JSON.stringify(found)}`).toHaveLength(wanted.length);
    for (const [i, span] of wanted.entries())
      for (const [j, time] of span.entries())
        expect(Math.abs((found[i]?.[j] ?? Number.NaN) - time), `silent: ${JSON.stringify(found)}`).toBeLessThan(0.1);
  };

/** Every sample is that of an input after `filters`. */
export const sameSamples =
  (source: string, filters = 'anull', part: readonly string[] = [], stream = 'a:0'): Check =>
  async ({ file, at }) => {
    expect(await samplesHash(file, 'anull', [], stream)).toBe(await samplesHash(at(source), filters, part));
  };

/** Of 24 bits a sample, which all lossless codecs here hold. */
async function samplesHash(file: string, filters: string, part: readonly string[], stream = 'a:0'): Promise<string> {
  const args = [...part, '-i', file, '-map', `0:${stream}`, '-af', filters, '-c:a', 'pcm_s24le', '-f', 'hash'];
  return (await ffmpeg([...args, '-hash', 'md5', '-'])).stdout.toString();
}
