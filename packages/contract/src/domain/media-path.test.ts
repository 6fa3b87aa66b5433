import { describe, expect, test } from 'vitest';
import { baseName, extension, type MediaPath, parseMediaPath } from './media-path.ts';

const ROOT = '/srv/media';
const read = (text: string, root = ROOT) => parseMediaPath(text, root);
const codeOf = (text: string, root = ROOT) => {
  const read = parseMediaPath(text, root);
  return typeof read === 'string' ? `accepted as ${read}` : read.code;
};

describe('a path is read relative to the media root', () => {
  test.each([
    ['movies/in.mp4', 'movies/in.mp4'],
    ['/movies/in.mp4', 'movies/in.mp4'],
    ['//movies///in.mp4', 'movies/in.mp4'],
    ['./movies/./in.mp4', 'movies/in.mp4'],
    ['movies/../in.mp4', 'in.mp4'],
    ['a/b/../../in.mp4', 'in.mp4'],
    ['-report', '-report'],
    ['a b/%03d é 日本.png', 'a b/%03d é 日本.png'],
    ['pipe:1', 'pipe:1'],
    ['back\\slash.mp4', 'back\\slash.mp4'],
    ['...', '...'],
    ['..a/b..', '..a/b..'],
  ])('%s is %s', (text, path) => expect(read(text)).toBe(path));
});

describe('a path that begins with the host path of the root is read as a host path', () => {
  test.each([
    ['/srv/media/in.mp4', ROOT, 'in.mp4'],
    ['/srv//media/./in.mp4', ROOT, 'in.mp4'],
    ['/srv/media/in.mp4', '/srv/media/', 'in.mp4'],
    ['/srv/mediaX/in.mp4', ROOT, 'srv/mediaX/in.mp4'],
    ['srv/media/in.mp4', ROOT, 'srv/media/in.mp4'],
    ['/etc/passwd', '/', 'etc/passwd'],
  ])('%s with root %s is %s', (text, root, path) => expect(read(text, root)).toBe(path));

  test('rejects ".." that leaves the root', () => {
    expect(codeOf('/srv/media/../other/in.mp4')).toBe('OUTSIDE_ROOT');
  });
  test('rejects the root itself, which is a folder', () => {
    expect(codeOf('/srv/media')).toBe('IS_DIRECTORY');
    expect(codeOf('/srv/media/')).toBe('IS_DIRECTORY');
  });
});

describe('rejects paths that no file can have, with a code', () => {
  test.each([
    ['', 'EMPTY'],
    ['..', 'OUTSIDE_ROOT'],
    ['../in.mp4', 'OUTSIDE_ROOT'],
    ['/../in.mp4', 'OUTSIDE_ROOT'],
    ['a/../../in.mp4', 'OUTSIDE_ROOT'],
    ['/', 'IS_DIRECTORY'],
    ['.', 'IS_DIRECTORY'],
    ['movies/', 'IS_DIRECTORY'],
    ['movies/.', 'IS_DIRECTORY'],
    ['a/b/..', 'IS_DIRECTORY'],
    ['in\0.mp4', 'CONTROL_CHARACTER'],
    ['in\n.mp4', 'CONTROL_CHARACTER'],
    ['in\u007f.mp4', 'CONTROL_CHARACTER'],
    ['in\u0085.mp4', 'CONTROL_CHARACTER'],
    ['in\u2028.mp4', 'CONTROL_CHARACTER'],
    ['in\ud800.mp4', 'BAD_ENCODING'],
    ['s3://bucket/key', 'STORAGE_NOT_ALLOWED'],
    ['https://example.org/in.mp4', 'STORAGE_NOT_ALLOWED'],
    ['FILE:///etc/passwd', 'STORAGE_NOT_ALLOWED'],
    [`${'é'.repeat(128)}.mp4`, 'TOO_LONG'],
    ['a/'.repeat(1600), 'TOO_LONG'],
  ])('%j is %s', (text, code) => expect(codeOf(text)).toBe(code));

  test('rejects reserved names, in any spelling that a file system may treat as equal', () => {
    for (const name of ['.telecine', '.telecine-x', '.TeleCine', '.tele\u200ccine', '\u200d.telecine', '．ｔelecine'])
      for (const path of [`a/${name}/b.mp4`, `${name}/b.mp4`, `/${name}`])
        expect(codeOf(path), path).toBe('RESERVED_NAME');
    expect(read('telecine/.tele/x.mp4')).toBe('telecine/.tele/x.mp4');
  });
  test('accepts names of the maximum length', () => {
    expect(read('n'.repeat(255))).toBe('n'.repeat(255));
    expect(codeOf('n'.repeat(256))).toBe('TOO_LONG');
  });
});

test.each([
  ['a/b/clip.MP4', 'clip.MP4', 'mp4'],
  ['archive.tar.gz', 'archive.tar.gz', 'gz'],
  ['a.b/clip', 'clip', ''],
  ['.mp4', '.mp4', ''],
  ['clip.', 'clip.', ''],
])('%s has the name %s and the extension "%s"', (path, name, ext) => {
  expect(baseName(path as MediaPath)).toBe(name);
  expect(extension(path as MediaPath)).toBe(ext);
});
