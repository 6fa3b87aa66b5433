import type { Caller } from '@telecine/contract/domain/client.ts';
import type { ConversionRequest } from '@telecine/contract/domain/conversion.ts';
import type { MediaInfo, MediaStream } from '@telecine/contract/domain/media-info.ts';
import { Problem, type ProblemCode } from '@telecine/contract/domain/problem.ts';
import { expect, test } from 'vitest';
import { wholePlan } from '../../../../../test/support/planning.ts';
import { estimator } from './estimates.ts';

const caller = { clientId: 'a' } as Caller;
const idle = async () => ({ candidates: [{ cores: 2 }], workers: [], jobsBefore: undefined });
const nothingMeasured = { find: async () => [] };

const unreadableOf = async (request: ConversionRequest, probe: () => Promise<MediaInfo>) =>
  (
    await estimator({ probe }, idle, nothingMeasured)(caller, wholePlan(request), [
      { kind: 'file', fileId: '1:1', fingerprint: '1' },
    ])
  ).unreadable;

const failing = (code: ProblemCode) => async () => {
  const cause = { field: '/input', code, message: 'It is an HTML page.', fix: 'Send a media file.' };
  throw new Problem(code, cause.message, { errors: [cause] });
};
const empty = async (): Promise<MediaInfo> => ({
  format: { names: ['wav'], isEmpty: true, tags: {} },
  streams: [],
  chapters: [],
});
const request = { input: 'a.mp4', output: 'b.mp4' };

test('says which input cannot be read, and why', async () => {
  expect(await unreadableOf(request, failing('INPUT_INVALID'))).toMatchObject([
    { index: 0, cause: { message: 'It is an HTML page.' } },
  ]);
  expect(await unreadableOf(request, empty)).toMatchObject([
    { index: 0, cause: { message: expect.stringContaining('ends after its header') } },
  ]);
});

test('does not blame a file for a service that is busy', async () => {
  expect(await unreadableOf(request, failing('RATE_LIMITED'))).toEqual([]);
});

test('does not blame a file that the request reads in a format of its own, as a probe does not', async () => {
  const raw = { inputs: [{ input: 'a.mp4', parameters: { f: 's16le', ar: '44100' } }], output: 'b.wav' };
  expect(await unreadableOf(raw, failing('INPUT_INVALID'))).toEqual([]);
});

const NO_TAGS = { disposition: [], tags: {} };
const VIDEO: MediaStream = {
  ...NO_TAGS,
  index: 0,
  type: 'video',
  codec: 'h264',
  width: 160,
  height: 90,
  frameRate: 25,
  pixelFormat: 'yuv420p',
};
const SOUND: MediaStream = { ...NO_TAGS, index: 1, type: 'audio', codec: 'aac', sampleRate: 48_000, channels: 2 };
const SUBTITLES: MediaStream = { ...NO_TAGS, index: 0, type: 'subtitle', codec: 'subrip' };
const found = (
  names: readonly string[],
  streams: readonly MediaStream[],
  more: Partial<MediaInfo> = {},
): MediaInfo => ({
  format: { names, durationSeconds: 3, tags: {} },
  streams: streams.map((one, index) => ({ ...one, index })),
  chapters: [],
  ...more,
});
const MEDIA: Readonly<Record<string, MediaInfo>> = {
  'a.mp4': found(['mov', 'mp4'], [VIDEO, SOUND]),
  'b.mp4': found(['mov', 'mp4'], [VIDEO, SOUND]),
  'a.wav': found(['wav'], [{ ...SOUND, codec: 'pcm_s16le' }]),
  'b.wav': found(['wav'], [{ ...SOUND, codec: 'pcm_s16le' }]),
  'b.mks': found(['matroska', 'webm'], [SUBTITLES]),
  'b.mkv': found(['matroska', 'webm'], [SUBTITLES, VIDEO, SOUND]),
  'upright.mp4': found(['mov', 'mp4'], [{ ...VIDEO, rotationDegrees: -90 }]),
  'wide.mp4': found(['mov', 'mp4'], [{ ...VIDEO, sampleAspectRatio: '2:1' }]),
  'full.mp4': found(['mov', 'mp4'], [{ ...VIDEO, pixelFormat: 'yuv444p' }, SOUND]),
  'many.mkv': found(['matroska', 'webm'], [VIDEO], { leftOut: { streams: 3, chapters: 0, tags: 0 } }),
  'b.ffmeta': found(['ffmetadata'], [], { chapters: [{ startSeconds: 0, endSeconds: 1, tags: {} }] }),
};

