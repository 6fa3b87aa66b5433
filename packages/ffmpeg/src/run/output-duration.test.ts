import { parseMediaPath } from '@telecine/contract/domain/media-path.ts';
import type { PlannedInput, Span } from '@telecine/contract/domain/plan.ts';
import { expect, test } from 'vitest';
import type { InputReport } from '../log/report.ts';
import { expectedSeconds } from '../rules/facts/expected-seconds.ts';
import { isDurationDoubtful, isStillImage, setsTimes, writtenSeconds } from './output-duration.ts';

const path = parseMediaPath('x', '/m');
if (typeof path !== 'string') throw new Error('a plain name is a path');
const input: PlannedInput = { logical: 'in/0', path, field: '/input' };
const movie = (durationSeconds: number): InputReport => ({ demuxer: 'mov,mp4', durationSeconds, streams: [] });
const still: InputReport = { demuxer: 'image2', durationSeconds: 0.04, streams: [] };

function seconds(reports: readonly InputReport[], span: Partial<Span>, planned = reports.map(() => input)) {
  const inputs = span.inputs ?? reports.map(() => ({}));
  return expectedSeconds({ inputs: planned, span: { output: {}, shortest: false, ...span, inputs } }, reports);
}

test('an input without trimming has the duration that ffmpeg reports', () => {
  expect(seconds([movie(30)], {})).toBe(30);
});

test.each([
  ['ss', { start: 10 }, 20],
  ['t', { duration: 5 }, 5],
  ['to', { end: 12 }, 12],
  ['ss and to', { start: 4, end: 12 }, 8],
  ['ss and t', { start: 28, duration: 10 }, 2],
  ['t wins over to', { duration: 3, end: 20 }, 3],
])('%s on the output has the same effect as on the input', (_name, cut, expected) => {
  expect(seconds([movie(30)], { output: cut })).toBe(expected);
  expect(seconds([movie(30)], { inputs: [cut] })).toBe(expected);
});

test('trims on the input and on the output are both applied', () => {
  expect(seconds([movie(30)], { inputs: [{ start: 10 }], output: { start: 5, duration: 60 } })).toBe(15);
});

test('the longest input counts, or with "shortest" the shortest', () => {
  expect(seconds([movie(30), movie(12)], {})).toBe(30);
  expect(seconds([movie(30), movie(12)], { shortest: true })).toBe(12);
});

test('a repeated input has its duration as often as it is read, and one that is repeated for ever ends nothing', () => {
  expect(seconds([movie(30)], { inputs: [{ loops: 2 }] })).toBe(90);
  expect(seconds([movie(30)], { inputs: [{ loops: 2, start: 10, duration: 50 }] })).toBe(50);
  expect(seconds([movie(30), movie(4)], { inputs: [{}, { loops: -1 }] })).toBe(30);
  expect(seconds([movie(30), movie(4)], { inputs: [{}, { loops: -1 }], shortest: true })).toBe(30);
  expect(seconds([movie(30)], { inputs: [{ loops: -1 }], output: { duration: 7 } })).toBe(7);
  expect(seconds([movie(30)], { inputs: [{ loops: -1 }] })).toBeUndefined();
});

test('a still image has only the duration of "t" or "loop"', () => {
  expect(seconds([still], {})).toBeUndefined();
  expect(seconds([still], { inputs: [{ duration: 5 }] })).toBe(5);
  expect(seconds([still, movie(12)], { shortest: true })).toBe(12);
});

test('an image sequence has a duration', () => {
  const pictures = { ...still, durationSeconds: 4 };
  expect(seconds([pictures], {}, [{ ...input, sequence: {} }])).toBe(4);
});

test('an unknown duration is bounded only by t', () => {
  const pipe: InputReport = { demuxer: 'aac', streams: [] };
  expect(seconds([pipe], { output: { duration: 7 } })).toBe(7);
  expect(seconds([pipe], {})).toBeUndefined();
});

test('before the inputs are open only t is known', () => {
  expect(seconds([], { inputs: [] }, [input])).toBeUndefined();
});

test('a seek past the end gives no expected duration', () => {
  expect(seconds([movie(30)], { output: { start: 100 } })).toBeUndefined();
});

test('a video without audio ends when its last frame has been shown', () => {
  expect(writtenSeconds({ outSeconds: 1.8, frame: 10 }, [{ type: 'video', fps: 5 }], 'mp4')).toBe(2);
  expect(writtenSeconds({ outSeconds: 0.916667, frame: 24 }, [{ type: 'video', fps: 24 }], 'mp4')).toBe(1);
});

test('audio that is longer than the video counts, and a wrong frame rate adds only a few frames', () => {
  expect(writtenSeconds({ outSeconds: 3, frame: 48 }, [{ type: 'video', fps: 24 }, { type: 'audio' }], 'mp4')).toBe(3);
  expect(writtenSeconds({ outSeconds: 3 }, [{ type: 'audio' }], 'mp4')).toBe(3);
  expect(writtenSeconds({ outSeconds: 3, frame: 600 }, [{ type: 'video', fps: 20 }], 'mp4')).toBe(3.2);
});

test('an empty output and subtitles alone have no duration', () => {
  expect(writtenSeconds({}, [{ type: 'audio' }], 'mp4')).toBeUndefined();
  expect(writtenSeconds({ outSeconds: 1.8 }, [{ type: 'subtitle' }], 'mp4')).toBeUndefined();
});

test('a still image and segments have no duration', () => {
  const video = [{ type: 'video', fps: 25 }] as const;
  expect(isStillImage('image2', 50)).toBe(true);
  expect(isStillImage('gif', 1)).toBe(true);
  expect(isStillImage('gif', 2)).toBe(false);
  expect(writtenSeconds({ outSeconds: 2, frame: 50 }, video, 'image2')).toBeUndefined();
  expect(writtenSeconds({ outSeconds: 2, frame: 50 }, video, 'segment')).toBeUndefined();
  expect(writtenSeconds({ outSeconds: 2, frame: 50 }, video, 'gif')).toBe(2);
});

test('a report that stops at the stream that ends first is doubtful', () => {
  const sound = { type: 'audio' } as const;
  const cover = { type: 'video', disposition: ['attached_pic'] } as const;
  expect(isDurationDoubtful(0.04, 3, [sound, cover], 'ipod')).toBe(true);
  expect(isDurationDoubtful(1.8, 3, [sound, { type: 'subtitle' }], 'mp4')).toBe(true);
  expect(isDurationDoubtful(3, undefined, [sound, { type: 'subtitle' }], 'mp4')).toBe(true);
  expect(isDurationDoubtful(2.99, 3, [sound, { type: 'subtitle' }], 'mp4')).toBe(false);
  expect(isDurationDoubtful(1, 3, [sound, { type: 'video' }], 'mp4')).toBe(true);
  expect(isDurationDoubtful(1, undefined, [sound, { type: 'video' }], 'mp4')).toBe(false);
  expect(isDurationDoubtful(1, 3, [sound], 'mp4')).toBe(false);
  expect(isDurationDoubtful(1, 3, [sound, { type: 'subtitle' }], 'hls')).toBe(false);
});

test('a bitstream filter that sets times makes the reported duration doubtful', () => {
  expect(setsTimes(['-c:v', 'copy', '-bsf:v', 'setts=ts=TS*1000', 'out/a.mkv'])).toBe(true);
  expect(setsTimes(['-c:v', 'copy', '-bsf:v', 'h264_mp4toannexb', '-metadata', 'title=setts'])).toBe(false);
});
