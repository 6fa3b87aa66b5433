import type { Caller } from '@telecine/contract/domain/client.ts';
import { expect, test } from 'vitest';
import { UNCOUNTED } from '../../../../test/support/uncounted-files.ts';
import { fileOperations } from './file-operations.ts';
import type { FileStore } from './ports.ts';

const callerOf = (clientId: string) =>
  ({ clientId, root: { pathPrefix: '/m', grants: [] }, policy: {} }) as unknown as Caller;
const AMY = callerOf('amy');

/** Operations on a disk where folders move only once `end` is called. `entry`: a folder in the bin. */
function slowDisk() {
  const { promise, resolve: end } = Promise.withResolvers<void>();
  const files = fileOperations({
    ...{ keepSeconds: 60, stored: UNCOUNTED },
    unfinished: { unfinished: async function* () {} },
    store: {
      move: async (...[, , path, { isFolder }]: Parameters<FileStore['move']>) => {
        if (isFolder) await promise;
        return { path };
      },
      binOf: async () => 'folder',
      pathInBin: async () => 'bin/',
      remove: async (...[, path, { isFolder } = {}]: Parameters<FileStore['remove']>) => {
        if (isFolder) await promise;
        return { entryId: 'entry', path, bytes: 5, deletedAt: new Date() };
      },
    },
  } as unknown as Parameters<typeof fileOperations>[0]);
  return { files, end };
}

test('a client changes two folders at once, and files besides them', async () => {
  const { files, end } = slowDisk();
  const move = (caller: Caller, from: string, to: string) => files.move(caller, { from, to, replace: false });
  const first = [move(AMY, 'a/', 'b/'), files.removeAll(AMY, { paths: ['c.mp4', 'c/'], keep: true })];
  const isLimited = { code: 'RATE_LIMITED', message: expect.stringContaining('folders of this client') };
  await expect(move(AMY, 'd/', 'e/')).rejects.toMatchObject(isLimited);
  await expect(files.removeAll(AMY, { paths: ['d/'], keep: true })).rejects.toMatchObject(isLimited);
  await expect(files.restore(AMY, 'entry')).rejects.toMatchObject(isLimited);
  expect(await move(AMY, 'a.mp4', 'b.mp4')).toMatchObject({ path: 'b.mp4' });
  expect((await files.removeAll(AMY, { paths: ['c.mp4'], keep: true })).failed).toEqual([]);
  const other = move(callerOf('bob'), 'a/', 'b/');
  end();
  await Promise.all([...first, other]);
  expect(await move(AMY, 'd/', 'e/')).toMatchObject({ path: 'e' });
});
