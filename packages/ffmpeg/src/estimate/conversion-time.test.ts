import type { MeasuredSpeed } from '@telecine/contract/domain/work-kinds.ts';
import { expect, test } from 'vitest';
import { conversionSeconds, type Machine } from './conversion-time.ts';
import { NoEstimate } from './links.ts';
import type { Work } from './machine-time.ts';

/** Work of 60 seconds on two cores. */
const WORK: Work = { kind: 'x264-small', processorSeconds: 102, copySeconds: 0 };

const speed = (ratio: number, more: Partial<MeasuredSpeed> = {}): MeasuredSpeed => ({
  ...{ kind: 'x264-small', jobs: 20, ratio, spread: 0.2 },
  ...more,
});
const machine = (...speeds: readonly MeasuredSpeed[]): Machine => ({ cores: 2, speeds });

function rangeOf(machines: readonly Machine[], work = WORK) {
  const found = conversionSeconds(work, machines);
  if (!('range' in found)) throw new Error(found.unknown);
  return { ...found.range, basis: found.basis };
}

test('measured jobs correct the time, and make it more certain', () => {
  const [model, jobs] = [rangeOf([machine()]), rangeOf([machine(speed(2))])];
  expect([model.basis, jobs.basis]).toEqual(['model', 'jobs']);
  expect(jobs.likely / model.likely).toBeCloseTo(2, 1);
  expect(jobs.high / jobs.low).toBeLessThan(model.high / model.low / 4);
});

test('jobs of another kind, and too few jobs, say nothing', () => {
  expect(rangeOf([machine(speed(9, { kind: 'av1-small' }), speed(9, { jobs: 2 }))])).toEqual(rangeOf([machine()]));
});

test('a conversion that is mostly filters has no time by measured jobs, which were not like it', () => {
  const filtered: Work = { ...WORK, filterSeconds: 90 };
  expect(rangeOf([machine(speed(2))], filtered)).toEqual(rangeOf([machine()], filtered));
  expect(rangeOf([machine(speed(2))], { ...WORK, filterSeconds: 20 }).basis).toBe('jobs');
});

test('more cores do not shorten a filter with one thread', () => {
  const likely = (cores: number, leastSeconds: number): number =>
    rangeOf([{ cores }], { ...WORK, filterSeconds: 20, leastSeconds }).likely;
  expect(likely(8, 0)).toBeLessThan(20);
  expect(likely(8, 20)).toBeGreaterThanOrEqual(20);
  expect(likely(1, 20)).toBe(likely(1, 0));
});

test('other jobs do not slow down a conversion that leaves them enough cores', () => {
  const highest = (busyCores: number, leastSeconds: number): number =>
    rangeOf([{ cores: 8, busyCores }], { ...WORK, leastSeconds }).high;
  expect(highest(6, WORK.processorSeconds)).toBe(highest(0, WORK.processorSeconds));
  expect(highest(6, 0)).toBeGreaterThan(highest(0, 0) * 1.5);
});

test('each start of ffmpeg takes time, also for a conversion of a moment', () => {
  const short: Work = { ...WORK, processorSeconds: 0 };
  const [once, often] = [rangeOf([machine()], short), rangeOf([machine()], { ...short, starts: 3 })];
  expect(often.likely).toBeGreaterThan(once.likely * 1.5);
});

test('the more the jobs differed, the wider the range', () => {
  const width = (spread: number): number => {
    const { low, high } = rangeOf([machine(speed(1, { spread }))]);
    return high / low;
  };
  expect(width(0.5)).toBeGreaterThan(width(0.3) * 1.5);
  // A few equal jobs do not make certain how long the next one takes.
  expect(width(0)).toBeGreaterThan(1.5);
});

test('contains what the fastest and the slowest worker need, because either may run it', () => {
  const [fast, slow] = [machine(speed(0.5)), machine(speed(2))];
  const both = rangeOf([fast, slow]);
  expect(both.low).toBe(rangeOf([fast]).low);
  expect(both.high).toBe(rangeOf([slow]).high);
});

test('other jobs on the machine make a conversion slower, and may end at once', () => {
  const [alone, beside] = [rangeOf([machine()]), rangeOf([{ cores: 2, busyCores: 1.7 }])];
  expect(beside.low).toBe(alone.low);
  expect(beside.high / alone.high).toBeCloseTo(1.7, 1);
  expect(rangeOf([{ cores: 64, busyCores: 10 }])).toEqual(rangeOf([{ cores: 64 }]));
});

test('says only the shortest likely time if a range would be too wide', () => {
  const wide = machine(speed(1, { spread: 1.2 }));
  expect(conversionSeconds(WORK, [wide])).toEqual({
    longerThan: expect.closeTo(7, 0),
    unknown: expect.stringContaining('differ too much for a range'),
  });
  expect(conversionSeconds(WORK, [{ cores: 2, busyCores: 6.8 }])).toMatchObject({
    unknown: expect.stringContaining('differ too much for a range'),
  });
});

test('says nothing without a worker, and nothing of a hardware encoder that no worker has measured', () => {
  expect(() => conversionSeconds(WORK, [])).toThrow(NoEstimate);
  const work: Work = { ...WORK, kind: 'hardware-small', needsMeasurement: true };
  expect(() => conversionSeconds(work, [machine()])).toThrow(/hardware encoder/);
  const measured = machine(speed(0.1, { kind: 'hardware-small' }));
  expect(rangeOf([measured, machine()], work)).toEqual(rangeOf([measured], work));
});

test('audio is encoded by one core, however many there are', () => {
  const audio: Work = { ...WORK, kind: 'audio' };
  expect(rangeOf([{ cores: 16 }], audio)).toEqual(rangeOf([{ cores: 2 }], audio));
});
