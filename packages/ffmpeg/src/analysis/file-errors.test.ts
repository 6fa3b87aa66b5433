import { STEP, sortInSteps } from '@telecine/contract/domain/sort-in-steps.ts';
import { expect, test } from 'vitest';
import { resultOf } from '../../../../test/support/result-of-steps.ts';
import { parseLogLine } from '../log/log-line.ts';
import { fileErrors } from './file-errors.ts';
import { FrameList } from './frame-list.ts';

const WHOLE = { from: 0, to: Number.POSITIVE_INFINITY };

const packet = (time: number, more = '') =>
  `packet|stream_index=0|pts_time=${time}|dts_time=${time}|duration_time=0.04|pos=10|flags=K_${more}`;
const frame = (time: number, more = '') =>
  `frame|stream_index=0|pts_time=${time}|best_effort_timestamp_time=${time}${more}`;
const DAMAGED = '|log|level=16';
const END = [
  'stream|index=0|codec_type=video|disposition:attached_pic=0',
  'format|format_name=matroska|start_time=0|duration=2',
];

/** Returns the damaged parts of a file of 50 frames. `change` returns the lines that ffprobe prints for the frame at a time. */
function found(change: (time: number) => readonly string[], errors = 1, end = END) {
  const list = new FrameList();
  const times = Array.from({ length: 50 }, (_, at) => Number((at / 25).toFixed(6)));
  for (const line of [...times.flatMap(change), ...end]) list.feed(line);
  for (let count = 0; count < errors; count++)
    list.countError(parseLogLine('[h264 @ 0x1] [error] Invalid NAL unit size'));
  return resultOf(fileErrors(list, WHOLE));
}

const whole = (time: number) => [packet(time), frame(time)];

test('a file without errors is intact', () => {
  expect(found(whole, 0)).toEqual({
    verdict: 'intact',
    message: 'All of it can be decoded, without any error.',
    count: 0,
    video: { count: 0, totalSeconds: 0, intervals: [] },
  });
});

test('packets without a frame are lost, up to the next frame, also at the end', () => {
  const lost = found((time) => (time >= 0.4 && time < 0.8 ? [packet(time)] : whole(time)));
  expect(lost).toMatchObject({
    verdict: 'damaged',
    message:
      'The data is damaged. The video is lost or damaged from 0.4 s to 0.8 s. The recipe "repair" keeps what can be read.',
    video: { count: 1, totalSeconds: 0.4, intervals: [{ start: 0.4, end: 0.8 }] },
  });
  expect(found((time) => (time >= 1.2 ? [packet(time)] : whole(time))).video?.intervals).toEqual([
    { start: 1.2, end: 2 },
  ]);
  expect(found((time) => (time < 0.4 ? [packet(time)] : whole(time))).video?.intervals).toEqual([
    { start: 0, end: 0.4 },
  ]);
});

test('frames about which the decoder reports errors are damaged, and near ones are one part', () => {
  const { video } = found((time) => [packet(time), frame(time, [0.4, 0.52, 1.6].includes(time) ? DAMAGED : '')]);
  expect(video?.intervals).toEqual([
    { start: 0.4, end: 0.56 },
    { start: 1.6, end: 1.64 },
  ]);
});

test('one lost frame counts, but not packets that have no frame of their own in a file of fields', () => {
  expect(found((time) => (time === 0.4 ? [packet(time)] : whole(time))).video?.count).toBe(1);
  const fields = found((time) => [packet(time), frame(time), packet(Number((time + 0.02).toFixed(6)))]);
  expect(fields).toMatchObject({ verdict: 'doubtful', video: { count: 0 } });
});

test('a pause between packets is lost data only in a file with errors', () => {
  const pause = (time: number) => (time >= 0.4 && time < 1.2 ? [] : whole(time));
  expect(found(pause, 0).verdict).toBe('intact');
  expect(found(pause).video?.intervals).toEqual([{ start: 0.4, end: 1.2 }]);
});

test('packets that players discard are not lost, and text of a file is not read as a line', () => {
  const discarded = found((time) => (time < 0.4 ? [packet(time).replace('K_', '_D')] : whole(time)), 0);
  expect(discarded.verdict).toBe('intact');
  const forged = found((time) => [
    packet(time),
    frame(time, String.raw`|message=a\|log\|level=16\npacket\|stream_index=0`),
  ]);
  expect(forged).toMatchObject({ verdict: 'doubtful', video: { count: 0 } });
});

