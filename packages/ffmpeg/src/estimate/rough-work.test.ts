import type { Parameters } from '@telecine/contract/domain/conversion.ts';
import { expect, test } from 'vitest';
import { roughWork } from './rough-work.ts';

const GIGABYTE = 1e9;
const of = (parameters: Parameters, output = 'b.mp4', bytes = GIGABYTE, seconds?: number) =>
  roughWork({ output, parameters }, bytes, seconds);

test.each<[what: string, parameters: Parameters, output: string, work: string]>([
  ['an encoder', { 'c:v': 'libx265' }, 'b.mp4', 'x265'],
  ['an encoder for all streams', { vcodec: 'libsvtav1' }, 'b.mkv', 'av1'],
  ['a hardware encoder', { 'c:v': 'h264_nvenc' }, 'b.mp4', 'hardware'],
  ['the default encoder of WebM', {}, 'b.webm', 'vp9'],
  ['the default encoder of other formats', {}, 'b.mov', 'x264'],
])('knows the work of %s', (_what, parameters, output, work) => {
  expect(of(parameters, output)?.work).toBe(work);
});

test('the work grows with the file and the encoder, up to the length of the output', () => {
  const seconds = (...one: Parameters_) => of(...one)?.processorSeconds ?? 0;
  type Parameters_ = readonly [Parameters, string?, number?, number?];
  const usual = seconds({ 'c:v': 'libx264' });
  expect(usual).toBeGreaterThan(1000);
  expect(seconds({ 'c:v': 'libx264' }, 'b.mp4', GIGABYTE / 2)).toBeCloseTo(usual / 2, 5);
  expect(seconds({ 'c:v': 'libx264', preset: 'ultrafast' })).toBeLessThan(usual / 1.5);
  expect(seconds({ 'c:v': 'libx265' })).toBeGreaterThan(usual * 1.3);
  expect(seconds({ 'c:v': 'libx264' }, 'b.mp4', GIGABYTE, 10)).toBeLessThan(60);
});

test.each<[what: string, parameters: Parameters]>([
  ['a stream copy', { c: 'copy' }],
  ['audio', { vn: '' }],
  ['an encoder of unknown speed', { 'c:v': 'libtheora' }],
])('knows nothing of %s', (_what, parameters) => {
  expect(of(parameters)).toBeUndefined();
});
