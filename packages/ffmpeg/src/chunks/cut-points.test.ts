import type { ChunkOutput, ChunkTemplates } from '@telecine/contract/domain/chunks.ts';
import { expect, test } from 'vitest';
import { resultOf } from '../../../../test/support/result-of-steps.ts';
import { cutChunks as cutChunksInSteps } from './cut-points.ts';
import { SourceIndexReader } from './source-index.ts';

const cutChunks = (...all: Parameters<typeof cutChunksInSteps>) => resultOf(cutChunksInSteps(...all));

const OUTPUT: ChunkOutput = {
  family: 0,
  videos: [0],
  rest: [],
  extension: 'mp4',
  join: [],
  withDisposition: [],
  fromGraph: false,
  copiesAudio: false,
  hasManifest: false,
  maps: [],
  excluded: [],
};

const TEMPLATES: ChunkTemplates = {
  input: 'in/0.mp4',
  families: [{ argv: [], extension: 'mp4', videos: 1 }],
  outputs: [OUTPUT],
  joinHead: [],
  svtLevels: false,
  countsFromReadStreams: false,
  frameRateModes: ['cfr', 'vfr'],
  cutsAtKeyFrames: false,
};

interface Film {
  readonly times: readonly number[];
  readonly timeBase?: string;
  readonly rate?: string;
  /** A key frame each so many frames. */
  readonly keys?: number;
  readonly start?: string;
  readonly format?: string;
  readonly streams?: readonly string[];
}

const AUDIO = 'stream|index=1|codec_name=aac|codec_type=audio|r_frame_rate=0/0|avg_frame_rate=0/0|time_base=1/44100';

function readFilm({
  times,
  timeBase = '1/24000',
  rate = '24/1',
  keys = 24,
  start = '0.000000',
  format = 'mov,mp4',
  streams = [AUDIO],
}: Film) {
  const reader = new SourceIndexReader();
  for (const [at, time] of times.entries())
    reader.feed(
      `packet|codec_type=video|stream_index=0|pts=${time}|dts=${time}|duration=0|flags=${at % keys === 0 ? 'K_' : '__'}`,
    );
  reader.feed(
    `stream|index=0|codec_name=h264|codec_type=video|r_frame_rate=${rate}|avg_frame_rate=${rate}|time_base=${timeBase}|disposition:default=1|disposition:attached_pic=0`,
  );
  for (const line of streams) reader.feed(line);
  reader.feed(`format|format_name=${format}|start_time=${start}`);
  return resultOf(reader.end());
}

function cut(film: Film, seconds = 10, planned: Partial<ChunkTemplates> = {}) {
  const index = readFilm(film);
  if ('whole' in index) return index;
  return cutChunks({ ...TEMPLATES, ...planned }, index, { seconds });
}

const frames = (count: number, ticks = 1000): readonly number[] => Array.from({ length: count }, (_, at) => at * ticks);

/** The chunks, as start and number of frames. */
function chunksOf(film: Film, seconds?: number, planned?: Partial<ChunkTemplates>): readonly string[] {
  const run = cut(film, seconds, planned);
  if ('whole' in run) throw new Error(run.whole);
  return run.chunks.map((chunk) => `${chunk.startMicros / 1e6} ${chunk.frames}${chunk.beginsAtKeyFrame ? ' key' : ''}`);
}

test('chunks begin at key frames of the source', () => {
  expect(chunksOf({ times: frames(24 * 60), keys: 72 })).toEqual([
    ...['0 216 key', '9 216 key', '18 216 key', '27 216 key', '36 216 key', '45 360 key'],
  ]);
});

test('without key frames, chunks begin at the wanted length', () => {
  expect(chunksOf({ times: frames(24 * 32), keys: 10_000 })).toEqual(['0 240 key', '10 240', '20 288']);
});

test('the end may be cut into shorter chunks', () => {
  const index = readFilm({ times: frames(24 * 60), keys: 24 });
  if ('whole' in index) throw new Error(index.whole);
  const run = cutChunks(TEMPLATES, index, { seconds: 20, end: { span: 20, seconds: 5 } });
  if ('whole' in run) throw new Error(run.whole);
  expect(run.chunks.map(({ startMicros }) => startMicros / 1e6)).toEqual([0, 20, 40, 45, 50, 55]);
});

