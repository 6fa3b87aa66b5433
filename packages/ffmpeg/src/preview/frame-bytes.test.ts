import { expect, test } from 'vitest';
import { bytesOfFrames, frameInterval } from './frame-bytes.ts';

const MB = 1_000_000;
const FILE = 1000 * MB;

/** Packets of one frame per second from a time on, 1 MB each, at 10 MB per second. */
const packets = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    stream: 0,
    seconds: from + index,
    position: (from + index) * 10 * MB,
    sizeBytes: MB,
  }));

/** The last key frame of the video. */
const LAST = { stream: 0, seconds: 98, position: 980 * MB, sizeBytes: MB };
const LAST_BYTES = [980 * MB, 981 * MB];

test('a frame needs the packets around it, and from the key frame before', () => {
  expect([frameInterval(0), frameInterval(60)]).toEqual([
    [0, 3],
    [59.5, 63],
  ]);
  // Audio between the packets is less than the gap.
  const near = packets(58, 3).map((packet, index) => ({ ...packet, position: 580 * MB + index * 2 * MB }));
  expect(bytesOfFrames([59], [...near, LAST], FILE)).toEqual([[580 * MB, 585 * MB], LAST_BYTES]);
  expect(bytesOfFrames([20, 59], [...packets(20, 1), ...packets(59, 1), LAST], FILE)).toEqual([
    [200 * MB, 201 * MB],
    [590 * MB, 591 * MB],
    LAST_BYTES,
  ]);
});

test('all of a file is needed if a frame has no packet near it, or its bytes are unknown or many', () => {
  expect(bytesOfFrames([59], [], FILE)).toBeUndefined();
  expect(bytesOfFrames([20, 59], [...packets(20, 3), LAST], FILE), 'no packet near').toBeUndefined();
  expect(bytesOfFrames([20], packets(20, 3), FILE), 'an index of a part of the video').toBeUndefined();
  expect(bytesOfFrames([20], [{ stream: 0, seconds: 20 }, LAST], FILE)).toBeUndefined();
  expect(bytesOfFrames([99], packets(99, 2), FILE), 'past the end').toBeUndefined();
  const large = packets(0, 60).map((packet) => ({ ...packet, sizeBytes: 10 * MB }));
  expect(bytesOfFrames([0], [...large, LAST], FILE)).toBeUndefined();
});
