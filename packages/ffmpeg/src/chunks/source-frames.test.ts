import { expect, test } from 'vitest';
import { resultOf } from '../../../../test/support/result-of-steps.ts';
import { SourceFramesReader } from './source-frames.ts';

const VIDEO = 'stream|index=0|codec_name=h264|codec_type=video|time_base=1/10|disposition:default=1';
const FORMAT = 'format|format_name=mov,mp4,m4a|start_time=0.500000';

const packet = (pts: number | 'N/A', flags = '__', index = 0): string =>
  `packet|codec_type=video|stream_index=${index}|pts=${pts}|duration=1|flags=${flags}`;

function read(...lines: readonly string[]) {
  const reader = new SourceFramesReader();
  for (const line of lines) reader.feed(line);
  return resultOf(reader.end());
}

test('reads the frames in the order in which they are shown, from the start of the file', () => {
  const source = read(packet(5, 'K_'), packet(8), packet(6), packet(7, 'K_'), VIDEO, FORMAT);
  expect(source).toMatchObject({ video: { index: 0, disposition: ['default'] }, lengthSeconds: 0.4 });
  if ('whole' in source) throw new Error(source.whole);
  expect([...Array.from(source.micros)]).toEqual([0, 100_000, 200_000, 300_000]);
  expect([...Array.from(source.keyMicros)]).toEqual([0, 200_000]);
});

test('leaves out the frames that an edit list does not show', () => {
  const source = read(packet(4, 'KD'), packet(5, 'K_'), packet(6), VIDEO, FORMAT);
  expect('micros' in source && source.micros.length).toBe(2);
});

test('a tag cannot imitate a field', () => {
  const source = read(packet(5, 'K_'), `${VIDEO}|tag:timecode=01\\|codec_name=x`, FORMAT);
  expect(source).toMatchObject({ video: { codec: 'h264' } });
  expect(source).not.toHaveProperty('video.timecode');
});

test.each([
  ['another container', /"avi"/, [packet(5, 'K_'), VIDEO, 'format|format_name=avi|start_time=0.0']],
  ['frames without times', /no time/, [packet(5, 'K_'), packet('N/A'), VIDEO, FORMAT]],
  ['several videos', /several videos/, [packet(5), VIDEO, VIDEO.replace('index=0', 'index=1'), FORMAT]],
  ['no video', /no video/, [FORMAT]],
  ['a codec with other packets', /"vp8"/, [packet(5), VIDEO.replace('h264', 'vp8'), FORMAT]],
  ['an empty video', /is empty/, [VIDEO, FORMAT]],
])('runs whole: %s', (_what, reason, lines) => {
  expect(read(...lines)).toEqual({ whole: expect.stringMatching(reason) });
});
