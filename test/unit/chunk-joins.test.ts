import { expect, test } from 'vitest';
import type { ChunkOutput } from '../../packages/contract/src/domain/chunks.ts';
import { checkJoined, type JoinedOutputs, type PartFacts } from '../../packages/ffmpeg/src/chunks/checks.ts';
import type { ChunkPart } from '../../packages/ffmpeg/src/chunks/parts.ts';

const output = (...videos: readonly number[]): ChunkOutput => ({
  ...{ videos, extension: 'mp4', join: [], fromGraph: false, maps: [], excluded: [] },
});

const video = (packets: number) => ({ packets, bytes: 1000 });

const SHARED = { run: { hasRest: [true], sourceMicros: 0, disposition: [] }, threads: 1, lengthSeconds: 10 };

/** The other streams, and two chunks of five seconds with 25 frames per second. The first begins at this time. */
const partsFrom = (startMicros: number, outputs: number): readonly ChunkPart[] => [
  ...Array.from({ length: outputs }, (_, at) => ({ ...SHARED, output: at })),
  { ...SHARED, chunk: { index: 0, startMicros, lengthMicros: 5_000_000, cutMicros: 0, frames: 125 } },
  { ...SHARED, chunk: { index: 1, startMicros: startMicros + 5_000_000, cutMicros: 4_980_000, frames: 125 } },
];

interface Case extends Partial<JoinedOutputs> {
  readonly start?: number;
  readonly rests?: readonly PartFacts[];
}

function reasonOf({ start = 0, rests = [{ seconds: 10.02, start: 0 }], ...more }: Case): string | undefined {
  const facts = [...rests, { frames: [125], headers: 'a', start }, { frames: [126], headers: 'a' }];
  const joined = { seconds: [10.02], audioDelays: [-start], videos: rests.map(() => [video(251)]), ...more };
  const outputs = rests.map(() => output(0));
  return checkJoined({ outputs }, partsFrom(start * 1e6, rests.length), facts, joined)?.whole;
}

test('a joined output has the frames and the length of its parts', () => {
  expect(reasonOf({})).toBeUndefined();
  expect(reasonOf({ videos: [[video(250)]] })).toBe('The joined video has 250 frames instead of 251.');
  expect(reasonOf({ seconds: [9.8] })).toBe('The joined output has 9.8 s instead of 10.02 s.');
  expect(reasonOf({ seconds: [10.3] })).toBe('The joined output has 10.3 s instead of 10.02 s.');
});

test('audio may end before the video, and the video may begin late', () => {
  expect(reasonOf({ rests: [{ seconds: 8, start: 0 }], seconds: [8] })).toBeUndefined();
  expect(reasonOf({ rests: [{ seconds: 8, start: 0 }], seconds: [10] })).toBeUndefined();
  expect(reasonOf({ start: 2, seconds: [12] })).toBeUndefined();
});

test('a joined output has its audio as long after the video as its parts, within 20 ms', () => {
  expect(reasonOf({ audioDelays: [0.019] })).toBeUndefined();
  expect(reasonOf({ audioDelays: [0.021] })).toBe('The joined audio begins 0.021 s after the video instead of 0 s.');
  expect(reasonOf({ start: 2, seconds: [12], audioDelays: [0] })).toMatch(/^The joined audio begins 0 s/);
});

test('what nobody knows is a reason to run whole', () => {
  expect(reasonOf({ videos: [] })).toMatch(/does not tell the frames/);
  expect(reasonOf({ seconds: [undefined] })).toMatch(/length .* is not known/);
  expect(reasonOf({ rests: [{ seconds: undefined, start: 0 }] })).toMatch(/length .* is not known/);
  expect(reasonOf({ audioDelays: [undefined] })).toMatch(/When the audio .* is not known/);
});

test('segments, which have no times of one file, do not end the check of a file beside them', () => {
  const rests = [
    { seconds: 10, start: 0 },
    { seconds: 10, start: 0 },
  ];
  const both = { rests, seconds: [undefined, 10] };
  expect(reasonOf({ ...both, audioDelays: ['segments', 0] })).toBeUndefined();
  expect(reasonOf({ ...both, audioDelays: ['segments', 1] })).toMatch(/audio begins 1 s/);
  expect(reasonOf({ ...both, audioDelays: ['segments', 0], videos: [[video(251)], [video(250)]] })).toMatch(
    /250 frames/,
  );
});

test('each of several outputs has its length', () => {
  const rests = [
    { seconds: 10, start: 0 },
    { seconds: 10, start: 0 },
  ];
  expect(reasonOf({ rests, seconds: [10, 5], audioDelays: [0, 0] })).toBe('The joined output has 5 s instead of 10 s.');
});
