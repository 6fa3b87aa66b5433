import { expect, test } from 'vitest';
import { missingPreviewText } from './missing-preview.ts';
import { firstFrameOf, previewRequest } from './preview-request.ts';

const PART = { at: 12, seconds: 3 };

test('a preview converts a part with the options of the request, and expires', () => {
  const request = {
    input: 'in.mov',
    output: 'films/out.mp4',
    parameters: { 'c:v': 'libx264', crf: '30', ss: '5', t: '60', y: '' },
    metadata: { order: '1' },
    callbackUrl: 'https://example.com',
  };
  expect(previewRequest(request, PART, 'one')).toEqual({
    inputs: [{ input: 'in.mov', parameters: { ss: '12', t: '3' } }],
    output: 'console-previews/one.mp4',
    parameters: { 'c:v': 'libx264', crf: '30' },
    expiresAfterSeconds: 1800,
  });
});

test('the first frame is converted with the options of the preview, and alone', () => {
  const preview = { input: 'in.mov', output: 'a.mp4', parameters: { crf: '30' } };
  expect(firstFrameOf(preview)).toEqual({ ...preview, parameters: { crf: '30', 'frames:v': '1' } });
  const fallback = { 'c:v': 'libx264' };
  expect(firstFrameOf({ ...preview, fallback }).fallback).toEqual({ ...fallback, 'frames:v': '1' });
});

test('the part replaces that of the request, and inputs keep their other options', () => {
  const inputs = [{ input: 'in.mov', parameters: { ss: '5', to: '60', r: '25' } }, 'logo.png'];
  expect(previewRequest({ inputs, output: 'out.webm' }, PART, 'one')?.inputs).toEqual([
    { input: 'in.mov', parameters: { ss: '12', t: '3', r: '25' } },
    'logo.png',
  ]);
});

test('no other input makes a preview longer', () => {
  const inputs = ['in.mov', 'music.mp3'];
  expect(previewRequest({ inputs, output: 'out.mp4', parameters: { t: '60' } }, PART, 'one')?.parameters).toEqual({
    t: '3',
  });
});

test('subtitles that are burnt in are those of the part', () => {
  const inputs = [{ input: 'in.mov', parameters: { ss: '2' } }, 'in.srt'];
  const request = { inputs, output: 'out.mp4', parameters: { vf: 'scale=2:2,subtitles=in.srt' } };
  expect(previewRequest(request, PART, 'one')).toMatchObject({
    inputs: [{ input: 'in.mov', parameters: { ss: '12', t: '3' } }, 'in.srt'],
    parameters: { vf: 'setpts=PTS+(10)/TB,scale=2:2,subtitles=in.srt,setpts=PTS-(10)/TB', t: '3' },
  });
  const plain = { ...request, parameters: { vf: 'scale=2:2' } };
  expect(previewRequest(plain, PART, 'one')?.parameters).toEqual({ vf: 'scale=2:2', t: '3' });
});

test('of several outputs, a preview writes the first', () => {
  const outputs = [{ output: 'a.mkv', format: 'matroska', parameters: { crf: '20' } }, { output: 'b.mp4' }];
  expect(previewRequest({ input: 'in.mov', outputs, parameters: { 'c:v': 'libx264' } }, PART, 'one')).toMatchObject({
    output: 'console-previews/one.mkv',
    format: 'matroska',
    parameters: { 'c:v': 'libx264', crf: '20' },
  });
});

test('a preview has what replaces the options where there is no device', () => {
  const request = { input: 'in.mov', output: 'a.mp4', parameters: { 'c:v': 'h264_nvenc' } };
  const software = { 'c:v': 'libx264', t: '60' };
  expect(previewRequest({ ...request, fallback: software }, PART, 'one')?.fallback).toEqual({ 'c:v': 'libx264' });
  const { output, parameters, ...rest } = request;
  const outputs = [{ output, parameters, fallback: software }];
  expect(previewRequest({ ...rest, parameters: { an: '' }, outputs }, PART, 'one')?.fallback).toEqual({
    ...{ an: '', 'c:v': 'libx264' },
  });
});

test.each([
  ['joined inputs', { inputs: ['a.mp4', 'b.mp4'], output: 'c.mp4', join: 'encode' as const }],
  ['a source', { inputs: [{ source: 'testsrc' }], output: 'c.mp4' }],
  ['no input', { output: 'c.mp4' }],
])('there is no preview of %s', (_what, request) => {
  expect(previewRequest(request, PART, 'one')).toBeUndefined();
  expect(missingPreviewText(request)).toMatch(/^There is no preview of .* to see a preview/);
});

test('a recipe is not converted for a preview by its name', () => {
  const request = { input: 'a.mp4', output: 'b.mp4', preset: { name: 'web-video' } };
  expect(previewRequest(request, PART, 'one')).toBeUndefined();
});

test('a source that is elsewhere has no preview, and a stored one has', () => {
  expect(missingPreviewText({ input: 'https://example.com/in.mp4', output: 'a.mp4' })).toContain('does not store');
  expect(missingPreviewText({ inputs: [{ input: 'in.mp4', parameters: { r: '25' } }], output: 'a.mp4' })).toBe(
    undefined,
  );
});

test('subtitles of a part that counts from the end of the film, or keeps its times, are those of the preview', () => {
  const vf = 'subtitles=in.srt';
  const drawn = (parameters: Record<string, string>, own: Record<string, string> = {}) =>
    previewRequest({ inputs: [{ input: 'in.mov', parameters: own }], output: 'out.mp4', parameters }, PART, 'one', 60);
  const by = (seconds: number) => ({ vf: `setpts=PTS+(${seconds})/TB,${vf},setpts=PTS-(${seconds})/TB` });
  for (const request of [drawn({ vf }, { sseof: '-55' }), drawn({ vf, sseof: '-55' })]) {
    expect(request?.parameters).toEqual(by(7));
    expect(request?.inputs).toEqual([{ input: 'in.mov', parameters: { ss: '12', t: '3' } }]);
  }
  expect(drawn({ vf, copyts: '', start_at_zero: '' }, { ss: '5' })?.parameters).toEqual(by(12));
});

test('a fade of the whole film is not one of the preview', () => {
  const request = { input: 'in.mov', output: 'out.mp4', parameters: { vf: 'fade=t=in:d=1,scale=2:2' } };
  expect(previewRequest(request, PART, 'one')?.parameters?.['vf']).toMatch(/^setpts=PTS\+\(12\)\/TB,fade=t=in:d=1,/);
});

test('an image of a part that counts from the end has one start', () => {
  const parameters = { sseof: '-5', 'frames:v': '1', copyts: '' };
  expect(previewRequest({ input: 'in.mov', output: 'out.jpg', parameters }, PART, 'one', 60)).toMatchObject({
    inputs: [{ input: 'in.mov', parameters: { ss: '12', t: '3' } }],
    parameters: { 'frames:v': '1' },
  });
});

test.each(['vf', 'filter', 'filter:v', 'filter:v:0'])('subtitles in %s are those of the part', (name) => {
  const request = { input: 'in.mov', output: 'out.mp4', parameters: { [name]: 'subtitles=in.srt' } };
  expect(previewRequest(request, PART, 'one')?.parameters).toEqual({
    [name]: 'setpts=PTS+(12)/TB,subtitles=in.srt,setpts=PTS-(12)/TB',
  });
});
