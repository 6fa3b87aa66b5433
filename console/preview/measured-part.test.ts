import { expect, test } from 'vitest';
import { measuredPart, resultRequest } from './measured-part.ts';

test('some seconds from the middle are measured, from between two frames', () => {
  expect(measuredPart({ fps: 25, frames: 1500 })).toEqual({ at: 28.02, seconds: 4 });
  // Of a short one, its half.
  expect(measuredPart({ fps: 25, frames: 50 })).toEqual({ at: 0.5, seconds: 1 });
  expect(measuredPart({ fps: 24000 / 1001, frames: 1 })).toEqual({ at: 0.020854, seconds: 0.021 });
});

test('the result is decoded without loss', () => {
  expect(resultRequest('films/out.mp4', { at: 28.02, seconds: 4 }, 'one')).toEqual({
    inputs: [{ input: 'films/out.mp4', parameters: { ss: '28.02', t: '4' } }],
    parameters: { map: '0:v:0', 'c:v': 'libx264', preset: 'ultrafast', qp: '0' },
    output: 'console-previews/one.mkv',
    expiresAfterSeconds: 1800,
  });
});
