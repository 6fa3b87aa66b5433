import { expect, test } from 'vitest';
import { parseNumberedName } from './numbered-name.ts';

test.each([
  ['img%03d.png', 7, 'img007.png'],
  ['img%03d.png', 1234, 'img1234.png'],
  ['img%d.png', 7, 'img7.png'],
  ['img%3d.png', 7, 'img007.png'],
  ['100%%-%02d.png', 7, '100%-07.png'],
])('%s with the number %i is %s, and the number can be read back', (pattern, n, name) => {
  expect(parseNumberedName(pattern)?.format(n)).toBe(name);
  expect(parseNumberedName(pattern)?.read(name)).toBe(n);
});

test.each(['img.png', 'img%%.png', '%d-%d.png', 'img%s.png', 'img%', '%03d%x', '%0999d.png'])(
  '%s has no counter that ffmpeg accepts',
  (pattern) => expect(parseNumberedName(pattern)).toBeUndefined(),
);

test.each(['img07.png', 'img0007.png', 'img.png', 'img007.png.tmp', 'ximg007.png', 'img-07.png'])(
  '%s is not a frame of img%%03d.png',
  (name) => expect(parseNumberedName('img%03d.png')?.read(name)).toBeUndefined(),
);
