import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { foldersToRemove } from './cleanup.ts';
import { localPath, replacePlaceholders, splitOutput, uploadName } from './file-names.ts';
import { namesOfOutput, siblingsOf } from './output-names.ts';

test('an upload keeps its name, except characters with a special meaning', () => {
  expect(uploadName(0, '/home/amy/Größe & Maß (1).mp4')).toBe('0-Größe & Maß (1).mp4');
  expect(uploadName(1, '-rf.mov')).toBe('1--rf.mov');
  expect(uploadName(2, ".telecine/img%03d[a];b,c:d'\\\n*.png")).toBe('2-img_03d_a__b_c_d____.png');
  const long = uploadName(3, `${'ü'.repeat(127)}.mkv`);
  expect(Buffer.byteLength(long)).toBeLessThanOrEqual(202);
  expect(long).toMatch(/^3-ü+\.mkv$/);
  // Truncating does not split a surrogate pair.
  expect(uploadName(4, `${'𠀀'.repeat(60)}a.mkv`).isWellFormed()).toBe(true);
});

test('the path of an output keeps all patterns that ffmpeg expands', () => {
  expect(splitOutput('out.mp4')).toEqual({ folder: '.', path: 'out.mp4' });
  expect(splitOutput('/a/hls/index.m3u8')).toEqual({ folder: '/a/hls', path: 'index.m3u8' });
  expect(splitOutput('hls/v%v/index.m3u8')).toEqual({ folder: 'hls', path: 'v%v/index.m3u8' });
  expect(splitOutput('%v/x/%03d.ts')).toEqual({ folder: '.', path: '%v/x/%03d.ts' });
});

const expected = {
  ...{ folder: 'hls', base: 'cli/1/out/', path: 'v%v/i.m3u8' },
  names: namesOfOutput('v%v/i.m3u8', { parameters: { var_stream_map: 'v:0,name:low v:1' } }),
};

test('rejects an output path from the service that is outside the local folder', () => {
  expect(localPath(expected, 'cli/1/out/vlow/i3.ts')).toBe('hls/vlow/i3.ts');
  for (const path of [
    'cli/1/out/../../x',
    '/etc/passwd',
    'cli/2/out/x',
    'cli/1/out/',
    'cli/1/out//x',
    'cli/1/out/a/..',
  ])
    expect(() => localPath(expected, path), path).toThrow('did not order');
});

test('rejects an output that the command did not order', () => {
  const names = [
    ...['.ssh/authorized_keys', '.bash_profile', 'Makefile', 'vlow/Makefile', 'vlow/i.m3u8.sh', 'vhigh/i3.ts'],
    ...['vlow/i.ts', 'vlow/i3.js', 'vlow/i3.ts\n', 'vlow/I.m3u8', 'vlow/\u202ei3.ts', 'vlow/.i3.ts', 'sub/i3.ts'],
  ];
  for (const name of names) expect(() => localPath(expected, `cli/1/out/${name}`), name).toThrow('did not order');
});

test('a recipe may write files beside the output, with its name and kinds of media, but over no input', () => {
  const ofRecipe = {
    ...{ folder: 'a', base: 'cli/1/out/', path: 'film.jpg' },
    names: namesOfOutput('film.jpg', { parameters: {} }),
  };
  const inputs = [resolve('a/film.mp4'), resolve('a/film-2.jpg')];
  const expectedOfRecipe = { ...ofRecipe, siblings: siblingsOf('film.jpg'), inputs };
  for (const name of ['film.jpg', 'film.vtt', 'film-poster.jpg', 'film_small.mp4', 'film0.ts', 'film-12.m4s']) {
    expect(localPath(expectedOfRecipe, `cli/1/out/${name}`)).toBe(`a/${name}`);
    if (name !== 'film.jpg') expect(() => localPath(ofRecipe, `cli/1/out/${name}`), name).toThrow('did not order');
  }
  const others = [
    'film.sh',
    'film.ts',
    'film-a.js',
    'film.mp4',
    'Film.mp4',
    'film-2.jpg',
    'film-a/b.jpg',
    'films.jpg',
    'Makefile',
  ];
  for (const name of [...others, 'b/film.vtt', '../film.vtt', '-a.jpg'])
    expect(() => localPath(expectedOfRecipe, `cli/1/out/${name}`), name).toThrow('did not order');
});

test('replaces {1} with the path of the second input, but not the placeholders of ffmpeg', () => {
  const paths = ['cli/1/in/0-a.mp4', 'cli/1/in/1-words.srt'];
  expect(replacePlaceholders('subtitles={1}', paths)).toBe('subtitles=cli/1/in/1-words.srt');
  expect(replacePlaceholders('drawtext=text=%{0}{7}{x}', paths)).toBe('drawtext=text=%{0}{7}{x}');
});

test('removes inner folders first', () => {
  expect(foldersToRemove('cli/1', ['cli/1/0-a.mp4', 'cli/1/out/v0/a.ts', 'cli/1/out/i.m3u8', '../x'])).toEqual([
    'cli/1/out/v0',
    'cli/1/out',
    'cli/1',
    'cli',
  ]);
  expect(foldersToRemove('cli/kept/1', [])).toEqual(['cli/kept/1', 'cli/kept', 'cli']);
});
