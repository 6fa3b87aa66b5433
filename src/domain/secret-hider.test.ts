import { expect, test } from 'vitest';
import { secretHider } from './secret-hider.ts';

const KEY = '76a6c65c5ea762046bd749a2e632ccbb';

test('hides a key in upper and lower case, with and without 0x', () => {
  for (const sent of [KEY, KEY.toUpperCase(), `0x${KEY}`, `0X${KEY.toUpperCase()}`]) {
    const hide = secretHider([sent]);
    for (const written of [KEY, KEY.toUpperCase(), sent])
      expect(hide(`[mov] key ${written} is wrong`)).toBe('[mov] key (hidden) is wrong');
    expect(hide(`key 0x${KEY}.`)).not.toContain(KEY);
  }
});

test('hides each key of a list, whole or alone', () => {
  const hide = secretHider([`a7e61c373e219033=${KEY}:b7e61c373e219033=1234abcd5ea762046bd749a2e632ccbb`]);
  expect(hide(`key ${KEY}, then 1234ABCD5EA762046BD749A2E632CCBB of in/0.mp4`)).toBe(
    'key (hidden), then (hidden) of in/0.mp4',
  );
});

test('hides every occurrence, also if secrets touch or one begins with another', () => {
  const hide = secretHider([KEY, `${KEY}00`, 'open sesame']);
  expect(hide(`${KEY}${KEY} ${KEY}00 (Open Sesame)`)).toBe('(hidden)(hidden) (hidden) ((hidden))');
});

test('hides the beginning of a secret, because ffmpeg cuts long lines', () => {
  const password = 'correct horse battery staple '.repeat(50);
  expect(secretHider([password])(`Unable to parse "${password.slice(0, 900)}`)).toBe('Unable to parse "(hidden)');
});

test('leaves other text alone, whatever its letters', () => {
  const line = '  Stream #0:0: Video: h264, 76a6 İstanbul ẞ';
  expect(secretHider([KEY, 'abc', ''])(line)).toBe(line);
  expect(secretHider([])(KEY)).toBe(KEY);
  expect(secretHider(['secret'])(`İİ ${'SECRET'}İ`)).toBe('İİ (hidden)İ');
});

test('hides the rest of a line instead of comparing it with thousands of secrets that begin alike', () => {
  const keys = Array.from({ length: 5000 }, (_, n) => `aaaaaaaa${n}=bbbbbbbb${n}`);
  const hide = secretHider([keys.join(':')]);
  expect(hide('key aaaaaaaa17, bbbbbbbb18 is wrong')).toBe('key (hidden)');
  expect(hide('another line')).toBe('another line');
});