/** Returns the fields and codes of the estimated warnings. All inputs exist. */
async function foreseenOf(sent: ConversionRequest): Promise<readonly string[]> {
  const probe = async (_caller: Caller, { input }: { input: string }) => MEDIA[input] ?? empty();
  const stats = (sent.inputs ?? [sent.input]).map((_one, at) => ({
    kind: 'file' as const,
    fileId: `1:${at}`,
    fingerprint: '1',
  }));
  const { foreseen } = await estimator({ probe }, idle, nothingMeasured)(caller, wholePlan(sent), stats);
  return foreseen.map(({ field = '', code }) => `${field} ${code}`);
}

test.each(['TIMEOUT', 'RATE_LIMITED'] as const)('says which input was not read in time (%s)', async (code) => {
  const stats = [{ kind: 'file', fileId: '1:1', fingerprint: '1' }] as const;
  const { foreseen } = await estimator({ probe: failing(code) }, idle, nothingMeasured)(
    caller,
    wholePlan(request),
    stats,
  );
  expect(foreseen).toMatchObject([
    { field: '/input', code: 'INPUT_NOT_READ', message: expect.stringMatching(/^Reading "a\.mp4" took too long/) },
  ]);
  expect(foreseen[0]).not.toHaveProperty('retryAfterSeconds');
});

test('says when an input may be read that the service goes on reading', async () => {
  const stats = [{ kind: 'file', fileId: '1:1', fingerprint: '1' }] as const;
  const probe = async () => {
    throw new Problem('TIMEOUT', 'Not read yet.', { retryAfterSeconds: 5 });
  };
  const { foreseen } = await estimator({ probe }, idle, nothingMeasured)(caller, wholePlan(request), stats);
  expect(foreseen).toMatchObject([{ code: 'INPUT_NOT_READ', retryAfterSeconds: 5 }]);
});

test('foresees an input of which nothing is used', async () => {
  expect(await foreseenOf({ inputs: ['a.wav', 'b.wav'], output: 'c.wav' })).toEqual(['/inputs/1 UNUSED_INPUT']);
});

test.each<[what: string, request: ConversionRequest]>([
  ['a map of subtitles', { inputs: ['a.mp4', 'b.mkv'], output: 'c.mkv', parameters: { map: ['0:v', '0:a', '1:s'] } }],
  ['subtitles that ffmpeg takes by itself', { inputs: ['a.mp4', 'b.mks'], output: 'c.mkv' }],
  [
    'more streams than a probe lists',
    { inputs: ['a.mp4', 'many.mkv'], output: 'c.mkv', parameters: { map: ['0', '1:s?'] } },
  ],
  ['chapters', { inputs: ['a.mp4', 'b.ffmeta'], output: 'c.mp4' }],
])('does not foresee that an input is unused because of %s', async (_what, sent) => {
  expect(await foreseenOf(sent)).toEqual([]);
});

/** Requests with full chroma (yuv444p), and their estimated warnings. */
const KEPT_PIXELS: readonly [what: string, request: ConversionRequest, found: readonly string[]][] = [
  ...(
    [
      ['full chroma that is copied', 'full.mp4', { c: 'copy' }],
      ['full chroma that the request asks for', 'full.mp4', { pix_fmt: 'yuv444p' }],
      ['full chroma before a filter that may not keep it', 'full.mp4', { vf: 'hqdn3d' }],
      ['full chroma for a codec that does not keep it', 'full.mp4', { 'c:v': 'mpeg4' }],
    ] as const
  ).map(([what, input, parameters]): (typeof KEPT_PIXELS)[number] => [
    what,
    { input, output: 'c.mp4', parameters },
    [],
  ]),
  [
    'full chroma that is copied in a part',
    { input: 'full.mp4', output: 'c.mp4', cut: { keep: [{ start: '1', end: '2' }] }, parameters: { c: 'copy' } },
    ['/cut KEY_FRAME_CUTS'],
  ],
];

