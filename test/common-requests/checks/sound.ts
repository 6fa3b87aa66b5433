import { expect } from 'vitest';
import type { Check } from '../common-request.ts';
import { type MediaQuery, runQueries } from './ffmpeg-queries.ts';
import { streamHash } from './packets.ts';

const decibels = (log: string, name: string): number =>
  Number(new RegExp(`${name}: (-?[\\d.]+|-inf)`).exec(log)?.[1]?.replace('-inf', '-200'));

/** Logs what `filter` measures in the first audio stream of a file, after the filters `before`. */
const measureAudio = (file: string, filter: string, before = 'anull'): MediaQuery => ({
  inputs: [[file]],
  output: ([index], name) => {
    const [kind, ...options] = filter.split('=');
    const named = [`${kind}@${name}`, ...options].join('=');
    return ['-map', `${index}:a:0`, '-af', `${before},${named}`, '-f', 'null'];
  },
});

const level = (file: string, filters: string): MediaQuery => measureAudio(file, 'volumedetect', filters);
const levelIn = (log: string): number => decibels(log, 'mean_volume');

/**
 * The level of the result minus that of `source`, an input, is between two bounds, in dB. `filters` select the part to
 * measure; `sourceFilters` are those of the source if they differ.
 */
export const levelChangeBetween =
  (least: number, most: number, source: string, filters = 'anull', sourceFilters = filters): Check =>
  async ({ file, at }) => {
    const results = await runQueries(level(file, filters), level(at(source), sourceFilters));
    const [found, before] = [levelIn(results[0].log), levelIn(results[1].log)];
    expect(found - before, `${before} dB became ${found} dB`).toBeGreaterThanOrEqual(least);
    expect(found - before, `${before} dB became ${found} dB`).toBeLessThanOrEqual(most);
  };

/** Like `levelChangeBetween`: the level changed by `change` dB, within half a decibel. */
export const levelChange = (change: number, source: string, filters = 'anull', sourceFilters = filters): Check =>
  levelChangeBetween(change - 0.5, change + 0.5, source, filters, sourceFilters);

/** Like `levelChangeBetween`: the level changed by at most `most` dB. A negative number means quieter. */
export const levelChangeBelow = (most: number, source: string, filters = 'anull', sourceFilters = filters): Check =>
  levelChangeBetween(-300, most, source, filters, sourceFilters);

/** The mean level after `filters` is between two bounds, in dBFS. */
export const levelBetween =
  (least: number, most: number, filters = 'anull'): Check =>
  async ({ file }) => {
    const [{ log }] = await runQueries(level(file, filters));
    expect(levelIn(log)).toBeGreaterThanOrEqual(least);
    expect(levelIn(log)).toBeLessThanOrEqual(most);
  };

/** The integrated loudness by EBU R 128, in LUFS, and how far it may be off. */
export const loudness =
  (units: number, tolerance = 1): Check =>
  async ({ file }) => {
    const [{ log }] = await runQueries(measureAudio(file, 'ebur128'));
    const found = Number(/Integrated loudness:\s+I:\s+(-?[\d.]+) LUFS/.exec(log)?.[1]);
    expect(Math.abs(found - units), `the loudness is ${found} LUFS`).toBeLessThan(tolerance);
  };

/** The true peak by EBU R 128 is at most this, in dBTP, and at most 3 dB lower: it was limited, and not just made quiet. */
export const truePeakBelow =
  (most: number): Check =>
  async ({ file }) => {
    const [{ log }] = await runQueries(measureAudio(file, 'ebur128=peak=true'));
    const found = Number(/True peak:\s+Peak:\s+(-?[\d.]+) dBFS/.exec(log)?.[1]);
    expect(found).toBeLessThanOrEqual(most);
    expect(found).toBeGreaterThan(most - 3);
  };

/** The sample rate: enough samples per second to find silence. */
const RATE = 8000;
/** −60 dB of 16 bits. */
const SILENCE_LEVEL = 2 ** 15 / 1000;
const MIN_SILENCE_SECONDS = 0.2;

/** The silent spans in samples of 16 bits: start and end in seconds. */
function findSilence(bytes: Buffer): readonly (readonly [start: number, end: number])[] {
  const found: [number, number][] = [];
  const count = bytes.length / 2;
  let start = 0;
  for (let i = 0; i <= count; i += 1) {
    if (i < count && Math.abs(bytes.readInt16LE(2 * i)) < SILENCE_LEVEL) continue;
    if (i - start >= MIN_SILENCE_SECONDS * RATE) found.push([start / RATE, i / RATE]);
    start = i + 1;
  }
  return found;
}

/** The silent spans of the audio: start and end in seconds, within a tenth. */
export const silentSpans =
  (...wanted: readonly (readonly [start: number, end: number])[]): Check =>
  async ({ file }) => {
    const [{ bytes }] = await runQueries({
      inputs: [[file]],
      output: ([index]) => ['-map', `${index}:a:0`, '-ac', '1', '-ar', `${RATE}`, '-f', 's16le'],
    });
    expect(bytes.length).toBeGreaterThan(0);
    const found = findSilence(bytes);
    expect(found, `silent: ${JSON.stringify(found)}`).toHaveLength(wanted.length);
    for (const [i, span] of wanted.entries())
      for (const [j, time] of span.entries())
        expect(Math.abs((found[i]?.[j] ?? Number.NaN) - time), `silent: ${JSON.stringify(found)}`).toBeLessThan(0.1);
  };

/** Every sample equals that of `source`, an input, after `filters`. `sourceOptions`: input options for `source`. */
export const sameSamples =
  (source: string, filters = 'anull', sourceOptions: readonly string[] = [], stream = 'a:0'): Check =>
  async ({ file, at }) => {
    // 24 bits per sample, which all lossless codecs here can store.
    const codec = ['-c:a', 'pcm_s24le'];
    const [found, wanted] = await runQueries(
      streamHash([file], stream, codec),
      streamHash([...sourceOptions, at(source)], 'a:0', ['-af', filters, ...codec]),
    );
    expect(found.bytes.toString()).toBe(wanted.bytes.toString());
  };
