import { expect, test } from 'vitest';
import { folderAbove, meantPath } from './meant-path.ts';

test('a text means the file with this path, or the only file that was found for it', () => {
  expect(meantPath('in.mp4', ['in.mp4', 'in.mp4.txt'])).toBe('in.mp4');
  expect(meantPath('mara', ['films/marathon.mp4'])).toBe('films/marathon.mp4');
  expect(meantPath('film', ['films/'])).toBe('films/');
  expect(meantPath('marathon.mp4', ['films/marathon.mp4', 'old/a marathon.mp4'])).toBe('films/marathon.mp4');
});

test('a text that no file or several files have means none', () => {
  expect(meantPath('', ['in.mp4'])).toBeUndefined();
  expect(meantPath('none', [])).toBeUndefined();
  expect(meantPath('in.mp4', ['main.mp4'])).toBeUndefined();
  expect(meantPath('mara', ['films/marathon.mp4', 'old/marathon.mp4'])).toBeUndefined();
});

test('a folder means itself, and a name with a counter its images', () => {
  expect(meantPath('films/', ['films/marathon.mp4'])).toBe('films/');
  expect(meantPath('img/%03d.png', [])).toBe('img/%03d.png');
});

test('the folder above one in the media root is the media root', () => {
  expect([folderAbove('a/b/'), folderAbove('a/')]).toEqual(['a/', '']);
});