test('every frame belongs to one chunk', () => {
  const run = cut({ times: frames(24 * 7200, 1001), rate: '24000/1001', keys: 250 }, 30);
  if ('whole' in run) throw new Error(run.whole);
  expect(run.chunks.reduce((sum, chunk) => sum + (chunk.frames ?? Number.NaN), 0)).toBe(24 * 7200);
  for (const [at, { startMicros, lengthMicros, cutMicros }] of run.chunks.entries()) {
    expect(cutMicros).toBeLessThanOrEqual(startMicros);
    const next = run.chunks[at + 1];
    if (next !== undefined)
      expect(Math.abs(startMicros + (lengthMicros ?? 0) - next.startMicros)).toBeLessThanOrEqual(1);
  }
});

test('the times of chunks count from the start of the file', () => {
  const times = frames(24 * 30).map((time) => time + 33_600);
  expect(chunksOf({ times, start: '1.400000' })).toEqual(['0 240 key', '10 240 key', '20 240 key']);
});

test('a film shorter than two chunks runs whole', () => {
  expect(cut({ times: frames(24 * 12) })).toEqual({ whole: expect.stringMatching(/too short/) });
});

test('chunks follow the requested key frames', () => {
  expect(chunksOf({ times: frames(24 * 30), keys: 1000 }, 10, { keyFrameDistance: 50 })).toEqual([
    ...['0 250 key', '10.416667 250', '20.833333 220'],
  ]);
  const run = cut({ times: frames(24 * 24) }, 8, { forcedKeyFrames: { everySeconds: 3 } });
  if ('whole' in run) throw new Error(run.whole);
  expect(run.chunks.map(({ startMicros, keyFrameMicros }) => [startMicros, keyFrameMicros])).toEqual([
    [0, [0, 3e6, 6e6]],
    [9e6, [12e6, 15e6]],
    [18e6, [21e6]],
  ]);
});

test('a film is not cut where the times of frames depend on those before', () => {
  // Around the tenth second, each second frame comes 0.7 frames too late, as in a capture. From there on, all frames come a frame later.
  const times = frames(24 * 30).map((time, at) => (at > 230 && at < 260 ? time + (at % 2) * 700 : time));
  const run = cut({ times, keys: 10_000 });
  if ('whole' in run) throw new Error(run.whole);
  const starts = run.chunks.map(({ startMicros }) => startMicros / 1e6);
  expect(starts).toEqual([0, 9.333333]);
});

test('times in milliseconds are cut as the exact ones', () => {
  const times = Array.from({ length: 720 }, (_, at) => Math.round((at * 1001) / 24));
  expect(chunksOf({ times, timeBase: '1/1000', rate: '24000/1001', format: 'matroska,webm' })).toEqual([
    ...['0 240 key', '10.01 240 key', '20.02 240 key'],
  ]);
});

const WHOLE: readonly (readonly [string, RegExp, Film])[] = [
  ['an AVI', /"avi"/, { times: frames(1000), format: 'avi' }],
  ['two frames at one time', /same time/, { times: [...frames(1000), 5000] }],
  [
    'a broadcast that starts anew',
    /anew/,
    { times: [...frames(500), ...frames(500).map((time) => time + 900_001)], format: 'mpegts' },
  ],
  ['no start time', /no start time/, { times: frames(1000), start: 'N/A' }],
  [
    'subtitles without audio',
    /subtitles or data/,
    { times: frames(1000), streams: ['stream|index=1|codec_name=subrip|codec_type=subtitle'] },
  ],
];

for (const [what, reason, film] of WHOLE) {
  test(`runs whole: ${what}`, () => {
    expect(cut(film)).toEqual({ whole: expect.stringMatching(reason) });
  });
}

const withMaps = (...maps: readonly string[]): Partial<ChunkTemplates> => ({ outputs: [{ ...OUTPUT, maps }] });

test('maps that put another stream first run whole', () => {
  const times = frames(1000);
  expect(cut({ times }, 10, withMaps('0:a', '0:v'))).toEqual({ whole: expect.stringMatching(/not the first/) });
  expect(cut({ times }, 10, withMaps('0:a'))).toEqual({ whole: expect.stringMatching(/not select/) });
  expect(cut({ times }, 10, withMaps('0'))).toMatchObject({ outputs: [{ hasRest: true }] });
  expect(cut({ times }, 10, withMaps('0:v:0'))).toMatchObject({ outputs: [{ hasRest: false }] });
});

