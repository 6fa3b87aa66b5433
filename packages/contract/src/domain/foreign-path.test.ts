import { expect, test } from 'vitest';
import { parseRequestPath } from './bucket-path.ts';
import { foreignPath, hostFolder } from './foreign-path.ts';
import { parseMediaPath } from './media-path.ts';

test.each([
  'file:in.mp4',
  'file:/home/me/in.mp4',
  'file:///srv/media/in.mp4',
  'pipe:0',
  'subfile,,start,0,end,0,,:in.mp4',
  'C:\\films\\in.mp4',
  'c:/films/in.mp4',
  '~/in.mp4',
])('rejects %s, and says what a path is relative to', (path) => {
  expect(foreignPath(path)).toEqual({
    code: 'STORAGE_NOT_ALLOWED',
    message: expect.stringMatching(/ Paths are relative to your media root\.$/),
  });
});

test.each(['in.mp4', 'a/file:b.mp4', './file:b.mp4', './~/in.mp4', '~in.mp4', 'C:in.mp4', 'filed: 1.mp4', 'a~/b.mp4'])(
  'accepts %s, which a file of the media root can have',
  (path) => {
    expect(foreignPath(path)).toBeUndefined();
  },
);

test('a name behind "./" is the name of a file', () => {
  const scope = { pathPrefix: '/srv/media', grants: [], urls: undefined };
  expect(parseRequestPath('./file:b.mp4', scope, 'read')).toBe('file:b.mp4');
  expect(parseRequestPath('./~/in.mp4', scope, 'read')).toBe('~/in.mp4');
});

const folderOf = (text: string) => {
  const path = parseMediaPath(text, '/srv/media');
  return typeof path === 'string' ? hostFolder(text, path) : path.code;
};

test.each([
  ['/media/out/a.mp4', 'media'],
  ['/home/anna/films/a.mkv', 'home'],
  ['/var/www/html/a.mp4', 'var'],
  ['/srv/videos/a.mp4', 'srv'],
])('takes %s for a path of another machine', (path, folder) => {
  expect(folderOf(path)).toBe(folder);
});

test.each(['/srv/media/tmp/a.mp4', '/films/a.mp4', '/media', 'media/a.mp4', 'home/anna/a.mp4'])(
  'takes %s for a path in the media root',
  (path) => {
    expect(folderOf(path)).toBeUndefined();
  },
);

test.each([
  ['concat:p1.ts|p2.ts', '"inputs"'],
  ['lavfi:testsrc', '"source"'],
])('%s is rejected at once, and the message names the member that does it', (path, member) => {
  expect(parseMediaPath(path, '/srv/media')).toMatchObject({
    code: 'STORAGE_NOT_ALLOWED',
    message: expect.stringContaining(member),
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
