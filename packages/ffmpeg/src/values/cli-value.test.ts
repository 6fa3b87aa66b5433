import { suggest } from '@telecine/contract/domain/suggest.ts';
import { expect, test } from 'vitest';
import { recordedCatalogue } from '../../../../test/support/recorded-catalogue.ts';
import { CLI_RULES } from '../allowlist/allowed-cli-options.ts';
import { checkCliValue } from './cli-value.ts';

const check = (name: string, value: string, build = recordedCatalogue()) => {
  const rule = CLI_RULES.get(name);
  if (rule === undefined) throw new Error(`${name} has no rule`);
  return checkCliValue(name, value, rule.value, build);
};

test.each([
  ['t', '00:01:30.5'],
  ['itsoffset', '-2'],
  ['fs', '10M'],
  ['frames', '-1'],
  ['q', '2.5'],
  ['ar', '44.1k'],
  ['ac', '2.0'],
  ['r', 'film'],
  ['s', 'hd1080'],
  ['aspect', '1.7777'],
  ['pix_fmt', '+yuv420p'],
  ['pix_fmt', '+'],
  ['tag', 'avc1'],
  ['tag', '0x31637661'],
  ['disposition', '+default-forced'],
  ['disposition', 'none'],
  ['metadata', 'title='],
  ['metadata', 'comment=one\ntwo'],
  ['map', '[v]'],
  ['map', '-0:a:1'],
  ['map_metadata', '0:s:0'],
  ['map_metadata', '-1'],
  ['target', 'pal-dvd'],
  ['timecode', '01:00:00;00'],
  ['timestamp', 'now'],
  ['enc_time_base', '1:25'],
  ['enc_time_base', 'demux'],
  ['force_key_frames', 'source'],
  ['force_key_frames', 'expr:gte(t,n_forced*2)'],
  ['streamid', '0:0x101'],
])('accepts -%s %s', (name, value) => expect(check(name, value)).toBeUndefined());

test.each([
  ['t', '-1', undefined],
  ['fs', '1 M', undefined],
  ['frames', '10.5', undefined],
  ['ar', '-1', 'Send "0", or more.'],
  ['ac', '5.1', undefined],
  ['aspect', '16 x 9', undefined],
  ['pix_fmt', 'yuv420', 'Send "yuv420p".'],
  ['disposition', 'forcd', 'Send "forced".'],
  ['metadata', 'title', undefined],
  ['map', 'video', undefined],
  ['map_metadata', 'x', undefined],
  ['target', 'pal-dvdd', 'Send "pal-dvd".'],
  ['fps_mode', 'cf', 'Send "cfr".'],
  ['vsync', 'cbr', 'Send "cfr".'],
  // In ffmpeg's source, but not accepted on its command line.
  ['fps_mode', 'vscfr', undefined],
  ['vsync', 'auto', undefined],
  ['intra_matrix', '1,2', undefined],
])('rejects -%s %s', (name, value, fix) => {
  const error = check(name, value);
  expect(error).toBeDefined();
  expect(error && suggest(error).fix).toEqual(fix);
});

test.each(['5.1', '7.1'] as const)(
  'rejects key frames at changes of the scene with ffmpeg %s, which fails',
  (release) => {
    expect(check('force_key_frames', 'scd_metadata', recordedCatalogue(release))).toMatchObject({
      message: `"force_key_frames" does not accept "scd_metadata" with ffmpeg ${release}.`,
    });
  },
);

test('accepts key frames at changes of the scene with newer releases', () => {
  expect(check('force_key_frames', 'scd_metadata', recordedCatalogue('9.0'))).toBeUndefined();
});
