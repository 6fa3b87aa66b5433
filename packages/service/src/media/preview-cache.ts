import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PreviewFacts, PreviewImage } from '@telecine/contract/domain/preview.ts';
import { LRUCache } from 'lru-cache';
import type { PreviewCache } from '../previews/ports/preview-cache.ts';

interface DiskCacheOptions {
  /** A folder that only this process uses. `openDiskCache` creates it. */
  readonly dir: string;
  /** The maximum size of all entries together, in bytes. */
  readonly maxBytes: number;
  /** Returns whether the disk is nearly full. Then the cache writes nothing. */
  readonly isFull: () => Promise<boolean>;
  /** Called with each error. An error costs only time, because the service makes the preview again. */
  readonly onError: (error: unknown) => void;
}

/** The file name of an entry is its cache key. A file with another name was left incomplete by a crash. */
const KEY = /^[0-9a-f]{64}$/;

/**
 * Stores previews as files of at most `maxBytes` together. Evicts the least recently used ones. The first line of a
 * file is JSON with facts about the image, and the image follows. A damaged file counts as missing.
 */
export async function openDiskCache({ dir, maxBytes, isFull, onError }: DiskCacheOptions): Promise<PreviewCache> {
  const pathOf = (key: string): string => join(dir, key);
  const remove = (key: string): void => {
    rm(pathOf(key), { force: true }).catch(onError);
  };
  const sizes = new LRUCache<string, number>({
    maxSize: maxBytes,
    sizeCalculation: (bytes) => Math.max(1, bytes),
    dispose: (_bytes, key, reason) => {
      if (reason === 'evict') remove(key);
    },
  });
  for (const { key, bytes } of await entriesIn(dir)) sizes.set(key, bytes);
  return {
    get: async (key) => {
      if (sizes.get(key) === undefined) return undefined;
      try {
        const image = parseEntry(await readFile(pathOf(key)));
        const now = new Date();
        await utimes(pathOf(key), now, now);
        if (image !== undefined) return image;
      } catch (error) {
        onError(error);
      }
      sizes.delete(key);
      remove(key);
      return undefined;
    },
    put: async (key, { bytes, ...facts }) => {
      try {
        const head = Buffer.from(`${JSON.stringify({ ...facts, sizeBytes: bytes.length })}\n`);
        const content = Buffer.concat([head, bytes]);
        if (content.length > maxBytes || (await isFull())) return;
        const temporary = `${pathOf(key)}.${process.hrtime.bigint()}`;
        try {
          await writeFile(temporary, content, { mode: 0o600 });
          await rename(temporary, pathOf(key));
        } catch (error) {
          await rm(temporary, { force: true });
          throw error;
        }
        sizes.set(key, content.length);
      } catch (error) {
        onError(error);
      }
    },
  };
}

/** Lists the entries, the least recently used first. Removes incomplete files that a crash left. */
async function entriesIn(dir: string): Promise<readonly { readonly key: string; readonly bytes: number }[]> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const entries: { readonly key: string; readonly bytes: number; readonly usedMs: number }[] = [];
  for (const name of await readdir(dir)) {
    if (!KEY.test(name)) {
      await rm(join(dir, name), { recursive: true, force: true });
      continue;
    }
    const { size, mtimeMs } = await stat(join(dir, name));
    entries.push({ key: name, bytes: size, usedMs: mtimeMs });
  }
  return entries.toSorted((a, b) => a.usedMs - b.usedMs);
}

/** Returns undefined if the entry is damaged. */
function parseEntry(content: Buffer): PreviewImage | undefined {
  const end = content.indexOf('\n');
  if (end < 0) return undefined;
  try {
    const { sizeBytes, ...facts } = JSON.parse(content.toString('utf8', 0, end)) as PreviewFacts & {
      readonly sizeBytes: number;
    };
    const bytes = content.subarray(end + 1);
    return bytes.length === sizeBytes ? { ...facts, bytes } : undefined;
  } catch {
    return undefined;
  }
}