test('streams of an output keep their order', () => {
  const orderOf = (...maps: readonly string[]) => {
    const run = cut({ times: frames(1000) }, 10, withMaps(...maps));
    if ('whole' in run) throw new Error(run.whole);
    return run.outputs[0]?.order;
  };
  expect(orderOf('[a]', '[b]', '0:a')).toBeUndefined();
  expect(orderOf('[a]', '0:a', '[b]', '0:a')).toEqual(['video', 'rest', 'video', 'rest']);
  expect(orderOf('[a]', '0:s?', '[b]')).toBeUndefined();
});

test('segments are cut only where the whole conversion has a key frame', () => {
  const segmented = { cutsAtKeyFrames: true, frameRateModes: ['cfr'] as const };
  // The key frames of the source are elsewhere.
  const film = { times: frames(24 * 40), keys: 70 };
  expect(chunksOf(film, 10, { ...segmented, keyFrameDistance: 96 })).toEqual([
    ...['0 192 key', '8 192', '16 192', '24 192', '32 192'],
  ]);
  const forcedKeyFrames = { everySeconds: 4 };
  const run = cut(film, 10, { ...segmented, forcedKeyFrames });
  if ('whole' in run) throw new Error(run.whole);
  expect(run.chunks.map(({ startMicros }) => (startMicros / 1e6) % 4)).toEqual(run.chunks.map(() => 0));
  const uneven = { ...film, rate: '48/1', streams: [], keys: 1 };
  expect(cut(uneven, 10, { ...segmented, keyFrameDistance: 7919 })).toEqual({
    whole: expect.stringMatching(/no frame at which/),
  });
});

test('forced key frames at a constant rate are those of the whole', () => {
  // 23.976 frames per second: the first frame at or after 2.02 seconds is number 49, and number 48 is nearer.
  const film = { times: frames(240, 1001), rate: '24000/1001' };
  const run = cut(film, 4, { frameRateModes: ['cfr'], forcedKeyFrames: { everySeconds: 2.02 } });
  if ('whole' in run) throw new Error(run.whole);
  const numbers = run.chunks.flatMap(({ keyFrameMicros = [] }) =>
    keyFrameMicros.map((micros) => Math.round((micros / 1e6) * (24000 / 1001))),
  );
  expect(numbers).toEqual([0, 49, 97, 146, 194]);
});

test('a request for a key frame each millionth of a second runs whole, and one for each frame does not', () => {
  const vfr = { frameRateModes: ['vfr'] as const };
  const times = frames(24 * 30);
  expect(cut({ times }, 10, { ...vfr, forcedKeyFrames: { everySeconds: 0.000_001 } })).toEqual({
    whole: expect.stringMatching(/more than 8000 key frames in one chunk/),
  });
  const run = withoutReason(cut({ times }, 10, { ...vfr, forcedKeyFrames: { everySeconds: 1 / 24 } }));
  expect(run.chunks.reduce((sum, { keyFrameMicros = [] }) => sum + keyFrameMicros.length, 0)).toBe(24 * 30 - 2);
});

test('a recording that begins with few frames is cut, although more key frames are requested than it has frames there', () => {
  const idle = Array.from({ length: 24 }, (_, at) => at * 5 * 24_000);
  const times = [...idle, ...frames(24 * 60).map((time) => time + 120 * 24_000)];
  const planned = { frameRateModes: ['vfr'] as const, forcedKeyFrames: { everySeconds: 2 } };
  expect(cut({ times: idle }, 10, planned)).toHaveProperty('chunks');
  expect(cut({ times }, 10, planned)).toHaveProperty('chunks');
});

test('a film runs whole if the times of the requested key frames of a chunk are too long for an argument of ffmpeg', () => {
  const times = frames(24 * 900);
  for (const mode of ['cfr', 'vfr'] as const)
    for (const forcedKeyFrames of [{ everySeconds: 1 / 24 }, { seconds: times.map((time) => time / 24_000) }]) {
      const planned = { frameRateModes: [mode], forcedKeyFrames };
      expect(cut({ times }, 400, planned)).toEqual({ whole: expect.stringMatching(/in one chunk/) });
      expect(cut({ times }, 200, planned)).toHaveProperty('chunks');
    }
});

