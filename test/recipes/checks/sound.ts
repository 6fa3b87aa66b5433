import { expect } from 'vitest';
import type { Check } from '../recipe.ts';
import { hashes, measured } from './ffmpeg.ts';

const decibels = (log: string, name: string): number =>
  Number(new RegExp(`${name}: (-?[\\d.]+|-inf)`).exec(log)?.[1]?.replace('-inf', '-200'));

/** The mean level in dBFS of the first audio stream of each file, after filters of its own. */
async function levels(...files: readonly { readonly file: string; readonly filters: string }[]): Promise<number[]> {
  const inputs = files.flatMap(({ file }) => ['-i', file]);
  const log = await measured(
    ...files.map(({ filters }, i) => [
      ...(i === 0 ? inputs : []),
      ...['-map', `${i}:a:0`, '-af', `${filters},volumedetect@of${i}`],
    ]),
  );
  return files.map((_, i) => decibels(log, `\\[volumedetect@of${i} @ \\w+\\] mean_volume`));
}

/**
 * By how many dB its level is above that of an input: between two bounds. `filters` take the part that is looked at, of
 * both where `ofSource` says nothing else.
 */
export const louderBetween =
  (least: number, most: number, source: string, filters = 'anull', ofSource = filters): Check =>
  async ({ file, at }) => {
    const [found = Number.NaN, before = Number.NaN] = await levels(
      { file, filters },
      { file: at(source), filters: ofSource },
    );
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
    const [found] = await levels({ file, filters });
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
    // Of 24 bits a sample, which all lossless codecs here hold.
    const codec = ['-c:a', 'pcm_s24le'];
    const [found, wanted] = await hashes(
      ['-i', file, ...part, '-i', at(source)],
      ['-map', `0:${stream}`, ...codec],
      ['-map', '1:a:0', '-af', filters, ...codec],
    );
    expect(found).toBe(wanted);
  };
