// @module-tag long
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Interval, Intervals, Measurement, Measurements } from '../../packages/contract/src/domain/analysis.ts';
import { runAnalysis } from '../../packages/ffmpeg/src/analysis/run-analysis.ts';
import { planAnalysis } from '../../packages/ffmpeg/src/plan/analysis/plan-analysis.ts';
import { conversion, scratch } from '../fixtures/conversion.ts';
import { COMPARED_FILES, MEASURED_FILES, type MeasuredFile } from '../fixtures/measured-media.ts';
import { NO_SANDBOX } from '../fixtures/sandboxes.ts';
import { comparisonReport, filterReport, lastNumber, numbersOf, probedPackets } from '../support/ffmpeg-reports.ts';
import { mediaRoot } from '../support/media-root.ts';
import { needs } from '../support/needs.ts';
import { MEDIA_ROOT } from '../support/planning.ts';
import { recordedCatalogue } from '../support/recorded-catalogue.ts';
import { sampled } from '../support/sampled.ts';
import { tools } from '../support/tools.ts';

const SOUND = ['silence', 'loudness', 'volume', 'bitrate'] as const satisfies readonly Measurement[];
const PICTURE = ['black', 'freeze', 'scenes', 'crop', 'interlacing', 'duplicates', 'keyframes'] as const;

const MIN_SECONDS = 0.3;

const PARTS = ['silence', 'black', 'freeze'] as const satisfies readonly Measurement[];

async function measured(
  [file, reference]: readonly [string, string?],
  suffix: string,
  measure: readonly Measurement[],
): Promise<Measurements> {
  const parts = PARTS.filter((one) => measure.includes(one));
  const settings = Object.fromEntries(parts.map((one) => [one, { minSeconds: MIN_SECONDS }]));
  const analysis = { measure, settings, ...(reference !== undefined && { reference: `b${suffix}` }) };
  const planned = planAnalysis({ input: `a${suffix}`, analysis }, [recordedCatalogue()], {
    scope: mediaRoot(MEDIA_ROOT),
  });
  if (!planned.ok || planned.plan.analysis === undefined) throw new Error(JSON.stringify(planned));
  const plan = { ...planned.plan, analysis: planned.plan.analysis };
  const mounts = [file, reference ?? []].flat().map((hostPath, at) => ({ logical: `in/${at}${suffix}`, hostPath }));
  const outcome = await runAnalysis({
    ...conversion(NO_SANDBOX, await scratch(), plan, { mounts, timeoutSeconds: 600 }),
    plan,
  });
  if (!outcome.ok) throw new Error(JSON.stringify(outcome));
  return outcome.measurements;
}

async function pathOf({ path, args = [], suffix }: Pick<MeasuredFile, 'path' | 'args' | 'suffix'>): Promise<string> {
  if (path !== undefined) return path;
  const file = join(await scratch(), `made${suffix}`);
  execFileSync(tools().ffmpegPath, ['-v', 'error', '-nostdin', ...args, file]);
  return file;
}

/** The block in which silence is looked for, at 8 kHz. */
const BLOCK = 0.031;

/** ffmpeg 5.1 prints times with six digits. */
const printedStep = (at: number): number => (at < 1000 ? 0.001 : at < 10_000 ? 0.01 : 0.1);

/**
 * @param reported The starts and ends in the log of ffmpeg, without an end for what lasts until the end of the file.
 * @param spacing How much an end may differ at the end of the file: ffmpeg 5.1 ends black at the last picture, not after it.
 */
function expectIntervals(found: Intervals, starts: readonly number[], ends: readonly number[], spacing = 0): void {
  expect(found.count).toBe(starts.length);
  expect(found.intervals).toHaveLength(starts.length);
  for (const [index, { start, end }] of found.intervals.entries()) {
    expectNear(start, starts[index]);
    const isLast = index === starts.length - 1;
    if (ends[index] !== undefined) expectNear(end, ends[index], isLast ? spacing : 0);
    else expect(isLast).toBe(true);
  }
  const total = found.intervals.reduce((sum, { start, end }: Interval) => sum + end - start, 0);
  expect(Math.abs(found.totalSeconds - total)).toBeLessThan(0.001 * (1 + starts.length));
}

