import { expect } from 'vitest';
import type { Check } from '../recipe.ts';
import { hash } from './packets.ts';
import { ask, type Question } from './run-ffmpeg.ts';

const decibels = (log: string, name: string): number =>
  Number(new RegExp(`${name}: (-?[\\d.]+|-inf)`).exec(log)?.[1]?.replace('-inf', '-200'));

/** What a filter says of the first audio stream of a file, after others. */
const heard = (file: string, filter: string, before = 'anull'): Question => ({
  inputs: [[file]],
  output: ([place], name) => {
    const [kind, ...options] = filter.split('=');
    const named = [`${kind}@${name}`, ...options].join('=');
    return ['-map', `${place}:a:0`, '-af', `${before},${named}`, '-f', 'null'];
  },
});

const level = (file: string, filters: string): Question => heard(file, 'volumedetect', filters);
const levelIn = (log: string): number => decibels(log, 'mean_volume');

/**
 * By how many dB its level is above that of an input: between two bounds. `filters` take the part that is looked at, of
 * both where `ofSource` says nothing else.
 */
export const louderBetween =
  (least: number, most: number, source: string, filters = 'anull', ofSource = filters): Check =>
  async ({ file, at }) => {
    const answers = await ask(level(file, filters), level(at(source), ofSource));
    const [found, before] = [levelIn(answers[0].log), levelIn(answers[1].log)];
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
    const [{ log }] = await ask(level(file, filters));
    expect(levelIn(log)).toBeGreaterThanOrEqual(least);
    expect(levelIn(log)).toBeLessThanOrEqual(most);
  };

/** Integrated loudness by EBU R 128, to one unit. */
export const loudness =
  (units: number): Check =>
  async ({ file }) => {
    const [{ log }] = await ask(heard(file, 'ebur128'));
    const found = Number(/Integrated loudness:\s+I:\s+(-?[\d.]+) LUFS/.exec(log)?.[1]);
    expect(Math.abs(found - units), `it has ${found} LUFS`).toBeLessThan(1);
  };

/** Samples a second: enough to tell silence from sound. */
const RATE = 8000;
/** −60 dB of 16 bits. */
const FAINT = 2 ** 15 / 1000;
const LEAST_SECONDS = 0.2;

/** Start and end in seconds of what is silent in samples of 16 bits. */
function silences(bytes: Buffer): readonly (readonly [start: number, end: number])[] {
  const found: [number, number][] = [];
  const count = bytes.length / 2;
  let start = 0;
  for (let i = 0; i <= count; i += 1) {
    if (i < count && Math.abs(bytes.readInt16LE(2 * i)) < FAINT) continue;
    if (i - start >= LEAST_SECONDS * RATE) found.push([start / RATE, i / RATE]);
    start = i + 1;
  }
  return found;
}

/** Where the sound is silent: start and end in seconds, to a tenth. */
export const silent =
  (...wanted: readonly (readonly [start: number, end: number])[]): Check =>
  async ({ file }) => {
    const [{ bytes }] = await ask({
      inputs: [[file]],
      output: ([place]) => ['-map', `${place}:a:0`, '-ac', '1', '-ar', `${RATE}`, '-f', 's16le'],
    });
    expect(bytes.length).toBeGreaterThan(0);
    const found = silences(bytes);
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
    const [found, wanted] = await ask(
      hash([file], stream, codec),
      hash([...part, at(source)], 'a:0', ['-af', filters, ...codec]),
    );
    expect(found.bytes.toString()).toBe(wanted.bytes.toString());
  };
