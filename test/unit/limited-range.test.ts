import { expect, test } from 'vitest';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import { requestWith, validPlan } from '../support/planning.ts';
import { recordedCatalogue } from '../support/recorded-catalogue.ts';

const NEWER = recordedCatalogue('7.1');
const X264 = { 'c:v': 'libx264' } as const;

const rangeOptions = (request: ConversionRequest, catalogue = NEWER) =>
  validPlan(request, { catalogue }).passes.map((argv) =>
    argv.flatMap((word, index) => (word.startsWith('-color_range') ? [`${word} ${argv[index + 1]}`] : [])),
  );

test.each([
  ['a pixel format', requestWith({ ...X264, pix_fmt: 'yuv420p' }), '-color_range tv'],
  ['a pixel format of one stream', requestWith({ ...X264, 'pix_fmt:v:0': 'yuv420p10le' }), '-color_range:v:0 tv'],
  ['VP9 with transparency', requestWith({ 'c:v': 'libvpx-vp9', pix_fmt: 'yuva420p' }, 'b.webm'), '-color_range tv'],
  ['raw pictures', requestWith({ pix_fmt: 'yuv420p' }, 'b.y4m'), '-color_range tv'],
  ['a filter', requestWith({ ...X264, vf: 'scale=320:-2,format=yuv420p' }), '-color_range:v tv'],
])('a film gets the limited range with ffmpeg 7, as before: %s', (_what, request, added) => {
  expect(rangeOptions(request)).toEqual([[added]]);
  expect(rangeOptions(request, recordedCatalogue('5.1'))).toEqual([[]]);
});

test('both passes get it', () => {
  const request = requestWith({ ...X264, 'b:v': '1M', pass: '2', pix_fmt: 'yuv420p' });
  expect(rangeOptions(request)).toEqual([[expect.stringMatching(/ tv$/)], [expect.stringMatching(/ tv$/)]]);
});

test.each([
  ['a range', requestWith({ ...X264, pix_fmt: 'yuv420p', color_range: 'pc' }), ['-color_range pc']],
  ['a pixel format of the full range', requestWith({ ...X264, pix_fmt: 'yuvj420p' }), []],
  ['RGB', requestWith({ 'c:v': 'ffv1', pix_fmt: 'bgr0' }, 'b.mkv'), []],
  ['a filter that sets the range', requestWith({ ...X264, pix_fmt: 'yuv420p', vf: 'scale=out_range=full' }), []],
  ['a range of the encoder', requestWith({ ...X264, pix_fmt: 'yuv420p', 'x264-params': 'fullrange=on' }), []],
  ['a JPEG', requestWith({ pix_fmt: 'yuv420p', 'frames:v': '1' }, 'b.jpg'), []],
  ['a copy', requestWith({ 'c:v': 'copy' }), []],
  ['no pixel format', requestWith(X264), []],
])('the range stays that of the request: %s', (_what, request, options) => {
  expect(rangeOptions(request)).toEqual([options]);
});
