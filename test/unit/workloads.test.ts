import { expect, test } from 'vitest';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import { workloadOf } from '../../packages/ffmpeg/src/plan/workload.ts';
import { wholePlan } from '../support/planning.ts';

const picture = (parameters: Record<string, string>): ConversionRequest => ({
  input: 'a.mp4',
  output: 'b.jpg',
  parameters: { 'frames:v': '1', ...parameters },
});

const film = (parameters: Record<string, string | string[]>, output = 'b.mp4'): ConversionRequest => ({
  input: 'a.mp4',
  output,
  parameters,
});

test.each<[string, ConversionRequest]>([
  ['the first frame', picture({})],
  ['a frame near the start', picture({ ss: '30' })],
  ['a scaled frame', picture({ vf: 'scale=320:-2,format=yuv420p', 'q:v': '3' })],
  [
    'a frame of any time, if the input is sought',
    { inputs: [{ input: 'a.mp4', parameters: { ss: '5000' } }], output: 'b.png', parameters: { 'frames:v': '1' } },
  ],
  ['a copy', film({ c: 'copy' })],
  ['a copy into segments', film({ c: 'copy' }, 'b.m3u8')],
  ['a copy of the film alone', film({ 'c:v': 'copy', an: '' })],
  ['a copy with new subtitles', film({ c: 'copy', 'c:s': 'mov_text' })],
  ['a copy of the sound', film({ vn: '', 'c:a': 'copy' })],
])('%s is light and weighs a quarter of a slot', (_, request) => {
  expect(workloadOf(wholePlan(request))).toEqual({ lane: 'light', weight: 25 });
});

test.each<[string, ConversionRequest]>([
  ['a sound by its container', film({}, 'b.mp3')],
  ['the sound of a film', film({ vn: '', 'c:a': 'aac' })],
  ['a sound that is mapped', film({ map: ['0:a'], 'c:a': 'aac' })],
  ['a copied film with a new sound', film({ 'c:v': 'copy', 'c:a': 'aac' })],
  ['two sounds in one', { inputs: ['a.mp3', 'b.mp3'], output: 'c.mp3', join: 'encode' }],
  ['a part of a sound', { input: 'a.mp3', output: 'b.mp3', cut: { keep: [{ start: '1', end: '2' }] } }],
  ['a sound without its silence', { input: 'a.mp3', output: 'b.mp3', cut: { remove: { silence: {} } } }],
  ['a mix by a filtergraph', { inputs: ['a.mp3', 'b.mp3'], output: 'c.mp3', parameters: { filter_complex: 'amix' } }],
  [
    'a copied film with music',
    {
      inputs: ['a.mp4', 'b.mp3'],
      output: 'c.mp4',
      parameters: { filter_complex: '[0:a][1:a]amix[mix]', map: ['0:v', '[mix]'], 'c:v': 'copy' },
    },
  ],
  [
    'a mix of sounds, where a film could be',
    { inputs: ['a.mp3', 'b.mp3'], output: 'c.m4a', parameters: { filter_complex: 'amix' } },
  ],
  ['a sound from a sound, where a film could be', { input: 'a.wav', output: 'b.m4a' }],
])('%s is light and weighs half a slot', (_, request) => {
  expect(workloadOf(wholePlan(request))).toEqual({ lane: 'light', weight: 50 });
});

test('several sounds of one run are light, and weigh a slot at most', () => {
  const outputs = (...names: string[]) => ({ input: 'a.wav', outputs: names.map((output) => ({ output })) });
  expect(workloadOf(wholePlan(outputs('b.mp3', 'b.opus')))).toEqual({ lane: 'light', weight: 100 });
  expect(workloadOf(wholePlan(outputs('b.mp3', 'b.opus', 'b.flac')))).toEqual({ lane: 'light', weight: 100 });
  expect(workloadOf(wholePlan(outputs('b.mp3', 'b.mp4'))).lane).toBe('full');
});

