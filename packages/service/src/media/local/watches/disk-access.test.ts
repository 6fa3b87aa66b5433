import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NEVER } from '@telecine/contract/domain/steps.ts';
import { expect, onTestFinished, test } from 'vitest';
import { remoteCalls } from '../paths/remote-calls.ts';
import { localAccess } from './disk-access.ts';
import { type DiskTurns, diskCalls } from './disk-calls.ts';

/** A watched folder on a local disk, with symlinks to a share that answers no call: an earlier one has not returned. */
async function folderWithLinks() {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'watch-')));
  onTestFinished(() => rm(root, { recursive: true }));
  for (const folder of ['in', 'nas']) await mkdir(join(root, folder));
  for (const file of ['in/1.mov', 'nas/2.mov']) await writeFile(join(root, file), file);
  for (const name of ['in/2.mov', 'in/3.mov']) await symlink('../nas/2.mov', join(root, name));
  const turns: DiskTurns = new Map([['share', Promise.withResolvers<void>().promise]]);
  const calls = diskCalls(turns, remoteCalls(), NEVER, 20);
  onTestFinished(() => calls[Symbol.dispose]());
  const isLocal = (path: string): boolean => !path.startsWith(join(root, 'nas'));
  const diskOf = (path: string): string => (isLocal(path) ? 'local' : 'share');
  return { root, turns, access: localAccess({ root, top: join(root, 'in'), calls, diskOf, isLocal }, () => false) };
}

test('a symlink to a share that hangs is left out, and the files of the folder are read at once', async () => {
  const { access } = await folderWithLinks();
  const link = access.resolve('in/2.mov');
  expect(access.resolve('in/1.mov')).toMatchObject({ kind: 'found' });
  expect(await link).toMatchObject({ kind: 'missing' });
});

test('of many symlinks to a share that hangs, only the first one waits for it', async () => {
  const { access } = await folderWithLinks();
  await access.resolve('in/2.mov');
  expect(access.resolve('in/3.mov')).toMatchObject({ kind: 'missing' });
});

test('follows a symlink to a share that answers', async () => {
  const { root, turns, access } = await folderWithLinks();
  turns.clear();
  expect(await access.resolve('in/2.mov')).toMatchObject({ kind: 'found', real: join(root, 'nas/2.mov') });
});
