import { expect, test } from 'vitest';
import { type MediaPath, parseMediaPath } from './media-path.ts';
import { otherSpellings, pathsInText } from './path-spellings.ts';

test.each([
  ['IN.MP4', 'in.mp4'],
  ['In.mp4', 'in.mp4'],
  ['clip.mp4', 'clip.MP4'],
  ['videos\\in.mp4', 'videos/in.mp4'],
  ['C:\\videos\\in.mp4', 'in.mp4'],
  ['C:/videos/in.mp4', 'videos/in.mp4'],
  ['media/clips/in.mp4', 'clips/in.mp4'],
  ['my%20video.mp4', 'my video.mp4'],
  ['~/in.mp4', 'in.mp4'],
  ['file:in.mp4', 'in.mp4'],
  ['file:/videos/in.mp4', 'videos/in.mp4'],
  ['"in.mp4"', 'in.mp4'],
  ['videos/in.mp4 ', 'videos/in.mp4'],
])('%s may mean %s', (path, meant) => expect(otherSpellings(path as MediaPath)).toContain(meant));

test.each(['..%2f..%2fetc%2fpasswd', '..\\..\\etc\\passwd', '%2e%2e/x', '~/../x', '.telecine%2Fx'])(
  'no spelling of %s leaves the media root or is reserved',
  (path) => {
    for (const other of otherSpellings(path as MediaPath)) expect(parseMediaPath(other, '/')).toBe(other);
  },
);

test.each([
  ['concat:p1.ts|p2.ts', '"inputs"'],
  ['lavfi:testsrc', '"source"'],
])('%s is rejected at once', (path, fix) => {
  expect(parseMediaPath(path, '/srv/media')).toMatchObject({
    code: 'STORAGE_NOT_ALLOWED',
    fix: expect.stringContaining(fix),
  });
});

test('a protocol behind the start of a path is rejected too, and each path is read the same again', () => {
  for (const start of ['/', './', 'a/../', '/srv/media/']) {
    for (const protocol of ['lavfi:x', 'concat:a|b'])
      expect(parseMediaPath(`${start}${protocol}`, '/srv/media')).toMatchObject({ code: 'STORAGE_NOT_ALLOWED' });
    for (const name of ['pipe:1', 'a:b', 'https:/x', '…'])
      expect(parseMediaPath(`${start}${name}`, '/srv/media')).toBe(name);
  }
});

test('a name with a colon is a name', () => {
  for (const name of ['data:2024.mp4', 'concat:1.mp4', '12:30.mp4', 'concat.mp4'])
    expect(parseMediaPath(name, '/')).toBe(name);
});

test.each([
  ['a.mp4,b.mp4', ['a.mp4', 'b.mp4']],
  ['in/a b.mov; c.mp3', ['in/a b.mov', 'c.mp3']],
  ['a.mp4\nb.mp4', ['a.mp4', 'b.mp4']],
  ['in/a.wav|in/b.wav', ['in/a.wav', 'in/b.wav']],
  ['in/a.mp4 in/b c.mov', ['in/a.mp4', 'in/b c.mov']],
])('%j lists %j', (text, paths) => {
  expect(pathsInText(text)).toEqual(paths);
});

test('blanks are part of names where a list has none', () => {
  expect(pathsInText('My.mp4 old.mp4', { blanks: false })).toBeUndefined();
  expect(pathsInText('a b.mp4,c.mp4', { blanks: false })).toEqual(['a b.mp4', 'c.mp4']);
});

test.each([
  'a.mp4',
  'Smith, John.mp4',
  'a,b.mp4',
  'Mr.Smith goes home.mp4',
  '1.50, 2.50',
  'a.mp4,',
  '["a.mp4","b.mp4"]',
  `${'a.mp4,'.repeat(1000)}b.mp4`,
])('%j is no list of files', (text) => {
  expect(pathsInText(text)).toBeUndefined();
});
