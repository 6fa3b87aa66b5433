import { expect, test } from 'vitest';
import { EMPTY_WATCH, exampleOutput, suggestTemplate, templatesOf, watchFromDraft } from './watch-draft.ts';

const preset = { name: 'web-h264' };
const SUGGESTED = 'out/{folder}{name}.mp4';

test('a folder and a recipe are a watch, whose outputs have suggested names', () => {
  const draft = { ...EMPTY_WATCH, folder: 'in' };
  expect(watchFromDraft(draft, { preset }, SUGGESTED)).toEqual({
    folder: 'in/',
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
    hasHours: true,
    days: ['sat', 'sun'] as const,
    maxUnfinished: '5',
  };
  expect(watchFromDraft(draft, { preset }, SUGGESTED)).toEqual({
    folder: 'in/',
    name: 'incoming',
    patterns: ['*.mov', '*.MXF'],
    subfolders: false,
    source: { moveTo: 'done/' },
    changed: 'convert',
    existing: 'ignore',
    maxUnfinished: 5,
    activeHours: [{ days: ['sat', 'sun'], from: '22:00', to: '06:00' }],
    timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
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
