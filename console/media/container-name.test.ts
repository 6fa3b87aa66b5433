import { expect, test } from 'vitest';
import { containerName } from './container-name.ts';

const MP4 = { names: ['mov', 'mp4', 'm4a', '3gp', '3g2', 'mj2'], description: 'QuickTime / MOV' };
const MATROSKA = { names: ['matroska', 'webm'], description: 'Matroska / WebM' };
const JPEG = { names: ['jpeg_pipe'], description: 'piped jpeg sequence' };

test.each([
  ['web/film.mp4', MP4, 'MP4'],
  ['sound.M4A', MP4, 'M4A'],
  ['film.mkv', MATROSKA, 'MKV'],
  ['cam.mts', { names: ['mpegts'], description: 'MPEG-TS (MPEG-2 Transport Stream)' }, 'MTS'],
  ['poster.jpg', JPEG, 'JPG'],
  ['still.avif', MP4, 'AVIF'],
  ['moving.apng', { names: ['png_pipe'], description: 'piped png sequence' }, 'APNG'],
  ['poster.jpg', { names: ['image2'], description: 'image2 sequence' }, 'JPG'],
])('%s is called the same before and after it is read', (path, format, name) => {
  expect(containerName(path)).toBe(name);
  expect(containerName(path, format)).toBe(name);
});

test('a file that is not what its name says is called what it is', () => {
  expect(containerName('film.mp4', MATROSKA)).toBe('Matroska / WebM');
  expect(containerName('film.mp4', { names: ['image2'], description: 'image2 sequence' })).toBe('image2 sequence');
  expect(containerName('a.folder/film', MP4)).toBe('QuickTime / MOV');
  expect(containerName('a.folder/film')).toBe('');
});
