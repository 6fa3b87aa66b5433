import { expect, test } from 'vitest';
import { foldersToRemove } from './cleanup.ts';
import { localPath, replacePlaceholders, splitOutput, uploadName } from './output-names.ts';

test('an upload keeps its name as far as nothing reads it as something else', () => {
  expect(uploadName(0, '/home/amy/Größe & Maß (1).mp4')).toBe('0-Größe & Maß (1).mp4');
  expect(uploadName(1, '-rf.mov')).toBe('1--rf.mov');
  expect(uploadName(2, ".telecine/img%03d[a];b,c:d'\\\n*.png")).toBe('2-img_03d_a__b_c_d____.png');
  const long = uploadName(3, `${'ü'.repeat(127)}.mkv`);
  expect(Buffer.byteLength(long)).toBeLessThanOrEqual(202);
  expect(long).toMatch(/^3-ü+\.mkv$/);
  // No half of a character is left of one that takes two of JavaScript's.
  expect(uploadName(4, `${'𠀀'.repeat(60)}a.mkv`).isWellFormed()).toBe(true);
});

test('of an output, what ffmpeg fills in stays together', () => {
  expect(splitOutput('out.mp4')).toEqual({ folder: '.', path: 'out.mp4' });
  expect(splitOutput('/a/hls/index.m3u8')).toEqual({ folder: '/a/hls', path: 'index.m3u8' });
  expect(splitOutput('hls/v%v/index.m3u8')).toEqual({ folder: 'hls', path: 'v%v/index.m3u8' });
  expect(splitOutput('%v/x/%03d.ts')).toEqual({ folder: '.', path: '%v/x/%03d.ts' });
});

test('no service writes beside the folder that was named', () => {
  expect(localPath('hls', 'cli/1/out/', 'cli/1/out/v0/a.ts')).toBe('hls/v0/a.ts');
  for (const path of [
    'cli/1/out/../../x',
    '/etc/passwd',
    'cli/2/out/x',
    'cli/1/out/',
    'cli/1/out//x',
    'cli/1/out/a/..',
  ])
    expect(() => localPath('hls', 'cli/1/out/', path), path).toThrow('outside of');
});

test('{1} is the path of the second input; what ffmpeg writes so stays', () => {
  const paths = ['cli/1/in/0-a.mp4', 'cli/1/in/1-words.srt'];
  expect(replacePlaceholders('subtitles={1}', paths)).toBe('subtitles=cli/1/in/1-words.srt');
  expect(replacePlaceholders('drawtext=text=%{0}{7}{x}', paths)).toBe('drawtext=text=%{0}{7}{x}');
});

test('folders are emptied from within', () => {
  expect(foldersToRemove('cli/1', ['cli/1/0-a.mp4', 'cli/1/out/v0/a.ts', 'cli/1/out/i.m3u8', '../x'])).toEqual([
    'cli/1/out/v0',
    'cli/1/out',
    'cli/1',
  ]);
});
