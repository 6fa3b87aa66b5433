import type { Watch } from '@telecine/client';
import { expect, test } from 'vitest';
import {
  changeOfDraft,
  draftOfWatch,
  EMPTY_WATCH,
  exampleOutput,
  hasWholeRequest,
  isOfRecipe,
  suggestTemplate,
  templateFor,
  templatesOf,
  watchFromDraft,
  withoutSchedule,
  withRecipe,
} from './watch-draft.ts';

const preset = { name: 'web-h264' };
const SUGGESTED = 'out/{folder}{name}.mp4';

test('a folder and a recipe are a watch, whose outputs have suggested names', () => {
  const draft = { ...EMPTY_WATCH, folder: 'in' };
  expect(watchFromDraft(draft, { preset }, SUGGESTED)).toEqual({
    folder: 'in',
    request: { output: SUGGESTED, preset },
  });
  expect(watchFromDraft(draft, {}, SUGGESTED)).toBeUndefined();
  expect(watchFromDraft(EMPTY_WATCH, { preset }, SUGGESTED)).toBeUndefined();
});

test('the fields of the form become members of the watch', () => {
  const draft = {
    ...EMPTY_WATCH,
    folder: 'in/',
    patterns: '*.mov, *.MXF',
    subfolders: false,
    source: 'move' as const,
    moveTo: 'done',
    isChangedConverted: true,
    isExistingIgnored: true,
    name: ' incoming ',
    exclude: '*_proxy.mov',
    every: '60',
    maxUnfinished: '5',
  };
  expect(watchFromDraft(draft, { preset }, SUGGESTED)).toEqual({
    folder: 'in/',
    name: 'incoming',
    patterns: ['*.mov', '*.MXF'],
    subfolders: false,
    source: { moveTo: 'done' },
    changed: 'convert',
    existing: 'ignore',
    maxUnfinished: 5,
    exclude: ['*_proxy.mov'],
    every: 60,
    request: { output: SUGGESTED, preset },
  });
});

test('settings of the workbench keep their outputs, each with its own name', () => {
  const base = { outputs: [{ output: 'a', parameters: { crf: '20' } }, { output: 'b' }] };
  const watch = watchFromDraft(
    { ...EMPTY_WATCH, folder: 'in/', outputs: ['out/{name}.mp4', 'out/{name}.jpg'] },
    { base },
    '',
  );
  expect(watch?.request).toEqual({
    outputs: [{ output: 'out/{name}.mp4', parameters: { crf: '20' } }, { output: 'out/{name}.jpg' }],
  });
  expect(templatesOf(watch?.request ?? {})).toEqual(['out/{name}.mp4', 'out/{name}.jpg']);
});

test('outputs are suggested outside of the watched folder, and manifests in a folder of their own', () => {
  expect(suggestTemplate('in/', 'mp4')).toBe('out/{folder}{name}.mp4');
  expect(suggestTemplate('out', 'mp4')).toBe('converted/{folder}{name}.mp4');
  expect(suggestTemplate('in/', 'm3u8')).toBe('out/{folder}{name}/index.m3u8');
});

test('an example shows what a template makes of a file', () => {
  const now = new Date('2026-01-31T12:00:00Z');
  expect(exampleOutput('out/{folder}{name}-{height}p.mp4', 'in/', 'in/mon/take 1.mov', now)).toBe(
    'out/mon/take 1-1080p.mp4',
  );
  expect(exampleOutput('out/{date}/{name}.mp4', '/', 'a.mov', now)).toBe('out/2026-01-31/a.mp4');
});

const WATCH = {
  ...{ watchId: 'W', folder: 'in/', name: 'incoming', subfolders: true, patterns: ['*.mov', '*.mxf'] },
  request: { output: SUGGESTED, preset },
  ...{ source: { moveTo: 'done/' }, changed: 'ignore', existing: 'convert', settleSeconds: 10, maxUnfinished: 20 },
  ...{ exclude: ['*_proxy.mov'], every: 60 },
} as unknown as Watch;

