import { expect, test } from 'vitest';
import { watchIdOf } from './named-watch.ts';
import { type AddFlags, newWatchOf, outputTemplate, sourceOf } from './new-watch.ts';
import { watchChangeOf } from './watch-change.ts';
import { wrongVerb } from './wrong-verb.ts';

const flags = (more: Partial<AddFlags> = {}): AddFlags => ({ subfolders: true, ...more });

test('a folder and a format are enough, and the folders below are kept', async () => {
  expect(await newWatchOf('server:in', flags({ to: 'out', format: 'mp4', preset: 'web-h264' }))).toEqual({
    folder: 'in',
    request: { output: 'out/{folder}{name}.mp4', format: 'mp4', preset: { name: 'web-h264' } },
  });
});

test('the flags of a watch become its members', async () => {
  const made = await newWatchOf(
    's3://camera/in/',
    flags({
      to: 'out/{name}-{height}p.mp4',
      parameter: { crf: '23' },
      y: true,
      priority: -5,
      name: 'incoming',
      pattern: ['*.mov'],
      subfolders: false,
      source: 'done',
      changed: true,
      newOnly: true,
      settle: 30,
      maxUnfinished: 5,
      exclude: ['*_proxy.mov'],
      every: 60,
    }),
  );
  expect(made).toEqual({
    folder: 's3://camera/in/',
    name: 'incoming',
    patterns: ['*.mov'],
    subfolders: false,
    request: { output: 'out/{name}-{height}p.mp4', parameters: { crf: '23', y: '' }, priority: -5 },
    source: { moveTo: 'done' },
    changed: 'convert',
    existing: 'ignore',
    settleSeconds: 30,
    maxUnfinished: 5,
    exclude: ['*_proxy.mov'],
    every: 60,
  });
});

test('one name for all outputs is rejected with a template, and a folder without a format with an example', () => {
  expect(() => outputTemplate('out/a.mp4', undefined, true)).toThrow(
    expect.objectContaining({ fix: "Name a folder: --to out/, or all files: --to 'out/{name}.mp4'." }),
  );
  expect(() => outputTemplate('out', undefined, true)).toThrow(
    expect.objectContaining({ fix: "Add their format, such as -f mp4. Or name them: --to 'out/{folder}{name}.mp4'." }),
  );
});

test('a watch is found by its name, its folder or its id, but not if two have it', async () => {
  const ID = '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e16';
  const watches = [
    { watchId: 'A', name: 'incoming', folder: 'in/' },
    { watchId: 'B', folder: 'cards/' },
    { watchId: 'C', folder: 'cards/' },
  ];
  const client = { watches: async () => ({ watches }) } as unknown as Parameters<typeof watchIdOf>[0];
  const { signal } = new AbortController();
  const find = (text: string) => watchIdOf(client, text, signal);
  expect(await Promise.all([find('incoming'), find('server:in'), find(ID)])).toEqual(['A', 'A', ID]);
  await expect(find('cards/')).rejects.toMatchObject({ code: 'SEVERAL_WATCHES', fix: 'Write the id of one: B, C.' });
  await expect(find('none')).rejects.toMatchObject({ code: 'WATCH_NOT_FOUND' });
});

test('a change has only what its flags say, and a flag with "no" removes a setting', async () => {
  expect(await watchChangeOf({ pattern: ['*.mov'], source: 'keep', settle: 30 })).toEqual({
    patterns: ['*.mov'],
    source: 'keep',
    settleSeconds: 30,
  });
  expect(
    await watchChangeOf({ pattern: false, exclude: false, name: false, changed: false, subfolders: false }),
  ).toEqual({
    ...{ patterns: null, name: null, changed: 'ignore', subfolders: false },
    exclude: null,
  });
  expect(await watchChangeOf({ to: 'web/', format: 'mp4', parameter: { crf: '23' } })).toEqual({
    request: { output: 'web/{folder}{name}.mp4', format: 'mp4', parameters: { crf: '23' } },
  });
});

test('a change of the request names its outputs, because it replaces the request as a whole', async () => {
  await expect(watchChangeOf({ preset: 'web-h264' })).rejects.toMatchObject({ code: 'NO_OUTPUT' });
  await expect(watchChangeOf({})).rejects.toMatchObject({ code: 'NO_CHANGE' });
});

test('a word that is not a verb is one with a mistake, or the name of a watch', () => {
  const verbs = ['list', 'show', 'pause', 'resume'];
  expect(wrongVerb('pasue', ['incoming'], verbs)).toContain('Did you mean "pause"?');
  expect(wrongVerb('incoming', [], verbs)).toContain('telecine watch show incoming');
  expect(wrongVerb('stop', ['incoming'], verbs)).toBe('unknown command "stop". Use one of: list, show, pause, resume.');
});

test('a source that is not meant as a folder is rejected with what to write', () => {
  expect(sourceOf('delete')).toBe('delete');
  expect(sourceOf('server:done/')).toEqual({ moveTo: 'done/' });
  expect(sourceOf('move/')).toEqual({ moveTo: 'move/' });
  expect(() => sourceOf('move')).toThrow(expect.objectContaining({ fix: expect.stringContaining('--source done/') }));
});
