import type { Watch } from '@telecine/client';
import { expect, test } from 'vitest';
import {
  changeOfWatch,
  hasWholeRequest,
  isOfRecipe,
  requestFor,
  suggestTemplate,
  templateFor,
  templatesOf,
  withOutputs,
  withRecipe,
} from './watch-draft.ts';

const preset = { name: 'web-h264' };
const SUGGESTED = 'out/{folder}{name}.mp4';

test('settings of the workbench keep their outputs, each with its own name', () => {
  const outputs = [{ output: 'a', parameters: { crf: '20' } }, { output: 'b' }];
  const request = withOutputs({ outputs }, ['out/{name}.mp4', 'out/{name}.jpg']);
  expect(request).toEqual({
    outputs: [{ output: 'out/{name}.mp4', parameters: { crf: '20' } }, { output: 'out/{name}.jpg' }],
  });
  expect(templatesOf(request)).toEqual(['out/{name}.mp4', 'out/{name}.jpg']);
});

test('outputs are suggested outside of the watched folder, and manifests in a folder of their own', () => {
  expect(suggestTemplate('in/', 'mp4')).toBe('out/{folder}{name}.mp4');
  expect(suggestTemplate('out', 'mp4')).toBe('converted/{folder}{name}.mp4');
  expect(suggestTemplate('in/', 'm3u8')).toBe('out/{folder}{name}/index.m3u8');
});

test('an example shows what a template makes of a file', () => {
  const now = new Date('2026-01-31T12:00:00Z');
  const example = (output: string, folder: string, file: string) => requestFor({ output }, folder, file, now).output;
  expect(example('out/{folder}{name}-{height}p.mp4', 'in/', 'in/mon/take 1.mov')).toBe('out/mon/take 1-1080p.mp4');
  expect(example('out/{date}/{name}.mp4', '/', 'a.mov')).toBe('out/2026-01-31/a.mp4');
});

const WATCH = {
  ...{ watchId: 'W', folder: 'in/', name: 'incoming', subfolders: true, patterns: ['*.mov', '*.mxf'] },
  request: { output: SUGGESTED, preset },
  ...{ source: { moveTo: 'done/' }, changed: 'ignore', existing: 'convert', settleSeconds: 10, maxUnfinished: 20 },
  ...{ exclude: ['*_proxy.mov'], every: 60 },
} as unknown as Watch;

test('only what was changed in the form is changed of a watch', () => {
  const change = (changed: object) => changeOfWatch(WATCH, { ...WATCH, ...changed });
  expect(change({})).toEqual({});
  expect(change({ patterns: undefined, name: undefined })).toEqual({ patterns: null, name: null });
  expect(change({ request: { output: 'web/{name}.mp4', preset } })).toEqual({
    request: { output: 'web/{name}.mp4', preset },
  });
  expect(change({ source: 'keep' })).toEqual({ source: 'keep' });
  expect(change({ exclude: undefined, every: undefined })).toEqual({ exclude: null, every: null });
});

test('the outputs of a request whose secrets are hidden cannot be changed: the secrets would be lost', () => {
  expect(hasWholeRequest(WATCH)).toBe(true);
  const { request } = WATCH;
  for (const secret of [{ encrypt: { keyUri: 'k' } }, { callbackUrl: 'https://a.example/?(hidden)' }])
    expect(hasWholeRequest({ request: { ...request, ...secret } as Watch['request'] })).toBe(false);
});

test('another recipe replaces what a watch does, and keeps its priority and whether files are replaced', () => {
  const before = { output: SUGGESTED, format: 'mp4', preset, priority: 3, parameters: { y: '' } };
  expect(isOfRecipe(before)).toBe(true);
  expect(withRecipe(before, { name: 'audio-mp3' }, 'out/{name}.mp3')).toEqual({
    output: 'out/{name}.mp3',
    preset: { name: 'audio-mp3' },
    priority: 3,
    parameters: { y: '' },
  });
  expect(withRecipe(before, { name: 'web-h264', arguments: { height: 720 } }, SUGGESTED)).toEqual({
    ...before,
    preset: { name: 'web-h264', arguments: { height: 720 } },
  });
  const ofWorkbench = { outputs: [{ output: 'a/{name}.mp4' }, { output: 'b/{name}.jpg' }], parameters: { crf: '20' } };
  expect(isOfRecipe(ofWorkbench)).toBe(false);
  expect(withRecipe(ofWorkbench, preset, SUGGESTED)).toEqual({ output: SUGGESTED, preset });
});

test('a template gets an extension that the recipe can make', () => {
  expect(templateFor('out/{folder}{name}.mp4', { outputs: ['mp3', 'm4a'] })).toBe('out/{folder}{name}.mp3');
  expect(templateFor('out/{name}.m4a', { outputs: ['mp3', 'm4a'] })).toBe('out/{name}.m4a');
  expect(templateFor('out.d/{name}', { outputs: ['mp3'] })).toBe('out.d/{name}.mp3');
});