test('a form that was not touched changes nothing of a watch', () => {
  expect(changeOfDraft(WATCH, draftOfWatch(WATCH))).toEqual({});
});

test('only what was changed in the form is changed of a watch', () => {
  const draft = draftOfWatch(WATCH);
  const change = (changed: Partial<typeof draft>) => changeOfDraft(WATCH, { ...draft, ...changed });
  expect(change({ patterns: '', name: ' ' })).toEqual({ patterns: null, name: null });
  expect(change({ outputs: ['web/{name}.mp4'] })).toEqual({ request: { output: 'web/{name}.mp4', preset } });
  expect(change({ source: 'keep' })).toEqual({ source: 'keep' });
  expect(change({ maxUnfinished: '' })).toEqual({ maxUnfinished: 20 });
  expect(change({ exclude: '', every: '' })).toEqual({ exclude: null, every: null });
});

test('the outputs of a request whose secrets are hidden cannot be changed: the secrets would be lost', () => {
  expect(hasWholeRequest(WATCH)).toBe(true);
  const { request } = WATCH;
  for (const secret of [{ encrypt: { keyUri: 'k' } }, { callbackUrl: 'https://a.example/?(hidden)' }])
    expect(hasWholeRequest({ request: { ...request, ...secret } as Watch['request'] })).toBe(false);
});

test('another recipe replaces what a watch does, and keeps its outputs, its priority and whether files are replaced', () => {
  const before = { output: SUGGESTED, format: 'mp4', preset, priority: 3, parameters: { y: '' } };
  expect(isOfRecipe(before)).toBe(true);
  expect(withRecipe(before, { name: 'audio-mp3' })).toEqual({
    output: SUGGESTED,
    preset: { name: 'audio-mp3' },
    priority: 3,
    parameters: { y: '' },
  });
  expect(withRecipe(before, { name: 'web-h264', arguments: { height: 720 } })).toEqual({
    ...before,
    preset: { name: 'web-h264', arguments: { height: 720 } },
  });
  const ofWorkbench = { outputs: [{ output: 'a/{name}.mp4' }, { output: 'b/{name}.jpg' }], parameters: { crf: '20' } };
  expect(isOfRecipe(ofWorkbench)).toBe(false);
  expect(withRecipe(ofWorkbench, preset)).toEqual({ output: 'a/{name}.mp4', preset });
  expect(changeOfDraft(WATCH, draftOfWatch(WATCH), WATCH.request)).toEqual({});
  expect(changeOfDraft(WATCH, draftOfWatch(WATCH), withRecipe(WATCH.request, { name: 'web-av1' }))).toEqual({
    request: { output: SUGGESTED, preset: { name: 'web-av1' } },
  });
});

test('a template gets an extension that the recipe can make', () => {
  expect(templateFor('out/{folder}{name}.mp4', { outputs: ['mp3', 'm4a'] })).toBe('out/{folder}{name}.mp3');
  expect(templateFor('out/{name}.m4a', { outputs: ['mp3', 'm4a'] })).toBe('out/{name}.m4a');
  expect(templateFor('out.d/{name}', { outputs: ['mp3'] })).toBe('out.d/{name}.mp3');
});

test('the check of a watch leaves out a callback whose query is hidden, which the service keeps', () => {
  const watch = (callbackUrl: string) => ({ folder: 'in/', request: { output: 'out/{name}.mp4', callbackUrl } });
  expect(withoutSchedule(watch('https://shop.example/?(hidden)')).request).toEqual({ output: 'out/{name}.mp4' });
  expect(withoutSchedule(watch('https://shop.example/'))).toEqual(watch('https://shop.example/'));
});

test('names and limits do not scan the folder again', () => {
  const watch = { folder: 'in/', patterns: ['*.mov'], request: { output: 'out/{name}.mp4' } };
  expect(
    withoutSchedule({
      ...{ ...watch, name: 'incoming', maxUnfinished: 5, every: 60 },
    }),
  ).toEqual(watch);
});
