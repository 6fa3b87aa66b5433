import { expect, test } from 'vitest';
import { parseRequestPath } from './bucket-path.ts';
import { foreignPath, hostPath } from './foreign-path.ts';
import { hintText } from './hint.ts';
import { parseMediaPath } from './media-path.ts';

test.each([
  ['file:in.mp4', '"in.mp4"'],
  ['file:/home/me/in.mp4', '"in.mp4"'],
  ['pipe:0', '"movies/in.mp4"'],
  ['subfile,,start,0,end,0,,:in.mp4', '"movies/in.mp4"'],
  ['C:\\films\\in.mp4', '"in.mp4"'],
  ['c:/films/in.mp4', '"in.mp4"'],
  ['~/in.mp4', '"in.mp4"'],
])('rejects %s, and says what may be sent', (path, example) => {
  const { code, fix = '' } = foreignPath(path) ?? {};
  expect([code, hintText(fix, ({ do: action }) => action)]).toEqual([
    'STORAGE_NOT_ALLOWED',
    expect.stringMatching(`upload-file.*${example}`),
  ]);
});

test('says where an output can be, without an upload', () => {
  expect(foreignPath('C:\\films\\out.mp4', 'write')?.fix).toEqual(
    'Send "out.mp4", or another path in your media root.',
  );
  expect(foreignPath('pipe:1', 'write')?.fix).toEqual('Send a path in your media root, such as "movies/out.mp4".');
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

const hostPathOf = (text: string) => {
  const path = parseMediaPath(text, '/srv/media');
  return typeof path === 'string' ? hostPath(text, path)?.guess : path.code;
};

test.each([
  ['/media/out/a.mp4', 'out/a.mp4'],
  ['/mnt/data/a.gif', 'a.gif'],
  ['/mnt/a.gif', 'a.gif'],
  ['/home/anna/films/a.mkv', 'films/a.mkv'],
  ['/Users/anna/a.mkv', 'a.mkv'],
  ['/var/www/html/a.mp4', 'a.mp4'],
  ['/srv/videos/a.mp4', 'a.mp4'],
])('takes %s for a path of another machine that means %s', (path, meant) => {
  expect(hostPathOf(path)).toBe(meant);
});

test.each(['/srv/media/tmp/a.mp4', '/films/a.mp4', '/media', 'media/a.mp4', 'home/anna/a.mp4'])(
  'takes %s for a path in the media root',
  (path) => {
    expect(hostPathOf(path)).toBeUndefined();
  },
);

test.each([
  ['file:///srv/media/films/a.mp4', 'films/a.mp4'],
  ['file:/srv/media/a%20b.mp4', 'a b.mp4'],
  ['file://localhost/films/a.mp4', 'films/a.mp4'],
])('says which path %s is in the media root', (url, path) => {
  const scope = { pathPrefix: '/srv/media', grants: [], urls: undefined };
  expect(parseRequestPath(url, scope, 'read')).toMatchObject({ fix: `Send ${JSON.stringify(path)}.` });
  expect(parseRequestPath(url, scope, 'write')).toMatchObject({ fix: `Send ${JSON.stringify(path)}.` });
});

test('a file URL of another machine asks for an upload', () => {
  const scope = { pathPrefix: '/srv/media', grants: [], urls: undefined };
  const { fix = '' } = parseRequestPath('file:///home/amy/a.mp4', scope, 'read') as { readonly fix?: never };
  expect(hintText(fix, ({ do: action }) => action)).toMatch(/upload-file.*"a\.mp4"/);
});
