import { execFile } from 'node:child_process';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { changedFiles, checkedOutCommit } from '../../scripts/release/checkout.ts';
import { testFolder } from '../support/folders.ts';

const SECONDS = 1_795_000_000;

test('names each file that a release would contain beside its commit', async () => {
  const tree = await testFolder('checkout');
  const identity = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b.example' };
  const committer = {
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@b.example',
    GIT_COMMITTER_DATE: `@${SECONDS} +0200`,
  };
  const git = (...args: readonly string[]) =>
    promisify(execFile)('git', args, { cwd: tree, env: { ...process.env, ...identity, ...committer } });
  const write = (name: string, text = name) => writeFile(join(tree, name), text);
  await git('init', '--quiet');
  await write('.gitignore', 'ignored\n');
  for (const name of ['changed file', 'deleted', 'renamed', 'same']) await write(name);
  await git('add', '.');
  await git('commit', '--quiet', '--message', 'All files');
  await write('ignored');
  expect(await changedFiles(tree)).toEqual([]);
  expect(await checkedOutCommit(tree)).toEqual({ id: expect.stringMatching(/^[\da-f]{40}$/), seconds: SECONDS });

  await write('changed file', 'other');
  await rm(join(tree, 'deleted'));
  await rename(join(tree, 'renamed'), join(tree, 'new name'));
  await git('add', '.');
  await write('untracked');
  expect((await changedFiles(tree)).toSorted()).toEqual([
    'changed file',
    'deleted',
    'new name',
    'renamed',
    'untracked',
  ]);
});
