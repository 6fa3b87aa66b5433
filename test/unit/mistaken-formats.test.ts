import { expect, test } from 'vitest';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import { corrected, film, mistakesIn } from '../support/mistakes.ts';

/** Formats that mean something else than the output says, and what the fix makes of them. */

test.each<ConversionRequest>([
  { input: 'a.pcm', output: 'b.wav', parameters: { f: 's16le' } },
  { input: 'a.wav', output: 'b.wav', parameters: { f: 's16le' } },
  { input: 'a.yuv', output: 'b.mp4', parameters: { f: 'rawvideo' } },
])('a raw format for an output with another name: %j', (request) => {
  const [mistake, ...others] = mistakesIn(request);
  expect(others).toEqual([]);
  expect(mistake).toMatchObject({ field: '/parameters/f', code: 'UNUSUAL_VALUE' });
  expect(corrected(request)).toEqual({ ...request, parameters: {} });
});

test.each<ConversionRequest>([
  film({ f: 's16le' }, 'b.pcm'),
  film({ f: 's16le' }, 'b.raw'),
  film({ f: 'rawvideo' }, 'b.yuv'),
  film({ f: 'matroska' }, 'b.mka'),
])('a format of the output that is meant: %j', (request) => {
  expect(mistakesIn(request)).toEqual([]);
});

test.each<ConversionRequest>([
  { ...film({}, 'b.mp4'), format: 'h264' },
  { ...film({}, 'b.mkv'), format: 'h264' },
  { input: 'a.wav', output: 'b.mp3', format: 'mp4' },
  { input: 'a.wav', output: 'songs/b.ogg', format: 'wav' },
  { ...film({ crf: '20' }, 'b.mp4'), format: 'webm' },
  { ...film({}, 'b.mkv'), format: 'mp4' },
  film({ f: 'mpegts' }, 'b.mp4'),
  film({ f: 'mp3' }, 'b.mp4'),
])('a format of another kind of file than the output says: %j', (request) => {
  const [mistake, ...others] = mistakesIn(request);
  expect(others).toEqual([]);
  const { format: _format, ...rest } = request;
  const { f: _f, ...parameters } = request.parameters ?? {};
  expect(mistake).toMatchObject({
    field: request.format === undefined ? '/parameters/f' : '/format',
    code: 'UNUSUAL_VALUE',
    fix: 'Leave it out, or send another name of the output.',
  });
  expect(mistakesIn({ ...rest, ...(request.parameters && { parameters }) })).toEqual([]);
});

test.each<ConversionRequest>([
  { ...film({}, 'b.mov'), format: 'mp4' },
  { ...film({}, 'b.mp4'), format: 'mov' },
  { ...film({ vn: '' }, 'b.m4a'), format: 'mp4' },
  { ...film({}, 'b.mkv'), format: 'webm' },
  { ...film({ vn: '' }, 'b.ogg'), format: 'opus' },
  { ...film({}, 'part_%03d.mp4'), format: 'segment' },
  { ...film({}, 'b.bin'), format: 'mp4' },
  { ...film({}, 'b'), format: 'mp4' },
  { ...film({ vn: '' }, 'b.WAV'), format: 'wav' },
])('a format that fits the name of the output, or says what the name does not: %j', (request) => {
  expect(mistakesIn(request)).toEqual([]);
});

test.each<ConversionRequest>([
  { input: 'a.pcm', output: 'b.mp3', parameters: { f: 's16le', ar: '44100', ac: '1', 'b:a': '128k' } },
  film({ f: 'h264', 'c:v': 'libx264', 'c:a': 'aac', 'b:a': '128k' }),
  { input: 'a.wav', output: 'b.mp3', format: 'wav', parameters: { 'b:a': '192k' } },
])('a format that is not meant has no warnings about options that it ignores: %j', (request) => {
  expect(mistakesIn(request).map(({ code }) => code)).toEqual(['UNUSUAL_VALUE']);
});

test.each<ConversionRequest>([film({}, 'b.h264'), { ...film({}, 'b.bin'), format: 'h264' }, film({}, 'b.m4v')])(
  'a bare stream that the name of the output says: %j',
  (request) => {
    expect(mistakesIn(request)).toEqual([]);
  },
);

test.each(['yuv420p', 'fltp', 'libmp3lame'])('%s is not a container', (format) => {
  const [mistake, ...others] = mistakesIn({ ...film({}), format });
  expect(others).toEqual([]);
  expect(mistake).toMatchObject({
    field: '/format',
    code: 'UNKNOWN_FORMAT',
    allowed: expect.arrayContaining(['mp4', 'mp3', 'hls']),
  });
});