test('a film whose gap would be filled with millions of frames runs whole', () => {
  const [before, after] = [frames(24 * 20), frames(24 * 20).map((time) => time + 500_000 * 24_000)];
  const planned = { frameRateModes: ['cfr'] as const, forcedKeyFrames: { everySeconds: 4 } };
  expect(cut({ times: [...before, ...after] }, 5, planned)).toEqual({
    whole: expect.stringMatching(/more than 10000000 frames/),
  });
});

test('segments run whole if releases of ffmpeg have other key frames, or some languages are unknown', () => {
  const segmented = { cutsAtKeyFrames: true, frameRateModes: ['cfr'] as const };
  const film = { times: frames(3600, 1001), timeBase: '1/30000', rate: '30000/1001' };
  const listed = { forcedKeyFrames: { seconds: [20, 40, 100] } };
  expect(cut(film, 10, { ...segmented, ...listed })).toEqual({ whole: expect.stringMatching(/Releases of ffmpeg/) });
  expect(cut(film, 10, { frameRateModes: ['cfr'], ...listed })).toHaveProperty('chunks');
  const outputs = [{ ...OUTPUT, hasManifest: true }];
  const english = `${AUDIO.replace('index=1', 'index=2')}|tag:language=eng`;
  expect(cut({ ...film, streams: [AUDIO, english] }, 10, { outputs })).toEqual({
    whole: expect.stringMatching(/Only some audio streams/),
  });
  expect(cut({ ...film, streams: [english] }, 10, { outputs })).toMatchObject({ withoutLanguage: ['video'] });
});

test('an input with subtitles cannot become segments', () => {
  const streams = [AUDIO, 'stream|index=2|codec_name=subrip|codec_type=subtitle'];
  const rejecting = { outputs: [{ ...OUTPUT, hasManifest: true }] };
  expect(cut({ times: frames(1000), streams }, 10, rejecting)).toEqual({ whole: expect.stringMatching(/Send "sn"/) });
});

/** The lines of a film in the order of decoding: each second frame is a B-frame. */
function feedInOrder(reader: SourceIndexReader, count: number, from = 0): void {
  for (let at = from; at < count; at++) {
    const shown = at === 0 ? 0 : at % 2 === 1 ? at + 1 : at - 1;
    const flags = shown % 48 === 0 ? 'K_' : '__';
    reader.feed(
      `packet|codec_type=video|stream_index=0|pts=${shown * 1000}|dts=${(at - 1) * 1000}|duration=1000|size=500|pos=${1000 + at * 500}|flags=${flags}`,
    );
  }
}

const HEAD = [
  'stream|index=0|codec_name=h264|codec_type=video|r_frame_rate=24/1|avg_frame_rate=24/1|time_base=1/24000|disposition:attached_pic=0',
  'format|format_name=matroska,webm|start_time=0.000000|duration=600.000000|size=90000000',
];

/** Reads a film of ten minutes, and calls `onIndex` after so many frames. */
function readInParts(counts: readonly number[], onIndex: (reader: SourceIndexReader) => void): SourceIndexReader {
  const reader = new SourceIndexReader();
  for (const line of HEAD) reader.feed(line);
  let fed = 0;
  for (const count of counts) {
    feedInOrder(reader, count, fed);
    fed = count;
    onIndex(reader);
  }
  feedInOrder(reader, 14_401, fed);
  for (const line of HEAD) reader.feed(line);
  return reader;
}

const withoutReason = <T extends object>(result: T | { readonly whole: string }): T => {
  if ('whole' in result) throw new Error(String(result.whole));
  return result;
};

const SHORT_END = { seconds: 20, end: { span: 60, seconds: 5 } };

