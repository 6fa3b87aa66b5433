import { expect, test } from 'vitest';
import { wholePlan } from '../../../test/support/planning.ts';
import type { Caller } from '../../domain/client.ts';
import type { ConversionRequest } from '../../domain/conversion.ts';
import type { MediaInfo, MediaStream } from '../../domain/media-info.ts';
import { Problem, type ProblemCode } from '../../domain/problem.ts';
import { estimator } from './estimates.ts';

const caller = { clientId: 'a' } as Caller;
const noJobs = { list: async () => [] };

const unreadableOf = async (request: ConversionRequest, probe: () => Promise<MediaInfo>) =>
  (await estimator({ probe }, noJobs)(caller, wholePlan(request), [{ kind: 'file', fileId: '1:1' }])).unreadable;

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
  'many.mkv': found(['matroska', 'webm'], [VIDEO], { leftOut: { streams: 3, chapters: 0, tags: 0 } }),
  'b.ffmeta': found(['ffmetadata'], [], { chapters: [{ startSeconds: 0, endSeconds: 1, tags: {} }] }),
};

/** What is foreseen about inputs that are all there. */
async function foreseenOf(sent: ConversionRequest): Promise<readonly string[]> {
  const probe = async (_caller: Caller, { input }: { input: string }) => MEDIA[input] ?? empty();
  const stats = (sent.inputs ?? [sent.input]).map((_one, at) => ({ kind: 'file' as const, fileId: `1:${at}` }));
  const { foreseen } = await estimator({ probe }, noJobs)(caller, wholePlan(sent), stats);
  return foreseen.map(({ field = '', code }) => `${field} ${code}`);
}

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

test('foresees an unused input of several outputs once, and only if none of them uses it', async () => {
  const outputs = (...maps: readonly string[]) =>
    maps.map((map, index) => ({ output: `${index}.m4a`, parameters: { map, 'c:a': 'aac' } }));
  const inputs = ['a.mp4', 'b.mp4'];
  expect(await foreseenOf({ inputs, outputs: outputs('0:a', '1:a') })).toEqual([]);
  expect(await foreseenOf({ inputs, outputs: outputs('0:a', '0:a:0') })).toEqual(['/inputs/1 UNUSED_INPUT']);
});
