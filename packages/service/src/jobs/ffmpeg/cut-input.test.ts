import type { ChunkTemplates } from '@telecine/contract/domain/chunks.ts';
import { NEVER } from '@telecine/contract/domain/steps.ts';
import type { ChunkPart } from '@telecine/ffmpeg/chunks/chunk-plans.ts';
import type { SourceIndex } from '@telecine/ffmpeg/chunks/source-index.ts';
import { expect, test } from 'vitest';
import { type CutOptions, Cuts } from './cut-input.ts';

const PLANNED: ChunkTemplates = {
  input: 'in/0.mkv',
  families: [{ argv: [], extension: 'mkv', videos: 1 }],
  outputs: [],
  joinHead: [],
  svtLevels: false,
  countsFromReadStreams: true,
  frameRateModes: ['vfr'],
  cutsAtKeyFrames: false,
};

/** A video with frames at these seconds, which are all key frames. */
function filmOf(seconds: readonly number[]): SourceIndex {
  const video = { index: 0, type: 'video', codec: 'h264', isCover: false, disposition: [], hasLanguage: false };
  return {
    ...{
      format: 'matroska',
      startMicros: 0,
      streams: [],
      video: { ...video, realRate: 1, averageRate: 1 },
      timeBase: [1, 1],
    },
    ...{ ticks: seconds, durations: seconds.map(() => 1), keys: seconds.map(() => 1), beginsWithoutKeyFrame: false },
  };
}

const everySecond = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from }, (_, at) => from + at);

function cutsWith(options: Pick<CutOptions, 'mostSeconds' | 'lengthsOf'>) {
  const parts: ChunkPart[] = [];
  const onParts = (cut: readonly ChunkPart[]): void => void parts.push(...cut);
  return { parts, cuts: new Cuts({ planned: PLANNED, fileBytes: 1, stored: [], onParts, ...options }, NEVER) };
}

test('a film that is longer than its file states is not cut beyond what the client may convert', async () => {
  const { cuts, parts } = cutsWith({ mostSeconds: 3600, lengthsOf: () => ({ seconds: 10 }) });
  const gap = [...everySecond(0, 100), ...everySecond(80_000_000, 80_000_300)];
  expect(await cuts.begin(filmOf(gap), { seconds: 10 }, 200)).toEqual({
    whole: expect.stringMatching(/longer than the client may convert/),
  });
  expect(parts).toEqual([]);
});

test('after its workers have left, a film that is longer than its file states has no more chunks than a job may have', async () => {
  let mayCut = true;
  const lengthsOf = () => (mayCut ? { seconds: 10 } : { whole: 'Only one worker can convert the input.' });
  const { cuts, parts } = cutsWith({ mostSeconds: Number.POSITIVE_INFINITY, lengthsOf });
  expect(await cuts.begin(filmOf(everySecond(0, 300)), { seconds: 10 }, 200)).toBeUndefined();
  expect(parts.length).toBeGreaterThan(2);
  mayCut = false;
  expect(await cuts.end(filmOf(everySecond(0, 40_000)))).toBeUndefined();
  expect(parts.length).toBeLessThan(550);
});
