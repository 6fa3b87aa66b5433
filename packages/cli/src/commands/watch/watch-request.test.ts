import { Command } from 'commander';
import { expect, test } from 'vitest';
import { findVerb, readRequest } from '../../session/operation-verbs.ts';
import { optionOf } from '../../session/verb-options.ts';
import { pathOnServer } from '../convert/file-names.ts';
import { watchIdOf } from './named-watch.ts';
import { addRequestOptions, withRequest, withRequestChange } from './watch-request.ts';

/** The body of a verb with these words, of which the first is its argument. */
async function bodyOf(name: 'watch add' | 'watch change', words: readonly string[]) {
  const verb = findVerb(name);
  const command = new Command()
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .argument('<what>');
  for (const member of verb.members) if (!member.isRequired) command.addOption(optionOf(member));
  addRequestOptions(command).parse(words, { from: 'user' });
  const sent = await readRequest(verb, command, (member, text) =>
    member === 'folder' ? pathOnServer(text) : undefined,
  );
  const complete = name === 'watch add' ? withRequest : withRequestChange;
  return (await complete(sent, command.opts())).body;
}

const added = (...words: readonly string[]) => bodyOf('watch add', words);

const changed = (...words: readonly string[]) => bodyOf('watch change', ['incoming', ...words]);

test('a folder and a format are enough, and the folders below are kept', async () => {
  expect(await added('server:in', '--to', 'out', '-f', 'mp4', '--preset', 'web-h264')).toEqual({
    folder: 'in',
    request: { output: 'out/{folder}{name}.mp4', format: 'mp4', preset: { name: 'web-h264' } },
  });
});

test('the options of a watch become its members', async () => {
  const conversion = ['--to', 'out/{name}-{height}p.mp4', '-p', 'crf=23', '-y', '--priority', '-5', '--strict'];
  const files = ['--pattern', '*.mov', '--exclude', '*_proxy.mov', '--subfolders', 'false', '--changed', 'convert'];
  const rest = [
    '--name',
    'incoming',
    '--source',
    'done/',
    '--settle-seconds',
    '30',
    '--max-unfinished',
    '5',
    '--every',
    '1m',
  ];
  expect(await added('s3://camera/in/', ...conversion, ...files, '--existing', 'ignore', ...rest)).toEqual({
    folder: 's3://camera/in/',
    name: 'incoming',
    patterns: ['*.mov'],
    subfolders: false,
    request: { output: 'out/{name}-{height}p.mp4', parameters: { crf: '23', y: '' }, priority: -5, strict: true },
    source: { moveTo: 'done/' },
    changed: 'convert',
    existing: 'ignore',
    settleSeconds: 30,
    maxUnfinished: 5,
    exclude: ['*_proxy.mov'],
    every: 60,
  });
});

test('one name for all outputs is rejected with a template, and a folder without a format with an example', async () => {
  await expect(added('in/', '--to', 'out/a.mp4')).rejects.toMatchObject({
    fix: "Name a folder: --to out/, or all files: --to 'out/{name}.mp4'.",
  });
  await expect(added('in/', '--to', 'out')).rejects.toMatchObject({
    fix: "Add their format, such as -f mp4. Or name them: --to 'out/{folder}{name}.mp4'.",
  });
});

test('a watch is found by its name, its folder or its id, but not if two have it', async () => {
  const ID = '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e16';
  const watches = [
    { watchId: 'A', name: 'incoming', folder: 'in/' },
    { watchId: 'B', folder: 'cards/' },
    { watchId: 'C', folder: 'cards/' },
    { watchId: ID, folder: 'more/' },
  ];
  const find = (text: string) => watchIdOf(text, async () => ({ watches }));
  expect(await Promise.all([find('incoming'), find('server:in'), find(ID)])).toEqual(['A', 'A', ID]);
  await expect(find('cards/')).rejects.toMatchObject({ code: 'SEVERAL_WATCHES', fix: 'Write the id of one: B, C.' });
  await expect(find('none')).rejects.toMatchObject({ code: 'WATCH_NOT_FOUND' });
});

test('a change has only what its options say, and an empty value removes a setting', async () => {
  expect(await changed('--pattern', '*.mov', '--source', 'keep', '--settle-seconds', '30')).toEqual({
    patterns: ['*.mov'],
    source: 'keep',
    settleSeconds: 30,
  });
  expect(await changed('--pattern', '', '--exclude', '', '--name', '', '--subfolders', 'true')).toEqual({
    ...{ patterns: null, exclude: null, name: null, subfolders: true },
  });
  expect(await changed('--to', 'web/', '-f', 'mp4', '-p', 'crf=23')).toEqual({
    request: { output: 'web/{folder}{name}.mp4', format: 'mp4', parameters: { crf: '23' } },
  });
});

test('a change of the request names its outputs, because it replaces the request as a whole', async () => {
  await expect(changed('--preset', 'web-h264')).rejects.toMatchObject({ code: 'NO_OUTPUT' });
});

test('a source that is not meant as a folder is rejected with what to write', async () => {
  const sourceOf = async (text: string) =>
    (await added('in/', '--to', 'out/', '-f', 'mp4', '--source', text))?.['source'];
  expect(await sourceOf('delete')).toBe('delete');
  expect(await sourceOf('server:done/')).toEqual({ moveTo: 'done/' });
  expect(await sourceOf('move/')).toEqual({ moveTo: 'move/' });
  await expect(sourceOf('move')).rejects.toThrow('Use keep, delete, or a folder with a slash at its end: move/.');
});
