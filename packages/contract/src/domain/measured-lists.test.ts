import { expect, test } from 'vitest';
import { type Measurements, usedSettings } from './analysis.ts';
import { MEASURED_LISTS, measuredList, withEntries, withFirstEntries } from './measured-lists.ts';

const parts = [1, 2, 3].map((start) => ({ start, end: start + 0.5 }));
const found = { count: 3, totalSeconds: 1.5, intervals: parts };

const ALL: Measurements = {
  silence: found,
  black: found,
  freeze: found,
  scenes: { count: 2, changes: [1, 2].map((at) => ({ at, score: 20 })) },
  duplicates: { frames: 9, duplicates: 4, at: [1, 2] },
  bitrate: { mean: 1, max: 1, maxAt: 0, intervalSeconds: 1, values: [1, 1] },
  keyframes: { count: 2, meanSpacing: 1, maxSpacing: 1, at: [0, 1] },
  errors: { verdict: 'damaged', message: 'The data is damaged.', count: 7, video: found, audio: found },
  crop: null,
  volume: { meanDb: -20, peakDb: 0 },
};

test('each list is found with its count, which may be greater than what is listed', () => {
  expect(Object.fromEntries(MEASURED_LISTS.map((list) => [list, measuredList(ALL, list)?.count]))).toEqual({
    ...{ silence: 3, black: 3, freeze: 3, scenes: 2, duplicates: 4, bitrate: 2, keyframes: 2 },
    ...{ 'errors.video': 3, 'errors.audio': 3 },
  });
  expect(measuredList({ crop: null }, 'silence')).toBeUndefined();
});

test('lists are shortened, and each says what is missing', () => {
  const short = withFirstEntries(ALL, 1, (list, { count, entries }) => ({ rest: `${list} ${entries} of ${count}` }));
  for (const list of MEASURED_LISTS) expect(measuredList(short, list)?.entries, list).toHaveLength(1);
  expect(short).toMatchObject({
    crop: null,
    volume: { meanDb: -20 },
    duplicates: { duplicates: 4, rest: 'duplicates 1 of 4' },
    errors: { count: 7, message: 'The data is damaged.', video: { count: 3, rest: 'errors.video 1 of 3' } },
  });
  expect(withFirstEntries(ALL, 1000)).toEqual(ALL);
});

test('lists are completed again, without their cursors', () => {
  const short = withFirstEntries(ALL, 1, () => ({ nextCursor: 'a' }));
  const lists = new Map(MEASURED_LISTS.map((list) => [list, measuredList(ALL, list)?.entries ?? []]));
  expect(withEntries(short, lists)).toEqual(ALL);
});

test('the settings of an analysis are those of what it measures, with the defaults', () => {
  expect(
    usedSettings({ measure: ['silence', 'loudness', 'scenes'], settings: { silence: { noiseDb: -40 }, black: {} } }),
  ).toEqual({ silence: { noiseDb: -40, minSeconds: 2 }, scenes: { threshold: 10 } });
  expect(usedSettings({ measure: ['loudness'] })).toBeUndefined();
});
