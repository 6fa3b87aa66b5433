import { expect, test } from 'vitest';
import { hideSecrets, secretHider } from './secret-options.ts';

const KEY = '76a6c65c5ea762046bd749a2e632ccbb';

test('hides keys and passwords of a request, also in lists of options, and nothing else', () => {
  expect(
    hideSecrets({
      'c:v': 'libx264',
      encryption_scheme: 'cenc-aes-ctr',
      encryption_key: KEY,
      encryption_kid: 'a7e61c373e219033c21091fa607bf3b8',
      segment_format_options: `movflags=faststart:encryption_key=${KEY}:brand=isom`,
      map: ['0:v', '0:a'],
    }),
  ).toEqual({
    'c:v': 'libx264',
    encryption_scheme: 'cenc-aes-ctr',
    encryption_key: '(hidden)',
    encryption_kid: 'a7e61c373e219033c21091fa607bf3b8',
    segment_format_options: 'movflags=faststart:encryption_key=(hidden):brand=isom',
    map: ['0:v', '0:a'],
  });
});

test('hides the keys of an argv in what ffmpeg writes', () => {
  const hide = secretHider(['-decryption_keys', `a7e61c373e219033=${KEY}`, '-i', 'in/0.mp4', '-f', 'mp4']);
  expect(hide(`[mov] key ${KEY} of in/0.mp4 is wrong`)).toBe('[mov] key (hidden) of in/0.mp4 is wrong');
  expect(secretHider(['-i', 'in/0.mp4'])('in/0.mp4')).toBe('in/0.mp4');
  expect(secretHider(['-f', 'segment', '-segment_format_options', `encryption_key=${KEY}`])(`bad ${KEY}`)).toBe(
    'bad (hidden)',
  );
});
