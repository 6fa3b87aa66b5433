import { expect, test } from 'vitest';
import { parseRequestPath } from './bucket-path.ts';
import { foreignPath, hostPath, otherSpellings, pathsInText } from './foreign-path.ts';
import { hintText } from './hint.ts';
import { type MediaPath, parseMediaPath } from './media-path.ts';

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
