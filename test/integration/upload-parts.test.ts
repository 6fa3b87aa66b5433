import { randomUUID } from 'node:crypto';
import { link, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test as always, expect, onTestFinished } from 'vitest';
import type { MediaRoot } from '../../packages/contract/src/domain/media-root.ts';
import { Problem } from '../../packages/contract/src/domain/problem.ts';
import type { StoredUpload, UploadParts } from '../../packages/service/src/files/ports.ts';
import { localRoot } from '../../packages/service/src/media/local/paths/root-boundary.ts';
import { uploadPartsContract } from '../contracts/upload-parts.ts';
import { openLocalFiles } from '../fixtures/local-files.ts';
import { at } from '../fixtures/media-plans.ts';
import { afterEachKept } from '../support/after-kept.ts';
import { needs, OTHER_DISK } from '../support/needs.ts';

uploadPartsContract('a local disk', async () => {
  const t = await openLocalFiles();
  return {
    ...t,
    killedOnceKept: async () => {
      const { parts } = await t.restart();
      const killed = Promise.withResolvers<void>();
      const testEnd = Promise.withResolvers<void>();
      // Then the publication goes on and closes its folders, which are gone.
      onTestFinished(() => testEnd.resolve());
      const restore = afterEachKept(() => {
        restore();
        killed.resolve();
        return testEnd.promise;
      });
      return { parts, killed: killed.promise };
    },
    parts: t.files.parts,
    whenGone: 'STORAGE_FAULT',
    again: async () => (await t.restart()).parts,
    hidden: () => readdir(join(t.mediaRoot, '.telecine', 'resumable-test')),
  };
});

/** Begins an upload of "hello" to film.mp4, and appends all of it. */
async function completeUpload(parts: UploadParts, root: MediaRoot): Promise<StoredUpload> {
  const begun = { uploadId: randomUUID(), clientId: 'own', root, path: at('film.mp4'), sizeBytes: 5, offsetBytes: 0 };
  const upload = { ...begun, data: '' };
  await parts.begin(upload, () => {});
  await parts.append(upload, one('hello'), async () => {});
  return { ...upload, offsetBytes: 5 };
}

async function* one(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

needs('another disk')('publishes to another disk after a rejection and a crash, and leaves no copies', async () => {
  const t = await openLocalFiles();
  const media = await mkdtemp(join(OTHER_DISK, 'telecine-uploads-'));
  onTestFinished(async () => {
    await t.close();
    await rm(media, { recursive: true, force: true });
  });
  const { parts } = t.files;
  const upload = await completeUpload(parts, localRoot(media));
  const save = async (change: Partial<StoredUpload>) => {
    last = { ...upload, ...change };
  };
  let last = upload;
  const taken = () => {
    throw new Problem('PRECONDITION_FAILED', 'There is a file.');
  };
  for (let i = 0; i < 2; i++)
    await expect(parts.publish(last, { check: taken, save })).rejects.toMatchObject({ code: 'PRECONDITION_FAILED' });
  const killed = new Error('the service was killed');
  await expect(parts.publish(last, { check: () => {}, save: () => Promise.reject(killed) })).rejects.toBe(killed);
  await parts.publish(last, { check: () => {}, save });
  expect(await readFile(join(media, 'film.mp4'), 'utf8')).toBe('hello');
  await parts.remove(last);
  expect(await readdir(media)).toEqual(['film.mp4']);
});

needs('another disk')('checks the space of the other disk again before it copies the file there', async () => {
  const t = await openLocalFiles();
  const media = await mkdtemp(join(OTHER_DISK, 'telecine-uploads-'));
  onTestFinished(async () => {
    await t.close();
    await rm(media, { recursive: true, force: true });
  });
  const upload = await completeUpload(t.files.parts, localRoot(media));
  const { parts } = await t.restart({ minFreeBytes: Number.MAX_SAFE_INTEGER });
  await expect(parts.publish(upload, { check: () => {}, save: async () => {} })).rejects.toMatchObject({
    code: 'NO_SPACE',
  });
  expect(await readdir(media)).toEqual([]);
});

always('an upload into a folder never leaves it by a symlink, also by one that comes while bytes arrive', async () => {
  const t = await openLocalFiles();
  onTestFinished(() => t.close());
  const inRoot = (path: string): string => join(t.mediaRoot, path);
  await mkdir(inRoot('private'));
  await mkdir(inRoot('in'));
  await symlink('../private', inRoot('in/out'));
  await symlink('in', inRoot('link'));
  const { parts } = t.files;
  const upload = async (path: string, folder: string, meanwhile = async () => {}): Promise<unknown> => {
    const begun = { uploadId: randomUUID(), clientId: 'own', root: t.root, sizeBytes: 5, offsetBytes: 0, data: '' };
    const into = { ...begun, path: at(path), folder };
    await parts.begin(into, () => {});
    await parts.append(into, one('hello'), async () => {});
    await meanwhile();
    return parts.publish({ ...into, offsetBytes: 5 }, { check: () => {} });
  };
  const rejected = { code: 'INVALID_REQUEST', errors: [{ field: '/path', code: 'OUTSIDE_ROOT' }] };
  await expect(upload('in/out/a.mp4', 'in/')).rejects.toMatchObject(rejected);
  await expect(upload('in/out/new/a.mp4', 'in/')).rejects.toMatchObject(rejected);
  const becomesLink = () => symlink('../private', inRoot('in/late'));
  await expect(upload('in/late/a.mp4', 'in/', becomesLink)).rejects.toMatchObject(rejected);
  expect(await readdir(inRoot('private'))).toEqual([]);
  await upload('in/deep/a.mp4', 'in/');
  await upload('link/b.mp4', 'link/');
  await upload('new/folder/c.mp4', 'new/folder/');
  const stored = await Promise.all(
    ['in/deep/a.mp4', 'in/b.mp4', 'new/folder/c.mp4'].map((path) => readFile(inRoot(path), 'utf8')),
  );
  expect(stored).toEqual(['hello', 'hello', 'hello']);
});

always('publishes after a crash that left the link by which it tries whether the disk has links', async () => {
  const t = await openLocalFiles();
  onTestFinished(() => t.close());
  const upload = await completeUpload(t.files.parts, t.root);
  const folder = join(t.mediaRoot, '.telecine', 'resumable-test', upload.uploadId);
  const name = `.telecine-${upload.uploadId}-0`;
  await mkdir(join(folder, 'beside'), { mode: 0o700 });
  await symlink(join(t.mediaRoot, name), join(folder, 'beside', name));
  await link(join(folder, 'content'), join(t.mediaRoot, name));
  await t.files.parts.publish(upload, { check: () => {}, save: async () => {} });
  expect(await readFile(join(t.mediaRoot, 'film.mp4'), 'utf8')).toBe('hello');
  expect((await readdir(t.mediaRoot)).sort()).toEqual(['.telecine', 'film.mp4']);
});

always('rejects bytes for which the disk has too little space, however few each request brings', async () => {
  const t = await openLocalFiles();
  onTestFinished(() => t.close());
  const begun = {
    uploadId: randomUUID(),
    clientId: 'own',
    root: t.root,
    path: at('film.mp4'),
    sizeBytes: 10,
    offsetBytes: 0,
  };
  const upload = { ...begun, data: '' };
  await t.files.parts.begin(upload, () => {});
  const { parts } = await t.restart({ minFreeBytes: Number.MAX_SAFE_INTEGER });
  await expect(parts.append(upload, one('hello'), async () => {})).rejects.toMatchObject({ code: 'NO_SPACE' });
});
