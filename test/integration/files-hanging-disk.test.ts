import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { NEVER } from '../../packages/contract/src/domain/steps.ts';
import type { UploadParts } from '../../packages/service/src/files/ports.ts';
import type { LocalFiles } from '../../packages/service/src/media/local/files/local-files.ts';
import { diskOf, recentMounts } from '../../packages/service/src/media/local/paths/mounts.ts';
import { remoteCalls } from '../../packages/service/src/media/local/paths/remote-calls.ts';
import { localRoot } from '../../packages/service/src/media/local/paths/root-boundary.ts';
import { openLocalFiles } from '../fixtures/local-files.ts';
import { at } from '../fixtures/media-plans.ts';
import { needs, OTHER_DISK } from '../support/needs.ts';
import { replaceFsCall } from '../support/replace-fs-call.ts';

const TIMEOUT_MS = 1000;

const anything = () => {};

async function* noBytes(): AsyncGenerator<Uint8Array> {}

/** Opens the file store as if its disk were a network disk, whose calls take turns. */
async function openRemote() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const t = await openLocalFiles();
  onTestFinished(() => t.close());
  const calls = remoteCalls({ timeoutMs: TIMEOUT_MS });
  const files = await t.restart({ disks: { isLocal: async () => false, calls } });
  /** Lets a call to the disk have no reply for so long that the disk counts as one that hangs. */
  const hang = async (): Promise<void> => {
    const call = calls(diskOf(recentMounts(), t.mediaRoot), () => new Promise(() => {}));
    call.catch(() => {});
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS);
    await expect(call).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  };
  return { ...t, files, hang };
}

type Names<T> = {
  readonly [K in keyof T as T[K] extends ((...args: never[]) => unknown) | undefined ? K : never]-?: unknown;
};

test('no request waits for a disk that is known to hang, or takes a thread of the service', async () => {
  const { files, root, hang } = await openRemote();
  const begun = { uploadId: randomUUID(), clientId: 'own', root, path: at('film.mp4'), sizeBytes: 5, offsetBytes: 0 };
  const upload = { ...begun, data: '' };
  await files.parts.begin(upload, anything);
  const folder = { folder: '', nameStart: '', limit: 5 };
  const entryId = '2026-11-30.120000000-0123456789ab-0-5';
  const { parts } = files;
  // Each method has its line, so that a new one does not compile without one.
  const ofParts: Names<UploadParts> = {
    begin: () => parts.begin({ ...upload, uploadId: randomUUID() }, anything),
    append: () => parts.append(upload, noBytes(), async () => {}),
    publish: () => parts.publish(upload, { check: anything, save: async () => {} }),
    remove: () => parts.remove(upload),
    list: () => parts.list?.(),
  };
  const ofFiles: Names<Omit<LocalFiles, 'close' | 'binOf'>> = {
    open: () => files.open(root, at('a.mp4')),
    remove: () => files.remove(root, at('a.mp4')),
    move: () => files.move(root, at('a.mp4'), at('b.mp4'), { replace: false }),
    createFolder: () => files.createFolder(root, at('m')),
    listBin: () => files.listBin(root),
    pathInBin: () => files.pathInBin(root, entryId),
    restoreFromBin: () => files.restoreFromBin(root, entryId, at('a.mp4')),
    purgeFromBin: () => files.purgeFromBin(root, entryId),
    freeBytes: () => files.freeBytes(root),
    walk: () => files.walk(root, '', NEVER)[Symbol.asyncIterator]().next(),
    list: () => files.list(root, folder),
    search: () => files.search(root, { ...folder, matches: () => true, maxNames: 9 }, NEVER),
    listTree: () => files.listTree(root, at('m'), 9, NEVER),
  };
  const removals = {
    removeFolder: () => files.remove(root, at('m'), { isFolder: true }),
    keepInBin: () => files.remove(root, at('a.mp4'), { keep: true }),
  };
  await hang();
  const asked = Object.entries({ ...ofParts, ...ofFiles, ...removals }) as [string, () => Promise<unknown>][];
  for (const [name, ask] of asked)
    await expect(ask(), name).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 5 });
});

needs('another disk')(
  'changes of files wait for no change that hangs on another disk, and for one on their own',
  async () => {
    const t = await openLocalFiles();
    const folder = await mkdtemp(join(OTHER_DISK, 'telecine-files-'));
    onTestFinished(async () => {
      await t.close();
      await rm(folder, { recursive: true });
    });
    const other = localRoot(folder);
    for (const root of [t.mediaRoot, folder]) await writeFile(join(root, 'a.mp4'), 'film');
    const [begun, reply] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    replaceFsCall('link', (link) => async (from, to) => {
      begun.resolve();
      await reply.promise;
      return link(from, to);
    });
    const ended: string[] = [];
    const move = t.files.move(t.root, at('a.mp4'), at('b.mp4'), { replace: false }).then(() => ended.push('move'));
    await begun.promise;
    const later = t.files.createFolder(t.root, at('m')).then(() => ended.push('folder of the same disk'));
    await t.files.createFolder(other, at('m'));
    await t.files.remove(other, at('a.mp4'));
    ended.push('changes of the other disk');
    reply.resolve();
    await Promise.all([move, later]);
    expect(ended).toEqual(['changes of the other disk', 'move', 'folder of the same disk']);
  },
);
