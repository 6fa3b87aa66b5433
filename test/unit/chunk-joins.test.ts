import { expect, test } from 'vitest';
import type { ChunkOutput } from '../../packages/contract/src/domain/chunks.ts';
import { checkJoined, type JoinedParts } from '../../packages/ffmpeg/src/chunks/checks.ts';

const output = (...videos: readonly number[]): ChunkOutput => ({
  ...{ videos, extension: 'mp4', join: [], withDisposition: [], fromGraph: false, maps: [], excluded: [] },
});

const video = (packets: number) => ({ packets, bytes: 1000 });

/** Two chunks of five seconds with 25 frames per second, joined to an output. */
const parts = (more: Partial<JoinedParts> = {}): JoinedParts => ({
  chunks: [
    { index: 0, startMicros: 0, lengthMicros: 5_000_000, cutMicros: 0, frames: 125 },
    { index: 1, startMicros: 5_000_000, cutMicros: 4_980_000, frames: 125 },
  ],
  facts: [
    { frames: [125], headers: 'a' },
    { frames: [126], headers: 'a' },
  ],
  ...{ lengthSeconds: 10, restSeconds: [10.02], outputSeconds: [10.02], joined: [video(251)] },
  ...more,
});

const reasonOf = (more: Partial<JoinedParts>) => checkJoined({ outputs: [output(0)] }, parts(more))?.whole;

test('a joined output has the frames and the length of its parts', () => {
  expect(reasonOf({})).toBeUndefined();
  expect(reasonOf({ joined: [video(250)] })).toBe('The joined video has 250 frames instead of 251.');
  expect(reasonOf({ outputSeconds: [9.8] })).toBe('The joined output has 9.8 s instead of 10.02 s.');
  expect(reasonOf({ outputSeconds: [10.3] })).toBe('The joined output has 10.3 s instead of 10.02 s.');
});

test('audio may end before the video, and the video may begin late', () => {
  expect(reasonOf({ restSeconds: [8], outputSeconds: [8] })).toBeUndefined();
  expect(reasonOf({ restSeconds: [8], outputSeconds: [10] })).toBeUndefined();
  const late = { index: 0, startMicros: 2_000_000, cutMicros: 0, frames: 125 };
  expect(reasonOf({ chunks: [late], outputSeconds: [12] })).toBeUndefined();
});

test('a length that nobody knows is not compared', () => {
  expect(reasonOf({ outputSeconds: [undefined], restSeconds: [], joined: [] })).toBeUndefined();
});

test('each of several outputs has its length', () => {
  const outputs = [output(0), output(0)];
  const found = parts({ restSeconds: [10, 10], outputSeconds: [10, 5] });
  expect(checkJoined({ outputs }, found)?.whole).toBe('The joined output has 5 s instead of 10 s.');
});
