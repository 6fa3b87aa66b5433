import { expect, test } from 'vitest';
import { mediaRoot } from '../../../../test/support/media-root.ts';
import { keyFrameSearch, keyFrameTimes } from './key-frames.ts';
import { planProbe } from './plan-probe.ts';
import { parseClipAnswer } from './read-answer.ts';

const stream = (index: number, codecType: string, attached = 0) => ({
  index,
  codec_type: codecType,
  disposition: { attached_pic: attached },
});
const answer = (streams: readonly object[], packets: readonly object[] = []) => {
  const format = { format_name: 'mpegts', start_time: '1.400000' };
  const found = parseClipAnswer(JSON.stringify({ format, streams, packets }));
  if (found === undefined) throw new Error('This is not a valid answer of ffprobe.');
  return found;
};
const FILM = answer([stream(0, 'video', 1), stream(1, 'audio'), stream(2, 'video')]);

function searchOf(keyFramesNear: number | undefined, { info } = FILM): string | undefined {
  const planned = planProbe(
    { input: 'a.ts', parameters: { probesize: '9' }, ...(keyFramesNear !== undefined && { keyFramesNear }) },
    mediaRoot('/media'),
  );
  if (!planned.ok) throw new Error(planned.errors[0]?.message);
  return keyFrameSearch(planned.plan, info)?.argv.join(' ');
}

test('reads only the packets of the video near the time, which counts from the start of the file', () => {
  expect(searchOf(60)).toContain('-select_streams 2 ');
  expect(searchOf(60)).toContain(' -read_intervals 51.400000%71.400000 -probesize 9 -protocol_whitelist file ');
  expect(searchOf(3)).toContain(' -read_intervals %14.400000 ');
});

test('searches no key frames if nobody asks for them, or without video', () => {
  expect(searchOf(undefined)).toBeUndefined();
  expect(searchOf(1, answer([stream(0, 'audio')]))).toBeUndefined();
});

test('lists key frames in order, and none that an edit list excludes', () => {
  const packet = (time: string, flags: string) => ({ stream_index: 2, pts_time: time, flags });
  const packets = [
    packet('5.4', 'K__'),
    packet('4.4', '___'),
    packet('1.2', 'KD_'),
    packet('1.4', 'K_'),
    { flags: 'K' },
  ];
  const { clip, info } = answer([stream(2, 'video')], packets);
  expect(keyFrameTimes(clip, info)).toEqual([0, 4]);
  expect(keyFrameTimes(undefined, info)).toEqual([]);
});
