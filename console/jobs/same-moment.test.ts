import type { Job } from '@telecine/client';
import { expect, test } from 'vitest';
import { sameMoment } from './same-moment.ts';

const film = (durationSeconds: number) =>
  ({ format: { durationSeconds }, streams: [{ index: 0, type: 'video' as const }] }) as never;

const moment = (job: Partial<Job>, path = 'b.mp4', length = 6, whole = 30, shownAt?: number) =>
  sameMoment(job as Job, { path, sizeBytes: 1, durationSeconds: length }, film(whole), shownAt);

test('the source and the result are shown by the same frame: one that is not black', () => {
  expect(moment({ inputs: [{ input: 'a.mp4', parameters: { ss: '10' } }] }, 'b.mp4', 6, 30, 1.2)).toEqual({
    source: 11.2,
    result: 1.2,
  });
});

test('the source and the result are shown by the same frame: by default, that of the middle of the result', () => {
  expect(moment({}, 'b.mp4', 30)).toEqual({ source: 15, result: 15 });
  expect(moment({ parameters: { t: '6' } })).toEqual({ source: 3, result: 3 });
  expect(moment({ inputs: [{ input: 'a.mp4', parameters: { ss: '10' } }] })).toEqual({ source: 13, result: 3 });
  expect(moment({ parameters: { sseof: '-6' } })).toEqual({ source: 27, result: 3 });
  expect(moment({ requestedOutputs: [{ output: 'b.mp4', parameters: { ss: '5' } }] })).toEqual({
    source: 8,
    result: 3,
  });
  expect(moment({ inputs: [{ input: 'a.mp4', parameters: { stream_loop: '2' } }] }, 'b.mp4', 90)).toEqual({
    source: 15,
    result: 45,
  });
  expect(moment({ requestedOutputs: [{ output: 'b.jpg', parameters: { ss: '5' } }] }, 'b.jpg', 0)).toEqual({
    source: 5,
    result: 0,
  });
  expect(moment({ parameters: { hls_time: '4' } }, 'b.m3u8', 8)).toEqual({ source: 4, result: 4 });
});

test.each([
  ['frames in another order', { parameters: { vf: 'reverse' } }, 'b.mp4', 6],
  ['another speed', { parameters: { vf: 'setpts=PTS/2' } }, 'b.mp4', 6],
  ['joined inputs', { join: 'encode' as const }, 'b.mp4', 6],
  ['a picture that ffmpeg chose', { parameters: { vf: 'thumbnail', 'frames:v': '1' } }, 'b.jpg', 0],
  ['more than its source', {}, 'b.mp4', 90],
  ['sound alone', {}, 'b.m4a', 6],
])('of %s, no frame is known to be the same', (_what, job, path, length) => {
  expect(moment(job, path, length)).toBeUndefined();
});
