import type { ConversionRequest } from '@telecine/client';
import { expect, test } from 'vitest';
import { chosenPart } from './chosen-part.ts';

const DURATION = 60;

const partOf = (request: Omit<ConversionRequest, 'output'>) => chosenPart({ output: 'b.mp4', ...request }, DURATION);

test('options of the source or of the output choose the part', () => {
  expect(partOf({ inputs: [{ input: 'a.mov', parameters: { ss: '0:10', t: '20' } }] })).toEqual({ start: 10, end: 30 });
  expect(partOf({ input: 'a.mov', parameters: { ss: '10', to: '15' } })).toEqual({ start: 10, end: 15 });
  expect(partOf({ inputs: [{ input: 'a.mov', parameters: { ss: '50', t: '20' } }] })).toEqual({ start: 50, end: 60 });
  const outputs = [{ output: 'b.mp4', parameters: { t: '5' } }, { output: 'c.mp4' }];
  expect(partOf({ input: 'a.mov', outputs })).toEqual({ start: 0, end: 5 });
});

test('a part can count from the end of the source', () => {
  expect(partOf({ inputs: [{ input: 'a.mov', parameters: { sseof: '-5' } }] })).toEqual({ start: 55, end: 60 });
  expect(partOf({ input: 'a.mov', parameters: { sseof: '-20', t: '5' } })).toEqual({ start: 40, end: 45 });
});

test('with the times of the source, the end of the output is a time of the source', () => {
  const inputs = [{ input: 'a.mov', parameters: { ss: '10' } }];
  expect(partOf({ inputs, parameters: { to: '15' } })).toEqual({ start: 10, end: 25 });
  expect(partOf({ inputs, parameters: { to: '15', copyts: '' } })).toEqual({ start: 10, end: 15 });
});

test('of several parts, it is from the first to the last', () => {
  const keep = [
    { start: 40, end: 45 },
    { start: '0:10', end: 12 },
  ];
  expect(partOf({ input: 'a.mov', cut: { keep } })).toEqual({ start: 10, end: 45 });
});

test('an image is of its time', () => {
  const inputs = [{ input: 'a.mov', parameters: { ss: '30' } }];
  expect(partOf({ inputs, parameters: { 'frames:v': '1' } })).toEqual({ start: 30, end: 31 });
  expect(partOf({ input: 'a.mov', parameters: { vf: 'thumbnail', 'frames:v': '1' } })).toBeUndefined();
});

test('all of a source is no part, nor is what is not known', () => {
  expect(partOf({ input: 'a.mov' })).toBeUndefined();
  expect(partOf({ inputs: [{ input: 'a.mov', parameters: { stream_loop: '2', t: '90' } }] })).toBeUndefined();
  expect(partOf({ inputs: [{ input: 'a.png', duration: '5', parameters: { t: '3' } }] })).toBeUndefined();
  // The `loop` of an output is that of an animated image.
  expect(partOf({ input: 'a.mov', parameters: { t: '5', loop: '0' } })).toEqual({ start: 0, end: 5 });
  expect(partOf({ input: 'a.mov', cut: { remove: { silence: {} } } })).toBeUndefined();
  expect(chosenPart({ input: 'a.mov', output: 'b.mp4' }, 0)).toBeUndefined();
});
