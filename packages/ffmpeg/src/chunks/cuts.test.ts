import type { ChunkTemplates } from '@telecine/contract/domain/chunks.ts';
import { expect, test } from 'vitest';
import { resultOf } from '../../../../test/support/result-of-steps.ts';
import { cutAtKeyFrames } from './cuts.ts';
import type { SourceFrames, SourceStream } from './source-frames.ts';

const VIDEO: SourceStream = { index: 0, type: 'video', codec: 'h264', isCover: false, disposition: ['default'] };
const AUDIO: SourceStream = { ...VIDEO, index: 1, type: 'audio', codec: 'aac' };

/** A film with frames at these times, in seconds. */
function filmOf(seconds: readonly number[], keys: readonly number[], streams = [VIDEO]): SourceFrames {
  const microsOf = (times: readonly number[]) => times.map((time) => Math.round(time * 1e6));
  const [micros, keyMicros] = [microsOf(seconds), microsOf(keys)];
  return { streams, video: VIDEO, micros, keyMicros, sourceMicros: 0, lengthSeconds: 20 };
}

const TWENTY_SECONDS = Array.from({ length: 200 }, (_, at) => at / 10);

function cut(source: SourceFrames, seconds: number, more: Partial<ChunkTemplates> = {}) {
  const planned: ChunkTemplates = {
    ...{ input: 'in/0.mp4', argv: [], extension: 'mp4', videos: 1 },
    ...{ outputs: [], joinHead: [], svtLevels: false, hasSegments: false, keepsFrames: true },
    ...more,
  };
  return resultOf(cutAtKeyFrames(planned, source, seconds));
}

function startsOf(...args: Parameters<typeof cut>): readonly number[] {
  const run = cut(...args);
  if ('whole' in run) throw new Error(run.whole);
  return run.chunks.map(({ startMicros }) => startMicros / 1e6);
}

test('chunks begin at the key frames nearest to the wanted length, and have every frame once', () => {
  const film = filmOf(TWENTY_SECONDS, [0, 3, 4.5, 7, 9.8, 15]);
  expect(startsOf(film, 5)).toEqual([0, 4.5, 9.8, 15]);
  const run = cut(film, 5);
  expect('chunks' in run && run.chunks.map(({ frames }) => frames)).toEqual([45, 53, 52, 50]);
});

test('the last chunk is no sliver', () => {
  expect(startsOf(filmOf(TWENTY_SECONDS, [0, 5, 10, 15, 19]), 5)).toEqual([0, 5, 10, 15]);
});

test('a film with one key frame, or one shorter than two chunks, runs whole', () => {
  for (const film of [filmOf(TWENTY_SECONDS, [0]), filmOf([0, 0.1, 0.2], [0, 0.1, 0.2])])
    expect(cut(film, 5)).toEqual({ whole: expect.stringMatching(/too short for two chunks, or has no key frame/) });
});

test('a film is not cut where the times of its frames jump', () => {
  const gap = TWENTY_SECONDS.map((time) => (time < 5 ? time : time + 1));
  expect(startsOf(filmOf(gap, [0, 6, 8]), 5)).toEqual([0, 8]);
});

test('each chunk gets the requested key frames after its first frame', () => {
  const run = cut(filmOf(TWENTY_SECONDS, [0, 10]), 10, { keyFrameSeconds: 4 });
  expect('chunks' in run && run.chunks.map(({ keyFrameMicros }) => keyFrameMicros)).toEqual([
    [4e6, 8e6],
    [12e6, 16e6],
  ]);
});

test('a film that would have more than 8000 key frames in a chunk runs whole', () => {
  expect(cut(filmOf(TWENTY_SECONDS, [0, 10]), 10, { keyFrameSeconds: 0.001 })).toEqual({
    whole: expect.stringMatching(/more than 8000 key frames/),
  });
});

test('segments have a constant rate, so a film with a gap or a variable rate runs whole for them', () => {
  const gap = TWENTY_SECONDS.map((time) => (time < 5 ? time : time + 1));
  const slower = TWENTY_SECONDS.map((time) => (time < 5 ? time : 5 + 2 * (time - 5)));
  for (const times of [gap, slower]) {
    const film = filmOf(times, [0, 8, 16]);
    expect(cut(film, 8, { hasSegments: true })).toEqual({ whole: expect.stringMatching(/frame rate .* varies/) });
    expect(cut(film, 8)).toHaveProperty('chunks');
  }
  const rounded = Array.from({ length: 480 }, (_, at) => Math.round((at * 1001) / 24) / 1000);
  expect(cut(filmOf(rounded, [0, rounded[192] ?? 0]), 8, { hasSegments: true })).toHaveProperty('chunks');
});

const OUTPUT = {
  ...{ videos: [0], rest: [], extension: 'mp4' as const, join: [], fromGraph: false },
  ...{ maps: [], excluded: [] },
};

test('an output has other streams if the source has audio that the request does not exclude', () => {
  const film = filmOf(TWENTY_SECONDS, [0, 10], [VIDEO, AUDIO]);
  const hasRest = (source: SourceFrames, output: object) => {
    const run = cut(source, 10, { outputs: [{ ...OUTPUT, ...output }] });
    return 'whole' in run ? run.whole : run.hasRest;
  };
  expect(hasRest(film, {})).toEqual([true]);
  expect(hasRest(film, { excluded: ['audio'] })).toEqual([false]);
  expect(hasRest(film, { maps: ['0:v', '0:a:0'] })).toEqual([true]);
  expect(hasRest(film, { maps: ['0:v'] })).toEqual([false]);
  expect(hasRest(filmOf(TWENTY_SECONDS, [0, 10]), {})).toEqual([false]);
  expect(hasRest(film, { maps: ['0:a', '0:v'] })).toMatch(/not the first/);
  expect(hasRest(film, { maps: ['0:v', '0:s'] })).toMatch(/0:s selects no stream/);
  expect(hasRest(film, { maps: ['0:v', '0:s?'] })).toEqual([false]);
  expect(hasRest(filmOf(TWENTY_SECONDS, [0, 10], [VIDEO, { ...AUDIO, type: 'subtitle' }]), {})).toMatch(/"sn"/);
});
