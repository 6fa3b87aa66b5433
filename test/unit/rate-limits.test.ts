import { expect, test } from 'vitest';
import { film, mistakesIn, type Parameters } from '../support/mistakes.ts';

/** Bit rates that contradict each other. ffmpeg was tried with each, in releases 5.1 and 7.1. */

const BELOW = { 'b:v': '2M', maxrate: '500k', bufsize: '1M' } as const;
const RIGHT = { ...BELOW, maxrate: '3M' } as const;

test.each<[sent: Parameters, message: string, output?: string]>([
  [BELOW, '"maxrate" (500k) is below "b:v" (2M): libx264 writes 500k per second, not 2M.'],
  [{ ...BELOW, 'c:v': 'libx265' }, 'libx265 writes 500k per second, not 2M.'],
  [BELOW, 'libvpx-vp9 ignores "maxrate", and writes 2M per second.', 'b.webm'],
  [{ ...BELOW, 'c:v': 'libaom-av1' }, 'libaom-av1 ignores "maxrate"'],
  [{ ...BELOW, 'c:v': 'mpeg4' }, 'mpeg4 rejects this.'],
  [{ ...BELOW, 'c:v': 'libsvtav1' }, 'libsvtav1 rejects this.'],
  [{ 'b:v': '1.5M', 'maxrate:v': '900k', 'bufsize:v': '2M' }, '"maxrate:v" (900k) is below "b:v" (1.5M)'],
  [
    { 'x264-params': 'bitrate=2000:vbv-maxrate=500:vbv-bufsize=1000' },
    '"vbv-maxrate" (500) is below the average bit rate (2000 kilobits per second): libx264 writes 500.',
  ],
  [{ 'b:v': '2M', 'x264-params': 'vbv-maxrate=500:vbv-bufsize=1000' }, 'libx264 writes 500.'],
  [
    { 'b:v': '500k', minrate: '2M', maxrate: '2M', bufsize: '2M' },
    '"minrate" (2M) is above "b:v" (500k), which mpeg1video rejects.',
    'b.mpg',
  ],
  [{ 'b:v': '1M', minrate: '2M', maxrate: '3M', bufsize: '2M' }, '"minrate" (2M) is above "b:v" (1M)', 'b.mpg'],
  [
    { bufsize: '2M' },
    'mpeg1video takes "maxrate" and "bufsize" only together, but the request has no "maxrate".',
    'b.mpg',
  ],
  [
    { 'c:v': 'mjpeg', 'b:v': '2M', maxrate: '3M' },
    'mjpeg takes "maxrate" and "bufsize" only together, but the request has no "bufsize".',
    'b.mov',
  ],
])('bit rates that contradict each other: %j', (sent, message, output = 'b.mp4') => {
  const [mistake, ...others] = mistakesIn(film(sent, output));
  expect(others).toEqual([]);
  expect(mistake?.message).toContain(message);
});

test.each<[Parameters, output?: string]>([
  [RIGHT],
  [{ 'b:v': '2M', maxrate: '2M', bufsize: '4M' }],
  [{ crf: '23', maxrate: '500k', bufsize: '1M' }],
  [{ 'b:v': '2M', minrate: '2M', maxrate: '2M', bufsize: '2M' }, 'b.mpg'],
  [{ 'b:v': '2M', maxrate: '9M' }, 'b.mpg'],
  [{ 'b:v': '0', crf: '30', maxrate: '1M', bufsize: '2M' }, 'b.webm'],
  [{ 'b:v:0': '5M', 'b:v:1': '1M', 'maxrate:v:0': '6M', 'maxrate:v:1': '2M', map: ['0:v', '0:v'] }],
  [{ 'b:a': '320k', maxrate: '300k', bufsize: '600k' }],
])('nothing contradicts in %j', (parameters, output) => {
  const found = mistakesIn(film(parameters, output));
  expect(found.filter(({ code }) => code === 'UNUSUAL_VALUE' || code === 'BAD_VALUE')).toEqual([]);
});