const expectNear = (found: number, reported = Number.NaN, more = 0): void =>
  expect(Math.abs(found - reported), `${found} s, reported as ${reported} s`).toBeLessThanOrEqual(
    Math.max(0.01, printedStep(reported) / 2 + (reported < 10_000 ? 0.006 : BLOCK)) + more,
  );

/** As ffmpeg rounds: to one digit. null is what it prints as -inf or as the floor of its scale. */
const expectLevel = (found: number | null, reported: number, floor: number, step = 0.1): void => {
  if (reported <= floor) expect(found).toBeNull();
  else
    expect(Math.abs((found ?? Number.NaN) - reported), `${found}, reported as ${reported}`).toBeLessThan(
      step * 0.51 + 0.06,
    );
};

function expectSound(found: Measurements, file: string, parts: number, hasLoudness: boolean): void {
  const silence = filterReport(file, 'a', `silencedetect=noise=-60dB:duration=${MIN_SECONDS}`);
  const starts = numbersOf(silence, 'silence_start');
  expect(starts.length).toBeGreaterThanOrEqual(parts);
  if (found.silence === undefined) throw new Error('no silence');
  expectIntervals(found.silence, starts, numbersOf(silence, 'silence_end'));

  if (hasLoudness) {
    const [, summary = ''] = filterReport(file, 'a', 'ebur128=peak=true').split('Summary:');
    const { integratedLufs, rangeLu, truePeakDbtp } = found.loudness ?? {};
    expectLevel(integratedLufs ?? null, lastNumber(summary, 'I'), -70);
    expectLevel(rangeLu ?? null, lastNumber(summary, 'LRA'), Number.NEGATIVE_INFINITY);
    expectLevel(truePeakDbtp ?? null, lastNumber(summary, 'Peak'), Number.NEGATIVE_INFINITY);
  }

  const volume = filterReport(file, 'a', 'aformat=sample_fmts=dbl,astats=measure_perchannel=none');
  expectLevel(found.volume?.meanDb ?? null, lastNumber(volume, 'RMS level dB'), Number.NEGATIVE_INFINITY, 0.01);
  expectLevel(found.volume?.peakDb ?? null, lastNumber(volume, 'Peak level dB'), Number.NEGATIVE_INFINITY, 0.01);
}

function expectPicture(found: Measurements, file: string, { parts = 0, spacing = 0 }: MeasuredFile): void {
  const { black, freeze, scenes, crop, interlacing, duplicates, keyframes } = found;
  if (black === undefined || freeze === undefined) throw new Error('no pictures');
  const blackReport = filterReport(file, 'v', `blackdetect=d=${MIN_SECONDS}`);
  expectIntervals(black, numbersOf(blackReport, 'black_start'), numbersOf(blackReport, 'black_end'), spacing);
  const freezeReport = filterReport(file, 'v', `freezedetect=d=${MIN_SECONDS}`);
  const [starts, ends] = ['start', 'end'].map((one) => numbersOf(freezeReport, `freezedetect.freeze_${one}`));
  expectIntervals(freeze, starts ?? [], ends ?? [], spacing);
  expect(black.count + freeze.count).toBeGreaterThanOrEqual(parts);

  const scenesReport = filterReport(file, 'v', 'scdet=threshold=10');
  const [scores, times] = ['score', 'time'].map((one) => numbersOf(scenesReport, `lavfi.scd.${one}`));
  expect(scenes?.count).toBe(times?.length);
  for (const [index, { at, score }] of (scenes?.changes ?? []).entries()) {
    expectNear(at, times?.[index]);
    expect(Math.abs(score - (scores?.[index] ?? Number.NaN))).toBeLessThan(0.051);
  }

  const cropReport = filterReport(file, 'v', 'cropdetect=round=2:reset=0');
  expect(crop?.filter ?? 'none').toBe(/.*(crop=\d+:\d+:\d+:\d+)/s.exec(cropReport)?.[1] ?? 'none');

  // ffmpeg 7 makes the graph twice, and both report.
  const fields = filterReport(file, 'v', 'idet').split('Multi frame detection:').at(-1) ?? '';
  expect(interlacing).toMatchObject({
    topFieldFirst: lastNumber(fields, 'TFF'),
    bottomFieldFirst: lastNumber(fields, 'BFF'),
    progressive: lastNumber(fields, 'Progressive'),
    undetermined: lastNumber(fields, 'Undetermined'),
  });

  const frames = lastNumber(filterReport(file, 'v', 'null'), 'frame');
  const distinct = lastNumber(filterReport(file, 'v', 'mpdecimate=max=0:hi=256:lo=128:frac=0.02'), 'frame');
  expect(duplicates).toMatchObject({ frames, duplicates: frames - distinct });

  const { keyFrames } = probedPackets(file);
  expect(keyframes?.count).toBe(keyFrames.length);
  for (const [index, at] of (keyframes?.at ?? []).entries()) expectNear(at, keyFrames[index]);
}

