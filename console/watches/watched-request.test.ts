import { expect, test } from 'vitest';
import { watchedRequest } from './watched-request.ts';

test('the settings of the workbench apply to all files of the folder of the source', () => {
  const parameters = { crf: '23' };
  expect(
    watchedRequest({ input: 'in/clip.mov', output: 'in/clip-small.mp4', parameters, after: ['J'], priority: 2 }),
  ).toEqual({
    folder: 'in/',
    request: { output: 'out/{folder}{name}-small.mp4', parameters, priority: 2 },
  });
});

test('the options of the source and further sources stay', () => {
  const inputs = [{ input: 'in/clip.mov', parameters: { ss: '10' } }, 'logos/a.png'];
  expect(watchedRequest({ inputs, output: 'web/clip/clip.m3u8' })).toEqual({
    folder: 'in/',
    request: {
      inputs: [{ input: '{path}', parameters: { ss: '10' } }, 'logos/a.png'],
      output: 'web/{name}/{name}.m3u8',
    },
  });
});

test('outputs whose names do not contain that of the source get names of their own', () => {
  const outputs = [{ output: 'web/film.mp4' }, { output: 'web/clip.jpg' }];
  expect(watchedRequest({ input: 'out/clip.mov', outputs }).request.outputs).toEqual([
    { output: 'converted/{folder}{name}.mp4' },
    { output: 'web/{name}.jpg' },
  ]);
});

test('a source outside of a folder names no folder', () => {
  expect(watchedRequest({ input: 'clip.mov', output: 'clip.mp4' })).toMatchObject({
    folder: '',
    request: { output: 'out/{folder}{name}.mp4' },
  });
  expect(watchedRequest({ input: 'https://example.org/a/clip.mov', output: 'clip.mp4' }).folder).toBe('');
});

test('a name that is in what was added to it is replaced once', () => {
  expect(watchedRequest({ input: 'in/s.mp4', output: 'in/s-2s-5s.mp4' }).request.output).toBe(
    'out/{folder}{name}-2s-5s.mp4',
  );
});

test('a watch keeps where its outputs go, with the formats that were made in the workbench', () => {
  const request = { output: 'out/{folder}{name}.mkv', parameters: { c: 'copy' } };
  const changed = { input: 'in/mon/a.mp4', output: 'out/mon/a.mov', parameters: { crf: '20' } };
  expect(watchedRequest(changed, { folder: 'in/', request })).toEqual({
    folder: 'in/',
    request: { output: 'out/{folder}{name}.mov', parameters: { crf: '20' } },
  });
  const outputs = [{ output: 'a/{name}.mp4' }, { output: 'b/{name}.jpg' }];
  expect(watchedRequest({ ...changed, outputs }, { folder: 'in/', request }).request.outputs).toEqual(outputs);
});
