import type { ConversionRequest, Parameters } from '@telecine/contract/domain/conversion.ts';
import { expect, test } from 'vitest';
import { wholePlan } from '../../../../test/support/planning.ts';
import { type LoggedInput, workOfRun } from './run-work.ts';

/** A video of 100 seconds, as ffmpeg logs it. */
const INPUT: LoggedInput = {
  demuxer: 'mov,mp4,m4a,3gp,3g2,mj2',
  durationSeconds: 100,
  streams: [
    { index: 0, type: 'video', codec: 'h264', width: 1280, height: 720, fps: 25 },
    { index: 1, type: 'audio', codec: 'aac', sampleRate: 48_000, channels: 'stereo' },
  ],
  sizeBytes: 300_000_000,
};

const workOf = (parameters: Parameters, output = 'b.mp4', inputs: readonly LoggedInput[] = [INPUT]) => {
  const request: ConversionRequest = { input: 'a.mp4', output, parameters };
  return workOfRun(wholePlan(request), inputs);
};

test.each<[what: string, parameters: Parameters, output: string, kind: string]>([
  ['an encoder and small frames', { 'c:v': 'libx264' }, 'b.mp4', 'x264-small'],
  ['large frames', { 'c:v': 'libx264', vf: 'scale=1920:1080' }, 'b.mp4', 'x264-large'],
  ['the default encoder of the format', {}, 'b.webm', 'vp9-small'],
  ['a slow encoder', { 'c:v': 'libsvtav1', preset: '8' }, 'b.mkv', 'av1-small'],
  ['any other encoder', { 'c:v': 'mpeg4' }, 'b.mp4', 'other-video-small'],
  ['audio alone', { vn: '' }, 'b.mp3', 'audio'],
  ['audio beside a copied video', { 'c:v': 'copy', 'c:a': 'aac' }, 'b.mp4', 'audio'],
  ['a stream copy', { c: 'copy' }, 'b.mp4', 'copy'],
  ['an animated image', { vf: 'fps=8,scale=240:-2' }, 'b.gif', 'image'],
])('the kind of work is that of %s', (_what, parameters, output, kind) => {
  expect(workOf(parameters, output)?.kind).toBe(kind);
});

test('the work grows with the length, and a copy with the size of the file', () => {
  const work = (parameters: Parameters) => workOf(parameters)?.processorSeconds ?? 0;
  expect(work({ 'c:v': 'libx264' }) / work({ 'c:v': 'libx264', t: '50' })).toBeCloseTo(2, 1);
  expect(workOf({ c: 'copy' })?.copySeconds).toBeCloseTo(2, 0);
});

test('a video with much grain is more work than slides with as many frames', () => {
  const work = (sizeBytes: number) =>
    workOf({ 'c:v': 'libx264' }, 'b.mp4', [{ ...INPUT, sizeBytes }])?.processorSeconds ?? Number.NaN;
  const [slides, film, grain] = [work(6_000_000), work(60_000_000), work(600_000_000)];
  expect(film / slides).toBeGreaterThan(1.5);
  expect(grain / film).toBeGreaterThan(1.5);
  // Not as much as its bits.
  expect(grain / slides).toBeLessThan(10);
});

test('a run whose work is unknown shows no speed', () => {
  expect(workOf({ 'c:v': 'libtheora' }, 'b.ogv')).toBeUndefined();
  expect(workOf({ 'c:v': 'libx264' }, 'b.mp4', [])).toBeUndefined();
  expect(workOf({ vf: 'select=eq(pict_type\\,I)' })).toBeUndefined();
});

test('a run with fewer threads than usual or with a slow filter shows no speed', () => {
  const h264 = { 'c:v': 'libx264' };
  expect(workOf({ ...h264, threads: '1' })).toBeUndefined();
  expect(workOf({ ...h264, 'threads:v': '2' })).toBeUndefined();
  expect(workOf({ ...h264, 'x264-params': 'keyint=50:threads=1' })).toBeUndefined();
  expect(workOf({ ...h264, vf: 'scale=640:-2,nlmeans' })).toBeUndefined();
  expect(workOf({ ...h264, threads: '0', 'x264-params': 'keyint=50', vf: 'scale=640:-2,fps=25' })).toBeDefined();
});

test('a thread limit of the client is the same for all its jobs, so its runs count', () => {
  const request: ConversionRequest = {
    input: 'a.mp4',
    output: 'b.mp4',
    parameters: { 'c:v': 'libx264', threads: '4' },
  };
  expect(workOfRun(wholePlan(request), [INPUT], 4)).toBeDefined();
  expect(workOfRun(wholePlan(request), [INPUT], 8)).toBeUndefined();
});

test('a job that compares its file with a size may encode it again, so its runs do not count', () => {
  const request: ConversionRequest = { input: 'a.mp4', output: 'b.mp4', parameters: { 'c:v': 'libx264', 'b:v': '1M' } };
  expect(workOfRun(wholePlan(request), [INPUT])).toBeDefined();
  expect(workOfRun({ ...wholePlan(request), maxBytes: 1_000_000 }, [INPUT])).toBeUndefined();
});