/** How far from the limit of an interval a packet may count in the next one: bytes are counted in tenths of a second. */
const BIN = 0.1;

function expectBitrate({ bitrate }: Measurements, file: string): void {
  const { packets, end } = probedPackets(file);
  if (bitrate === undefined) throw new Error('no bit rate');
  const { mean, max, maxAt, intervalSeconds: interval, values } = bitrate;
  const bytes = (from: number, to: number): number =>
    packets.reduce((sum, { at, size }) => (at >= from && at < to ? sum + size : sum), 0);
  expect(Math.abs((mean * end) / (bytes(-Infinity, Infinity) * 8) - 1)).toBeLessThan(0.01);
  expect(Math.abs(values.length - end / interval)).toBeLessThanOrEqual(1);
  expect(max).toBe(Math.max(...values));
  expect(values[Math.round(maxAt / interval)]).toBe(max);
  for (const [index, value] of values.entries()) {
    const isLast = index === values.length - 1;
    const [from, to] = [index === 0 ? -Infinity : index * interval, isLast ? Infinity : (index + 1) * interval];
    const seconds = isLast ? Math.max(end - index * interval, interval / 2) : interval;
    const found = (value * seconds) / 8;
    expect(found).toBeGreaterThanOrEqual(bytes(from + BIN, to - BIN) * 0.99 - 1);
    expect(found).toBeLessThanOrEqual(bytes(from - BIN, to + BIN) * 1.01 + 1);
  }
}

const test = needs('ffmpeg');

test.for(sampled(MEASURED_FILES))(
  'has the numbers that ffmpeg itself reports: $name',
  { timeout: 600_000 },
  async (row) => {
    const file = await pathOf(row);
    const hasLoudness = row.hasNoLoudness !== true;
    const sound = SOUND.filter((one) => one !== 'loudness' || hasLoudness);
    const measure = [...(row.has === 'picture' ? [] : sound), ...(row.has === 'sound' ? [] : PICTURE)];
    const found = await measured([file], row.suffix, measure);
    if (row.has !== 'picture') {
      expectSound(found, file, row.has === 'sound' ? (row.parts ?? 0) : 0, hasLoudness);
      expectBitrate(found, file);
    }
    if (row.has !== 'sound') expectPicture(found, file, row);
  },
);

test.for(sampled(COMPARED_FILES))(
  'compares two files as ffmpeg itself does: $name',
  { timeout: 600_000 },
  async ({ args, original, suffix }) => {
    const file = await pathOf({ args, suffix });
    const reference = await pathOf({ args: original, suffix });
    const { psnr, ssim } = await measured([file, reference], suffix, ['psnr', 'ssim']);
    const level = comparisonReport(file, reference, 'psnr');
    expect(Math.abs((psnr?.mean ?? Number.NaN) - lastNumber(level, 'average'))).toBeLessThan(0.006);
    expect(Math.abs((psnr?.min ?? Number.NaN) - lastNumber(level, 'min'))).toBeLessThan(0.006);
    const likeness = comparisonReport(file, reference, 'ssim');
    expect(Math.abs((ssim?.mean ?? Number.NaN) - lastNumber(likeness, 'All'))).toBeLessThan(0.000_002);
  },
);
