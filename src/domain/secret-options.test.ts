import { expect, test } from 'vitest';
import { hideSecrets, hideSecretWords, secretsIn } from './secret-options.ts';

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

const ARGV = [
  ...['-decryption_keys', `a7e61c373e219033=${KEY}`, '-password:a', '-i', '-i', 'in/0.mp4'],
  ...[
    '-f',
    'segment',
    '-segment_format_options',
    `brand=isom:encryption_key=${KEY}`,
    '-encryption_key',
    KEY,
    'out/0.mp4',
  ],
];

test('hides the secrets of an argv', () => {
  expect(hideSecretWords(ARGV)).toEqual([
    ...['-decryption_keys', '(hidden)', '-password:a', '(hidden)', '-i', 'in/0.mp4', '-f', 'segment'],
    ...['-segment_format_options', 'brand=isom:encryption_key=(hidden)', '-encryption_key', '(hidden)', 'out/0.mp4'],
  ]);
});

test('finds the secrets of an argv', () => {
  expect(secretsIn(ARGV)).toEqual([`a7e61c373e219033=${KEY}`, '-i', KEY, KEY]);
});