test.each<[string, ConversionRequest]>([
  ['a film', film({})],
  ['a film with a mix of sounds', film({ filter_complex: '[0:a]amix=inputs=1[mix]', map: ['0:v', '[mix]'] })],
  ['the first frame as a film', film({ 'frames:v': '1' })],
  ['a frame after much that is decoded', picture({ ss: '3600' })],
  ['a frame that is chosen from many', picture({ vf: 'thumbnail' })],
  ['a sheet of frames', picture({ vf: 'scale=320:-2,tile=4x4' })],
  ['frames in files', { input: 'a.mp4', output: 'f%03d.jpg' }],
  ['a scaled film beside the sound that is mapped', film({ filter_complex: '[0:v]scale=1280:-2', map: ['0:a'] })],
  [
    'a film that draws a sound, in a container of both',
    { input: 'a.mp3', output: 'b.m4v', parameters: { filter_complex: '[0:a]showwaves[v]', map: ['[v]', '0:a'] } },
  ],
  ['a picture of a sound', picture({ filter_complex: 'showwavespic=s=400x100' })],
  ['a picture from pictures', { input: 'f%03d.png', output: 'b.jpg', parameters: { 'frames:v': '1' } }],
])('%s is not light and weighs one slot', (_, request) => {
  expect(workloadOf(wholePlan(request))).toEqual({ lane: 'full', weight: 100 });
});

test.each<[string, ConversionRequest]>([
  ['a film that ends soon', film({ t: '5' })],
  ['a film in a slow encoder', film({ t: '3', 'c:v': 'libx265' }, 'b.mkv')],
  ['a part of the input', { inputs: [{ input: 'a.mp4', parameters: { ss: '5000', t: '3' } }], output: 'b.mp4' }],
  [
    'two inputs, of which the output has little',
    { inputs: ['a.mp4', 'b.wav'], output: 'b.mp4', parameters: { t: '3' } },
  ],
  ['frames of little', film({ t: '2' }, 'f%03d.jpg')],
])('a few seconds are light, and weigh a slot at most: %s', (_, request) => {
  expect(workloadOf(wholePlan(request))).toEqual({ lane: 'light', weight: 100 });
});

test.each<[string, ConversionRequest]>([
  ['more seconds', film({ t: '6' })],
  ['a few seconds after much that is decoded', film({ ss: '600', t: '3' })],
  ['a part of one of two inputs', { inputs: [{ input: 'a.mp4', parameters: { t: '3' } }, 'b.wav'], output: 'b.mp4' }],
])('%s are not light', (_, request) => {
  expect(workloadOf(wholePlan(request)).lane).toBe('full');
});

test.each<[string, ConversionRequest]>([
  ['the black of a film', { ...film({ c: 'copy' }), cut: { remove: { black: {} } } }],
  [
    'the still pictures of a film, of which the output has little',
    { ...film({ t: '3' }), cut: { remove: { freeze: {} } } },
  ],
])('a cut that first measures %s takes a slot', (_, request) => {
  expect(workloadOf(wholePlan(request))).toEqual({ lane: 'full', weight: 100 });
});

test('a copy of the parts of a film with sound weighs what measuring the sound does', () => {
  const copy = { ...film({ c: 'copy' }), cut: { remove: { silence: {} } } };
  expect(workloadOf(wholePlan(copy))).toEqual({ lane: 'light', weight: 50 });
});

test.each(['libx265', 'libsvtav1', 'libvpx-vp9'])('a film of %s weighs two slots', (encoder) => {
  expect(workloadOf(wholePlan(film({ 'c:v': encoder }, 'b.mkv')))).toEqual({ lane: 'full', weight: 200 });
});

test('each rendition of HLS weighs a slot', () => {
  const maps = { map: ['0:v', '0:a', '0:v', '0:a'], 'c:v': 'libx264', 'c:a': 'aac' };
  const variants = film({ ...maps, var_stream_map: 'v:0,a:0 v:1,a:1' }, 'v%v.m3u8');
  expect(workloadOf(wholePlan(variants))).toEqual({ lane: 'full', weight: 200 });
});
