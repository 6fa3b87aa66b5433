import { expect, test } from 'vitest';
import { timeLabels } from './time-labels.ts';

const clock = (seconds: number): string => new Date(seconds * 1000).toTimeString().slice(0, 5);
const clockWithSeconds = (seconds: number): string => new Date(seconds * 1000).toTimeString().slice(0, 8);
const at = (time: string): number => new Date(`2026-03-05T${time}`).getTime() / 1000;

const labelsOf = (from: string, to: string, width: number, textOf = clock) => {
  const [first, last] = [at(from), at(to)];
  const axis = { min: first, max: last, first, last, width, textOf, widthOf: (text: string) => text.length * 7 };
  return timeLabels(axis);
};
const textsOf = (...axis: Parameters<typeof labelsOf>) => labelsOf(...axis).map(({ text }) => text);

test('a time axis names its first and its last time, and round times between', () => {
  expect(textsOf('10:26', '11:25', 320)).toEqual(['10:26', '10:40', '10:50', '11:00', '11:10', '11:25']);
  expect(textsOf('10:26', '11:25', 1000)).toEqual([
    '10:26',
    ...['10:35', '10:40', '10:45', '10:50', '10:55', '11:00', '11:05', '11:10', '11:15', '11:20', '11:25'],
  ]);
  expect(textsOf('10:26', '11:25', 100)).toEqual(['10:26', '11:25']);
});

test('the labels at the ends of a time axis are within it', () => {
  const labels = labelsOf('10:26', '11:25', 320);
  expect(labels[0]?.x).toBe(17.5);
  expect(labels.at(-1)?.x).toBe(320 - 17.5);
});

test('no label of a time axis is there twice', () => {
  expect(textsOf('11:31:21.200', '11:31:23.900', 1000, clockWithSeconds)).toEqual(['11:31:21', '11:31:22', '11:31:23']);
  expect(textsOf('11:31:21.200', '11:31:21.900', 320, clockWithSeconds)).toEqual(['11:31:21']);
});
