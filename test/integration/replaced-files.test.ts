import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BinEntry } from '../../packages/service/src/files/ports.ts';
import { type LocalFilesUnderTest, openLocalFiles } from '../fixtures/local-files.ts';
import { at } from '../fixtures/media-plans.ts';
import { afterEachKept } from '../support/after-kept.ts';
import type { FilesWithUploads } from '../support/whole-upload.ts';

const doNothing = async (): Promise<void> => {};
let afterKept = doNothing;

let t: LocalFilesUnderTest;
/** Another service on the same disk. */
let other: FilesWithUploads;

beforeEach(async () => {
  afterEachKept(() => afterKept());
  t = await openLocalFiles();
  other = await t.restart();
  await put('old', t.files);
});
afterEach(async () => {
  afterKept = doNothing;
  await t.close();
});

async function put(content: string, files: FilesWithUploads, keepsReplaced = false): Promise<BinEntry | undefined> {
  const pending = await files.beginUpload(t.root, at('a.txt'), { check: () => {} });
  try {
    await pending.append(
      (async function* () {
        yield Buffer.from(content);
      })(),
    );
    return (await pending.publish(keepsReplaced)).replaced;
  } finally {
    await pending.discard();
  }
}

async function read(path: string): Promise<string> {
  const file = await t.files.open(t.root, at(path));
  return text(file.read(0, file.sizeBytes - 1));
}

async function contentOf(entry: BinEntry | undefined, to: string): Promise<string> {
  await t.files.restoreFromBin(t.root, entry?.entryId ?? '', at(to));
  return read(to);
}

/** Runs `change` once, after the next file has its second name in the bin. */
function onceKept(change: () => Promise<unknown>): void {
  afterKept = async () => {
    afterKept = doNothing;
    await change();
  };
}

const inBin = async () => (await t.files.listBin(t.root)).length;

test('an upload keeps the file that another service on the same disk has just put at its path', async () => {
  let theirs: BinEntry | undefined;
  onceKept(async () => {
    theirs = await put('theirs', other, true);
  });
  const ours = await put('ours', t.files, true);
  expect(await read('a.txt')).toBe('ours');
  expect([await contentOf(ours, 'b.txt'), await contentOf(theirs, 'c.txt')]).toEqual(['theirs', 'old']);
  expect(await t.all()).toEqual(['a.txt', 'b.txt', 'c.txt']);
});

test('an upload to a path whose file another service has just deleted replaces nothing', async () => {
  onceKept(() => other.remove(t.root, at('a.txt')));
  expect(await put('ours', t.files, true)).toBeUndefined();
  expect([await read('a.txt'), await t.all()]).toEqual(['ours', ['a.txt']]);
});

test('an upload to a path whose file others replace again and again changes nothing', async () => {
  let count = 0;
  afterKept = async () => {
    count += 1;
    await put(`theirs ${count}`, other);
  };
  await expect(put('ours', t.files, true)).rejects.toMatchObject({ message: expect.stringContaining('again') });
  afterKept = doNothing;
  expect([count, await read('a.txt'), await inBin()]).toEqual([10, 'theirs 10', 0]);
});