test('a header without data is empty, and a file whose data ends early is cut off', () => {
  expect(found(() => [], 0)).toMatchObject({ verdict: 'empty', message: expect.stringContaining('no video that can') });
  const cut = found(whole, 0, [END[0] ?? '', 'format|format_name=mov,mp4|start_time=0|duration=10']);
  expect(cut).toMatchObject({ verdict: 'cut off', endsAt: 1.96, message: expect.stringContaining('says 10 s') });
});

test('an error that ffmpeg repeats counts each time', () => {
  const list = new FrameList();
  const log = ['[aac @ 0x1] [error] channel element 0.0 is not allocated', '    Last message repeated 4 times'];
  for (const line of log) list.countError(parseLogLine(line));
  expect(list.errors).toBe(5);
});

test('a stream without times, such as of H.264 alone, is not empty, and what is damaged has its place by its number', () => {
  const untimed = (time: number) => {
    const more = time === 0.4 ? DAMAGED : '';
    return [
      'packet|stream_index=0|pts_time=N/A|dts_time=N/A|duration_time=0.040000|pos=10|flags=__',
      `frame|stream_index=0|pts_time=N/A|best_effort_timestamp_time=N/A${more}`,
    ];
  };
  const end = [END[0] ?? '', 'format|format_name=h264|start_time=N/A|duration=N/A'];
  const plain = (time: number) => untimed(time === 0.4 ? 0 : time);
  expect(found(plain, 0, end)).toMatchObject({ verdict: 'intact', video: { count: 0 } });
  expect(found(untimed, 1, end)).toMatchObject({
    verdict: 'damaged',
    video: { intervals: [{ start: 0.4, end: 0.44 }] },
  });
});

test('pictures at the start that need those before it are not damaged: a part of a recording is intact', () => {
  const cut = (time: number) => (time < 0.1 ? [packet(time)] : whole(time));
  expect(found(cut, 0)).toMatchObject({ verdict: 'intact', video: { count: 0 } });
});

/** Creates the list of many frames. `change` returns the lines that ffprobe prints for one of them. */
function long(count: number, change: (time: number, at: number) => readonly string[], errors = 1): FrameList {
  const list = new FrameList();
  for (let at = 0; at < count; at++) for (const line of change(Number((at / 10).toFixed(1)), at)) list.feed(line);
  for (const line of END) list.feed(line);
  for (let i = 0; i < errors; i++) list.countError(parseLogLine('[h264 @ 0x1] [error] Invalid NAL unit size'));
  return list;
}

test('a long film is looked through in steps, whatever is wrong with it', { tags: 'long' }, () => {
  const count = STEP + 1;
  const films = [
    long(count, (time, at) => [packet(time), frame(time, at % 9 === 0 ? DAMAGED : '')]),
    long(count, (time, at) => [packet(time), ...(at % 20 === 0 ? [] : [frame(time)])]),
    long(count, (time, at) => [packet(time).replace('duration_time=0.04|', ''), ...(at % 4 < 2 ? [frame(time)] : [])]),
    long(count, () => [`frame|stream_index=0|pts_time=N/A|best_effort_timestamp_time=N/A${DAMAGED}`]),
  ];
  for (const film of films) {
    const work = fileErrors(film, WHOLE);
    let steps = 0;
    let step = work.next();
    for (; step.done !== true; step = work.next()) steps += 1;
    expect(step.value.video?.count).toBeGreaterThan(0);
    expect(steps, 'each list of times is sorted and walked').toBeGreaterThan((4 * count) / STEP);
  }
});

test('numbers are sorted in steps', () => {
  const numbers = Array.from({ length: 5 * STEP + 7 }, (_, at) => (at * 7919) % 1_000_003);
  expect(resultOf(sortInSteps(numbers))).toEqual(Float64Array.from(numbers).sort());
  expect([...sortInSteps(numbers)].length).toBeGreaterThanOrEqual(20);
  expect(resultOf(sortInSteps([]))).toEqual(new Float64Array());
});
