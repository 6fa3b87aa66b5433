import { type MeasuredSpeed, speedFactor } from '@telecine/contract/domain/work-kinds.ts';
import { startSeconds, type Work } from '@telecine/ffmpeg/estimate/machine-time.ts';
import { expect, test } from 'vitest';
import { measuredSpeeds, withRatio } from './measured-speeds.ts';

const CORES = 4;
/** Work of ten seconds on four cores. */
const WORK: Work = { kind: 'x264-small', processorSeconds: 34, copySeconds: 0 };
/** The seconds of a run that converts for so long. */
const runOf = (converting: number, work = WORK): number => converting + startSeconds(work);

const after = (ratios: readonly number[]): MeasuredSpeed | undefined =>
  ratios.reduce<MeasuredSpeed | undefined>((speed, ratio) => withRatio(speed, 'x264-small', ratio), undefined);

test('a worker without jobs has no speed', () => {
  expect(measuredSpeeds(CORES).list()).toEqual([]);
});

test('measures the time of a job against the time of the model', () => {
  const speeds = measuredSpeeds(CORES);
  speeds.add({ work: WORK, seconds: runOf(20), busyCores: 0 });
  expect(speeds.list()).toEqual([{ kind: 'x264-small', jobs: 1, ratio: 2, spread: 0 }]);
});

test('a run is as fast with one start of ffmpeg as with two', () => {
  const [once, twice] = [measuredSpeeds(CORES), measuredSpeeds(CORES)];
  const work: Work = { ...WORK, starts: 2 };
  once.add({ work: WORK, seconds: runOf(5), busyCores: 0 });
  twice.add({ work, seconds: runOf(5, work), busyCores: 0 });
  expect(twice.list()).toEqual(once.list());
});

test('a job beside others is as fast as one alone that took its share of the time', () => {
  const [alone, beside] = [measuredSpeeds(CORES), measuredSpeeds(CORES)];
  alone.add({ work: WORK, seconds: runOf(10), busyCores: 0 });
  // The job and another one want 3.4 of the four cores each.
  beside.add({ work: WORK, seconds: runOf(17), busyCores: 3.4 });
  expect(beside.list()[0]?.ratio).toBeCloseTo(alone.list()[0]?.ratio ?? 0, 3);
});

test('keeps each kind of work apart', () => {
  const speeds = measuredSpeeds(CORES);
  speeds.add({ work: WORK, seconds: runOf(20), busyCores: 0 });
  speeds.add({ work: { ...WORK, kind: 'av1-large' }, seconds: runOf(5), busyCores: 0 });
  expect(speeds.list().map(({ kind, ratio }) => [kind, ratio])).toEqual([
    ['av1-large', 0.5],
    ['x264-small', 2],
  ]);
});

test('ignores work that is mostly the start of processes', () => {
  const speeds = measuredSpeeds(CORES);
  speeds.add({ work: { kind: 'copy', processorSeconds: 0, copySeconds: 0.2 }, seconds: 4, busyCores: 0 });
  expect(speeds.list()).toEqual([]);
});

test('the ratio is the geometric mean, and the spread the deviation of a sample', () => {
  const speed = after([1, 2, 4]);
  expect(speed?.jobs).toBe(3);
  expect(speed?.ratio).toBeCloseTo(2, 3);
  expect(speed?.spread).toBeCloseTo(Math.log(2), 3);
});

test('forgets how fast the machine was before', () => {
  const speed = after([...Array<number>(50).fill(4), ...Array<number>(80).fill(1)]);
  expect(speed?.ratio).toBeGreaterThan(1);
  expect(speed?.ratio).toBeLessThan(1.1);
});

test('one job that hung does not spoil the speed', () => {
  expect(after([...Array<number>(20).fill(1), 100_000])?.ratio).toBeLessThan(1.3);
});

test('takes over the speeds of the earlier process, but not those that it has measured itself', () => {
  const speeds = measuredSpeeds(CORES);
  speeds.add({ work: WORK, seconds: runOf(20), busyCores: 0 });
  speeds.restore([
    { kind: 'x264-small', jobs: 9, ratio: 7, spread: 0 },
    { kind: 'copy', jobs: 9, ratio: 3, spread: 0.1 },
  ]);
  expect(speeds.list().map(({ ratio }) => ratio)).toEqual([3, 2]);
});

/** Random numbers from 0 to 1 that are the same in each run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test.each([3, 5, 10, 40])('after %i jobs, nine of ten further jobs are between the bounds', (jobs) => {
  const next = random(jobs);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  const ratio = (): number => Math.exp(0.4 * normal());
  let inside = 0;
  const worlds = 4000;
  for (let world = 0; world < worlds; world += 1) {
    const speed = after(Array.from({ length: jobs }, ratio));
    if (speed === undefined) continue;
    const [real, factor] = [ratio(), speedFactor(speed)];
    if (real >= speed.ratio / factor && real <= speed.ratio * factor) inside += 1;
  }
  expect(inside / worlds).toBeGreaterThan(0.88);
  expect(inside / worlds).toBeLessThan(0.95);
});

test('a few jobs that were alike do not tell how different the next one is', () => {
  const factorAfter = (jobs: number): number => {
    const speed = after(Array<number>(jobs).fill(1));
    return speed === undefined ? Number.NaN : speedFactor(speed);
  };
  expect(factorAfter(3)).toBeGreaterThan(1.7);
  expect(factorAfter(100)).toBeLessThan(factorAfter(3) * 0.8);
});
