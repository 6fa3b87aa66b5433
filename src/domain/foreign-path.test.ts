import { expect, test } from 'vitest';
import { parseRequestPath } from './bucket-path.ts';
import { foreignPath } from './foreign-path.ts';

test.each([
  ['file:in.mp4', '"in.mp4"'],
  ['file:/home/me/in.mp4', '"in.mp4"'],
  ['pipe:0', '"movies/in.mp4"'],
  ['subfile,,start,0,end,0,,:in.mp4', '"movies/in.mp4"'],
  ['C:\\films\\in.mp4', '"in.mp4"'],
  ['c:/films/in.mp4', '"in.mp4"'],
  ['~/in.mp4', '"in.mp4"'],
])('rejects %s, and says what may be sent', (path, example) => {
  expect(foreignPath(path)).toMatchObject({ code: 'STORAGE_NOT_ALLOWED', fix: expect.stringContaining(example) });
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
