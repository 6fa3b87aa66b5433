import { expect, test } from 'vitest';
import { hideSecrets, hideSecretWords, secretHider, secretsIn, secretsOf } from './secret-options.ts';

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

test.each([
  [
    `brand=isom:encryption_key = ${KEY} :movflags=faststart`,
    'brand=isom:encryption_key = (hidden) :movflags=faststart',
  ],
  [`\tencryption_key\n=\n${KEY}`, '\tencryption_key\n=\n(hidden)'],
  [
    `[f=mp4: encryption_key =${KEY}]a.mp4|[encryption_key=${KEY}]b.mp4`,
    '[f=mp4: encryption_key =(hidden)]a.mp4|[encryption_key=(hidden)]b.mp4',
  ],
  [`'encryption_key'=${KEY},brand=isom`, "'encryption_key'=(hidden),brand=isom"],
  [`encryption\\_key=${KEY}`, 'encryption\\_key=(hidden)'],
  // A quoted value may contain separators.
  [`encryption_key='${KEY}:${KEY}':brand=isom`, 'encryption_key=(hidden)'],
  [`encryption_key=${KEY}\\:${KEY}`, 'encryption_key=(hidden)'],
  ['encryption_key=:brand=isom', 'encryption_key=:brand=isom'],
  ['my encryption_keyring=1:a==b', 'my encryption_keyring=1:a==b'],
])('hides the key in a list that ffmpeg reads so: %s', (list, shown) => {
  expect(hideSecrets({ segment_format_options: list })).toEqual({ segment_format_options: shown });
  expect(hideSecretWords(['-segment_format_options', list])[1]).toBe(shown);
  const secrets = secretsIn(['-segment_format_options', list]);
  expect(secrets.length).toBe(shown.split('(hidden)').length - 1);
  for (const one of secrets) expect(one).toMatch(/^'?76a6c/);
});

test.each([
  'segment_format_options',
  'hls_segment_options',
  'hls_ts_options',
  'format_options',
  'format_opts',
  'fifo_options',
  'seg_format_options',
  'protocol_opts',
])('%s is a list of options', (name) => {
  expect(hideSecrets({ [name]: `encryption_key=${KEY}` })).toEqual({ [name]: 'encryption_key=(hidden)' });
});

test('the files of tee are lists of options, and other values are not', () => {
  expect(hideSecretWords(['-f', 'tee', `[encryption_key=${KEY}]a.mp4`])[2]).toBe('[encryption_key=(hidden)]a.mp4');
  const texts = {
    metadata: ['title=How to reset, password=secret', 'comment=x:encryption_key=1'],
    'filter:v': "drawtext=text='a,password=b'",
    'x264-params': 'password=x:keyint=50',
  };
  expect(hideSecrets(texts)).toEqual(texts);
  expect(secretsOf(texts)).toEqual([]);
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

const HEX_KEY = '76a6c65c5ea762046bd749a2e632ccbb';

test('hides a key in upper and lower case, with and without 0x', () => {
  for (const sent of [HEX_KEY, HEX_KEY.toUpperCase(), `0x${HEX_KEY}`, `0X${HEX_KEY.toUpperCase()}`]) {
    const hide = secretHider([sent]);
    for (const written of [HEX_KEY, HEX_KEY.toUpperCase(), sent])
      expect(hide(`[mov] key ${written} is wrong`)).toBe('[mov] key (hidden) is wrong');
    expect(hide(`key 0x${HEX_KEY}.`)).not.toContain(HEX_KEY);
  }
});

test('hides each key of a list, whole or alone', () => {
  const hide = secretHider([`a7e61c373e219033=${HEX_KEY}:b7e61c373e219033=1234abcd5ea762046bd749a2e632ccbb`]);
  expect(hide(`key ${HEX_KEY}, then 1234ABCD5EA762046BD749A2E632CCBB of in/0.mp4`)).toBe(
    'key (hidden), then (hidden) of in/0.mp4',
  );
});

test('hides every occurrence, also if secrets touch or one begins with another', () => {
  const hide = secretHider([HEX_KEY, `${HEX_KEY}00`, 'open sesame']);
  expect(hide(`${HEX_KEY}${HEX_KEY} ${HEX_KEY}00 (Open Sesame)`)).toBe('(hidden)(hidden) (hidden) ((hidden))');
});

test('hides the beginning of a secret, because ffmpeg cuts long lines', () => {
  const password = 'correct horse battery staple '.repeat(50);
  expect(secretHider([password])(`Unable to parse "${password.slice(0, 900)}`)).toBe('Unable to parse "(hidden)');
});

test('leaves other text alone, whatever its letters', () => {
  const line = '  Stream #0:0: Video: h264, 76a6 İstanbul ẞ';
  expect(secretHider([HEX_KEY, 'abc', ''])(line)).toBe(line);
  expect(secretHider([])(HEX_KEY)).toBe(HEX_KEY);
  expect(secretHider(['secret'])(`İİ ${'SECRET'}İ`)).toBe('İİ (hidden)İ');
});

test('hides the rest of a line instead of comparing it with thousands of secrets that begin alike', () => {
  const keys = Array.from({ length: 5000 }, (_, n) => `aaaaaaaa${n}=bbbbbbbb${n}`);
  const hide = secretHider([keys.join(':')]);
  expect(hide('key aaaaaaaa17, bbbbbbbb18 is wrong')).toBe('key (hidden)');
  expect(hide('another line')).toBe('another line');
});
