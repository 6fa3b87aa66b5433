import type { ChunkOutput } from '@telecine/contract/domain/chunks.ts';
import { expect, test } from 'vitest';
import { clockOf, countsFromReadStreams } from './read-clock.ts';
import type { SourceIndex, SourceStream } from './source-index.ts';

const stream = (index: number, type: string, startMicros: number, more: Partial<SourceStream> = {}): SourceStream => ({
  ...{ index, type, startMicros, codec: 'any', isCover: false, disposition: [], hasLanguage: false },
  ...more,
});

const video = stream(0, 'video', 1_483_333);
const audio = stream(1, 'audio', 1_460_111, { channels: 2 });
/** How much later the video begins than the audio, in ticks. */
const LATER_TICKS = 2090;

const source = (streams: readonly SourceStream[], format = 'mpegts'): SourceIndex => ({
  ...{ format, streams, video: streams[0] ?? video, timeBase: [1, 90_000], beginsWithoutKeyFrame: false },
  startMicros: Math.min(...streams.map(({ startMicros = 0 }) => startMicros)),
  ...{ ticks: [LATER_TICKS, LATER_TICKS + 3750], durations: [3750, 3750], keys: [1, 0] },
});

const output = (more: Partial<ChunkOutput> = {}): ChunkOutput => ({
  ...{ family: 0, videos: [0], rest: [], extension: 'mp4', join: [], withDisposition: [], fromGraph: false },
  ...{ copiesAudio: false, hasManifest: false, maps: [], excluded: [] },
  ...more,
});

const EARLIER = { countsFromReadStreams: false };
const LATER = { countsFromReadStreams: true };

test('from release 6 on, a chunk of a transport stream begins as much later as its video does', () => {
  const outputs = [output()];
  expect(clockOf({ ...LATER, outputs }, source([video, audio]))).toMatchObject({
    ...{ index: { ticks: [LATER_TICKS, LATER_TICKS + 3750] }, ofChunks: 23_222, ofRests: [0] },
  });
  // A microsecond changes no time, but earlier releases do not correct the start then.
  expect(clockOf({ ...EARLIER, outputs }, source([video, audio]))).toMatchObject({
    ...{ index: { ticks: [LATER_TICKS, LATER_TICKS + 3750] }, ofChunks: 1, ofRests: [1] },
  });
});

test('the audio gets the times of the whole conversion if the video of a transport stream begins first', () => {
  const late = source([video, { ...audio, startMicros: 1_783_333 }]);
  expect(clockOf({ ...LATER, outputs: [output()] }, late)).toEqual({ index: late, ofChunks: 0, ofRests: [300_000] });
  expect(clockOf({ ...EARLIER, outputs: [output()] }, late)).toMatchObject({ ofChunks: 1, ofRests: [1] });
});

test('without the audio, times count from the start of the video', () => {
  for (const without of [{ excluded: ['audio'] as const }, { maps: ['0:v'] }, { maps: ['[high]'] }]) {
    const outputs = [output(without)];
    const later = clockOf({ ...LATER, outputs }, source([video, audio]));
    expect(later).toMatchObject({ index: { ticks: Float64Array.of(0, 3750) }, ofChunks: 0, ofRests: [0] });
    expect(clockOf({ ...EARLIER, outputs }, source([video, audio]))).toMatchObject({
      ...{ index: { ticks: Float64Array.of(0, 3750) }, ofChunks: -23_222 },
    });
  }
});

test('if one of several outputs has audio, all count from its start', () => {
  const outputs = [output({ excluded: ['audio'] }), output({ maps: ['0:v', '0:a:0'] })];
  expect(clockOf({ ...LATER, outputs }, source([video, audio]))).toMatchObject({
    ...{ ofChunks: 23_222, ofRests: [0, 0] },
  });
});

test('of several audio streams, only the selected one counts', () => {
  const [second, third] = [
    stream(2, 'audio', 1_400_000, { channels: 1 }),
    stream(3, 'audio', 1_410_000, { channels: 2 }),
  ];
  const streams = [video, audio, second, third];
  expect(clockOf({ ...LATER, outputs: [output()] }, source(streams))).toMatchObject({ ofChunks: 23_222 });
  expect(clockOf({ ...LATER, outputs: [output({ maps: ['0:v', '0:a:1'] })] }, source(streams))).toMatchObject({
    ofChunks: 83_333,
  });
  const preferred = [video, audio, { ...second, disposition: ['default'] }, third];
  expect(clockOf({ ...LATER, outputs: [output()] }, source(preferred))).toMatchObject({ ofChunks: 83_333 });
});

test('a transport stream runs whole if times may count from the start of subtitles', () => {
  const subtitles = stream(2, 'subtitle', 1_460_111);
  const late = source([video, { ...audio, startMicros: 1_500_000 }, subtitles]);
  const whole = { whole: expect.stringMatching(/"sn"/) };
  for (const release of [EARLIER, LATER]) {
    expect(clockOf({ ...release, outputs: [output()] }, late)).toEqual(whole);
    expect(clockOf({ ...release, outputs: [output({ excluded: ['subtitle'] })] }, late)).not.toHaveProperty('whole');
    expect(clockOf({ ...release, outputs: [output({ maps: ['0'] })] }, late)).not.toHaveProperty('whole');
    expect(clockOf({ ...release, outputs: [output()] }, source([video, audio, subtitles]))).not.toHaveProperty('whole');
  }
});

test('the times of other containers count from the start of the file', () => {
  const index = source([video, audio], 'matroska');
  expect(clockOf({ ...LATER, outputs: [output({ excluded: ['audio'] })] }, index)).toEqual({
    index,
    ofChunks: 0,
    ofRests: [0],
  });
});

test('a build without a release counts as a new one', () => {
  expect([[5, 1], [6, 0], [7, 1], undefined].map((release) => countsFromReadStreams({ release } as never))).toEqual([
    ...[false, true, true, true],
  ]);
});
