import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FileStore, FilesInBin, ReplacedRecord } from '../../packages/service/src/files/ports.ts';
import { type LocalFilesUnderTest, openLocalFiles } from '../fixtures/local-files.ts';
import { at } from '../fixtures/media-plans.ts';
import { afterEachKept } from '../support/after-kept.ts';
import { replacedRecord } from '../support/replaced-record.ts';

const doNothing = async (): Promise<void> => {};
let afterKept = doNothing;

let t: LocalFilesUnderTest;
/** Another service on the same disk. */
let other: FileStore;

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

async function put(content: string, files: FileStore, replaced?: ReplacedRecord) {
  const pending = await files.beginUpload(t.root, at('a.txt'), { check: () => {} });
  try {
    await pending.append(
      (async function* () {
        yield Buffer.from(content);
      })(),
    );
    return await pending.publish(replaced);
  } finally {
    await pending.discard();
  }
}

async function read(path: string): Promise<string> {
  const file = await t.files.open(t.root, at(path));
  return text(file.read(0, file.sizeBytes - 1));
}

async function contentOf(entry: FilesInBin): Promise<string> {
  await t.files.restoreFromBin(t.root, entry, at(entry.entryId));
  return read(entry.entryId);
}

/** Runs `change` once, after the next file has its second name in the bin. */
function onceKept(change: () => Promise<unknown>): void {
  afterKept = async () => {
    afterKept = doNothing;
    await change();
  };
}

for (const [action, replace] of [
  ['an upload', (record: ReplacedRecord) => put('ours', t.files, record)],
  [
    'a restore',
    async (record: ReplacedRecord) => {
      const entry = replacedRecord('deleted', 'ours.txt');
      await writeFile(join(t.mediaRoot, 'ours.txt'), 'ours');
      const kept = { entryId: 'deleted', isFolder: false };
      await t.files.keepInBin(t.root, at('ours.txt'), kept, {
        add: (data) => entry.record.add(data, {} as never),
        remove: entry.record.remove,
      });
      await t.files.restoreFromBin(t.root, entry.require(), at('a.txt'), record);
    },
  ],
] as const) {
  test(`${action} keeps the file that another service on the same disk has just put at its path`, async () => {
    const [ours, theirs] = [replacedRecord('ours', 'a.txt'), replacedRecord('theirs', 'a.txt')];
    onceKept(() => put('theirs', other, theirs.record));
    await replace(ours.record);
    expect(await read('a.txt')).toBe('ours');
    expect([await contentOf(ours.require()), await contentOf(theirs.require())]).toEqual(['theirs', 'old']);
    expect(await t.all()).toEqual(['a.txt', 'ours', 'theirs']);
  });

  test(`${action} to a path whose file another service has just deleted replaces nothing`, async () => {
    const ours = replacedRecord('ours', 'a.txt');
    onceKept(() => other.remove(t.root, at('a.txt'), () => {}));
    await replace(ours.record);
    expect([await read('a.txt'), ours.entry(), await t.all()]).toEqual(['ours', undefined, ['a.txt']]);
  });

  test(`${action} to a path whose file others replace again and again changes nothing`, async () => {
    const ours = replacedRecord('ours', 'a.txt');
    let count = 0;
    afterKept = async () => {
      count += 1;
      await put(`theirs ${count}`, other);
    };
    await expect(replace(ours.record)).rejects.toMatchObject({ message: expect.stringContaining('again') });
    afterKept = doNothing;
    expect([count, await read('a.txt'), ours.entry()]).toEqual([10, 'theirs 10', undefined]);
  });
}