test.each<[what: string, request: ConversionRequest, found: readonly string[]]>([
  [
    'a fade after the end',
    { input: 'a.mp4', output: 'c.mp4', parameters: { af: 'afade=t=out:st=60:d=2' } },
    ['/parameters/af NO_EFFECT'],
  ],
  [
    'a rectangle that is partly outside of the picture',
    { input: 'a.mp4', output: 'c.mp4', parameters: { vf: 'crop=100:80:100:0' } },
    ['/parameters/vf OTHER_VALUE'],
  ],
  [
    'a rectangle that is larger than the picture',
    { input: 'a.mp4', output: 'c.mp4', parameters: { vf: 'crop=640:480' } },
    ['/parameters/vf FFMPEG_FAILED'],
  ],
  [
    'pixels whose shape the input does not tell',
    { input: 'a.mp4', output: 'c.mp4', parameters: { vf: 'scale=640:640' } },
    [],
  ],
  [
    'an encoder of pictures for a song',
    { input: 'a.wav', output: 'c.mp4', parameters: { 'c:v': 'libx264' } },
    ['/parameters/c:v NO_EFFECT'],
  ],
  [
    'a copy of subtitles',
    { input: 'b.mkv', output: 'c.mp4', parameters: { c: 'copy', map: '0' } },
    ['/parameters/c UNSUPPORTED'],
  ],
  [
    'parts of a copied film',
    { input: 'a.mp4', output: 'p%d.mp4', format: 'segment', parameters: { c: 'copy', segment_time: '2' } },
    ['/parameters/c KEY_FRAME_CUTS'],
  ],
  [
    'parts of a copied film at given times',
    { input: 'a.mp4', output: 'p%d.mp4', format: 'segment', parameters: { c: 'copy', segment_times: '2,120' } },
    ['/parameters/c KEY_FRAME_CUTS'],
  ],
  [
    'long parts of a copied film',
    { input: 'a.mp4', output: 'p%d.mp4', format: 'segment', parameters: { c: 'copy', segment_time: '600' } },
    [],
  ],
  [
    'parts of a copied song',
    { input: 'a.wav', output: 'p%d.wav', format: 'segment', parameters: { c: 'copy', segment_time: '2' } },
    [],
  ],
  [
    'a cut of a copied film',
    { input: 'a.mp4', output: 'c.mp4', cut: { remove: [{ start: 1, end: 2 }] }, parameters: { c: 'copy' } },
    ['/cut KEY_FRAME_CUTS'],
  ],
  [
    'a cut of a copied film from its start',
    { input: 'a.mp4', output: 'c.mp4', cut: { keep: [{ start: 0, end: 2 }] }, parameters: { c: 'copy' } },
    [],
  ],
  ['a rectangle of an upright film', { input: 'upright.mp4', output: 'c.mp4', parameters: { vf: 'crop=90:160' } }, []],
  ...KEPT_PIXELS,
  ['square pixels', { input: 'wide.mp4', output: 'c.mp4', parameters: { vf: 'scale=iw*sar:ih' } }, []],
])('foresees what filters and codecs do with the inputs: %s', async (_what, sent, expected) => {
  expect(await foreseenOf(sent)).toEqual(expected);
});

test('foresees which encoders are certainly used', async () => {
  const probe = async () => MEDIA['a.wav'] ?? empty();
  const request = { input: 'a.wav', output: 'c.mov', parameters: { 'c:v': 'libx264', 'c:a': 'libopus' } };
  const { encoded } = await estimator({ probe }, idle, nothingMeasured)(caller, wholePlan(request), [
    { kind: 'file', fileId: '1:1', fingerprint: '1' },
  ]);
  expect([...encoded]).toEqual(['audio']);
});

test('foresees an unused input of several outputs once, and only if none of them uses it', async () => {
  const outputs = (...maps: readonly string[]) =>
    maps.map((map, index) => ({ output: `${index}.m4a`, parameters: { map, 'c:a': 'aac' } }));
  const inputs = ['a.mp4', 'b.mp4'];
  expect(await foreseenOf({ inputs, outputs: outputs('0:a', '1:a') })).toEqual([]);
  expect(await foreseenOf({ inputs, outputs: outputs('0:a', '0:a:0') })).toEqual(['/inputs/1 UNUSED_INPUT']);
});

test('says how many queued jobs start before', async () => {
  const probe = async () => MEDIA['a.mp4'] ?? empty();
  const stats = [{ kind: 'file' as const, fileId: '1:1', fingerprint: '1' }];
  const busy = async () => ({ candidates: [{ cores: 2 }], workers: [], jobsBefore: 4 });
  const { estimate } = await estimator({ probe }, busy, nothingMeasured)(caller, wholePlan(request), stats);
  expect(estimate.time).toMatchObject({ seconds: { likely: expect.any(Number) }, jobsBefore: 4 });
});
