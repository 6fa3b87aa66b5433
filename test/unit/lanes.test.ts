import { expect, test } from 'vitest';
import type { ConversionRequest } from '../../src/domain/conversion.ts';
import { laneOf } from '../../src/ffmpeg/plan/lane.ts';
import { validPlan } from '../support/planning.ts';

const picture = (parameters: Record<string, string>): ConversionRequest => ({
  input: 'a.mp4',
  output: 'b.jpg',
  parameters: { 'frames:v': '1', ...parameters },
});

test.each<[string, ConversionRequest]>([
  ['the first frame', picture({})],
  ['a frame near the start', picture({ ss: '30' })],
  ['a scaled frame', picture({ vf: 'scale=320:-2,format=yuv420p', 'q:v': '3' })],
  [
    'a frame of any time, if the input is sought',
    { inputs: [{ input: 'a.mp4', parameters: { ss: '5000' } }], output: 'b.png', parameters: { 'frames:v': '1' } },
  ],
])('%s is light', (_, request) => {
  expect(laneOf(validPlan(request))).toBe('light');
});

test.each<[string, ConversionRequest]>([
  ['a film', { input: 'a.mp4', output: 'b.mp4' }],
  ['the first frame as a film', { input: 'a.mp4', output: 'b.mp4', parameters: { 'frames:v': '1' } }],
  ['a frame after much that is decoded', picture({ ss: '3600' })],
  ['a frame that is chosen from many', picture({ vf: 'thumbnail' })],
  ['a sheet of frames', picture({ vf: 'scale=320:-2,tile=4x4' })],
  ['frames in files', { input: 'a.mp4', output: 'f%03d.jpg' }],
  ['a picture of a sound', picture({ filter_complex: 'showwavespic=s=400x100' })],
  ['a picture from pictures', { input: 'f%03d.png', output: 'b.jpg', parameters: { 'frames:v': '1' } }],
])('%s is not light', (_, request) => {
  expect(laneOf(validPlan(request))).toBe('full');
});
