import { expect, test } from 'vitest';
import { isFmp4, readHlsFlags } from './hls-values.ts';

test.each([
  ['single_file', ['single_file']],
  ['+temp_file+independent_segments', ['temp_file', 'independent_segments']],
  ['1', ['single_file']],
  ['0x1', ['single_file']],
  ['independent_segments+1', ['single_file', 'independent_segments']],
  ['8193', ['single_file', 'independent_segments']],
  ['single_file*1', ['single_file']],
  ['single_file-1', []],
  ['single_file+temp_file-single_file', ['temp_file']],
  ['none', []],
  ['', []],
])('the flags of %s are %j', (value, flags) => {
  expect([...readHlsFlags(value)]).toEqual(flags);
});

test('all flags are all of them', () => {
  expect(readHlsFlags('all').has('single_file')).toBe(true);
  expect(readHlsFlags('-1').size, '-1 removes the first').toBe(0);
});

test.each(['fmp4', '1', '0x1', '1.0', 'max', 'mpegts+1'])('segments of the type %s are fragmented MP4', (value) => {
  expect(isFmp4(value)).toBe(true);
});

test.each(['mpegts', '0', '0x0', 'default', ''])('segments of the type %j are MPEG-TS', (value) => {
  expect(isFmp4(value)).toBe(false);
});