test('the beginning of a list is cut as the whole list is, however much of it there is', () => {
  const whole = cutChunks(TEMPLATES, withoutReason(resultOf(readInParts([], () => undefined).end())), SHORT_END);
  const expected = withoutReason(whole).chunks.map(({ bytes: _, ...chunk }) => chunk);
  let most = 0;
  readInParts([100, 700, 1501, 2200, 7000, 14_300], (reader) => {
    const { chunks } = withoutReason(
      cutChunks(TEMPLATES, withoutReason(resultOf(reader.soFar(undefined))), SHORT_END, { endSeconds: 600 }),
    );
    expect(chunks).toEqual(expected.slice(0, chunks.length));
    expect(chunks.length).toBeGreaterThanOrEqual(most);
    expect(chunks.length).toBeLessThan(expected.length);
    most = chunks.length;
  });
  expect(most).toBeGreaterThan(expected.length / 2);
});

test('a list goes on after the chunks that are cut, also with other lengths', () => {
  let begun: readonly number[] = [];
  const reader = readInParts([2200], (beginning) => {
    const { chunks } = withoutReason(
      cutChunks(TEMPLATES, withoutReason(resultOf(beginning.soFar(undefined))), { seconds: 20 }, { endSeconds: 600 }),
    );
    expect(chunks).toHaveLength(3);
    begun = [...chunks.map(({ startMicros }) => startMicros), 60e6];
  });
  const { chunks } = withoutReason(
    cutChunks(TEMPLATES, withoutReason(resultOf(reader.end())), { seconds: 100 }, { begun }),
  );
  expect(chunks.map(({ startMicros }) => startMicros / 1e6)).toEqual([0, 20, 40, 60, 160, 260, 360, 460]);
  expect(chunks.reduce((sum, chunk) => sum + (chunk.frames ?? Number.NaN), 0)).toBe(14_401);
  const shifted = begun.map((micros) => micros + 7000);
  expect(cutChunks(TEMPLATES, withoutReason(resultOf(reader.end())), { seconds: 100 }, { begun: shifted })).toEqual({
    whole: expect.stringMatching(/other frames/),
  });
});

test('a stated length that is wrong only makes other chunks', () => {
  for (const endSeconds of [70, 90, 10_000]) {
    let begun: readonly number[] = [];
    const reader = readInParts([2200, 14_000], (beginning) => {
      const run = withoutReason(
        cutChunks(
          TEMPLATES,
          withoutReason(resultOf(beginning.soFar(undefined))),
          { seconds: 20 },
          { begun, endSeconds },
        ),
      );
      begun = run.chunks.map(({ startMicros }) => startMicros);
    });
    const { chunks } = withoutReason(
      cutChunks(TEMPLATES, withoutReason(resultOf(reader.end())), { seconds: 20 }, { begun }),
    );
    expect(chunks.reduce((sum, chunk) => sum + (chunk.frames ?? Number.NaN), 0)).toBe(14_401);
    expect(chunks.at(-1)).not.toHaveProperty('lengthMicros');
  }
});

test('a film of hours is cut in short steps, so that other requests are answered meanwhile', () => {
  const reader = new SourceIndexReader();
  feedInOrder(reader, 140_001);
  for (const line of HEAD) reader.feed(line);
  // Each look at all frames has at least two steps.
  expect([...reader.end()].length).toBeGreaterThanOrEqual(2 * 5);
  const index = withoutReason(resultOf(reader.end()));
  const forcedKeyFrames = { everySeconds: 2 };
  const planned = { ...TEMPLATES, frameRateModes: ['cfr'] as const, forcedKeyFrames };
  const { chunks } = withoutReason(cutChunks(planned, index, { seconds: 20 }));
  expect([...cutChunksInSteps(planned, index, { seconds: 20 })].length).toBeGreaterThanOrEqual(2 * 5 + chunks.length);
});

test('the chunks of the beginning have their bytes, and the index at the end of the file', () => {
  readInParts([2200], (reader) => {
    const index = withoutReason(resultOf(reader.soFar(84_000_000)));
    const [, second] = withoutReason(cutChunks(TEMPLATES, index, { seconds: 20 }, { endSeconds: 600 })).chunks;
    expect(second?.bytes?.fileBytes).toBe(90_000_000);
    expect(second?.bytes?.ranges.at(-1)).toEqual([84_000_000, 90_000_000]);
    const [, unknown] = withoutReason(
      cutChunks(TEMPLATES, withoutReason(resultOf(reader.soFar(undefined))), { seconds: 20 }, { endSeconds: 600 }),
    ).chunks;
    expect(unknown).not.toHaveProperty('bytes');
  });
});
