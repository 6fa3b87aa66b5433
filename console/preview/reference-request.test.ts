import { expect, test } from 'vitest';
import { isComparable, referenceRequest } from './reference-request.ts';

const PART = { at: 12, seconds: 3 };
const SIZE = { width: 640, height: 360, fps: 24 };
const LOSSLESS = { 'c:v': 'libx264', preset: 'ultrafast', qp: '0', 'c:a': 'flac', sn: '', dn: '' };

const reference = (parameters: Readonly<Record<string, string>>, more = {}) =>
  referenceRequest({ input: 'in.mov', output: 'out.webm', parameters, ...more }, PART, SIZE, 'two');

test('a preview is measured against the same part in its size and rate, without loss', () => {
  expect(reference({ 'c:v': 'libvpx-vp9', crf: '40', 'b:v': '0', an: '' })).toEqual({
    inputs: [{ input: 'in.mov', parameters: { ss: '12', t: '3' } }],
    parameters: { ...LOSSLESS, vf: 'scale=640:360', r: '24' },
    output: 'console-previews/two.mkv',
    expiresAfterSeconds: 1800,
  });
});

test('the source goes through the filters of the request first', () => {
  expect(reference({ vf: 'crop=ih:ih,pad=640:360:-1:-1', crf: '40' })?.parameters).toMatchObject({
    vf: 'crop=ih:ih,pad=640:360:-1:-1,scale=640:360',
  });
  expect(reference({ s: '640x360', r: '12' })?.parameters).toEqual({ ...LOSSLESS, vf: 'scale=640:360', r: '12' });
  const graph = '[0:v][1:v]overlay[v]';
  expect(reference({ filter_complex: graph, map: '[v]' }, { inputs: ['in.mov', 'logo.png'] })).toMatchObject({
    inputs: [{ input: 'in.mov' }, 'logo.png'],
    parameters: { ...LOSSLESS, filter_complex: graph, map: '[v]', t: '3' },
  });
});

test.each([
  [true, {}],
  [true, { vf: 'scale=-2:360,drawtext=text=a' }],
  [true, { filter_complex: '[0:v]hflip[v]' }],
  [false, { vf: 'split[a][b];[a]palettegen[p];[b][p]paletteuse' }],
])('whether the similarity says something: %s for %j', (comparable, parameters) => {
  expect(isComparable({ input: 'a.mp4', output: 'b.mp4', parameters: parameters as Record<string, string> })).toBe(
    comparable,
  );
});
