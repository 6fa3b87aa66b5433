import type { FileList, TelecineClient } from '@telecine/client';
import { expect, test } from 'vitest';
import { type FoundFiles, MAX_PAGES, searchFiles } from './search-files.ts';
import { isFileSearch } from './searched-text.ts';

interface Page {
  readonly paths: readonly string[];
  readonly next?: string;
}

/** Searches for a text. `pages`: by prefix, words and cursor. Returns what was found after each page, and what was sent. */
async function searched(text: string, pageOf: (sent: string) => Page) {
  const sent: string[] = [];
  const listFiles: TelecineClient['listFiles'] = async (prefix, { q, cursor = '' } = {}) => {
    const key = `${prefix}|${q}|${cursor}`;
    sent.push(key);
    const { paths, next } = pageOf(key);
    const files: FileList['files'] = paths.map((path) => ({ path, type: 'file' }));
    return { files, ...(next !== undefined && { nextCursor: next }) };
  };
  const found: FoundFiles[] = [];
  for await (const each of searchFiles(listFiles, text, new AbortController().signal)) found.push(each);
  return { sent, found, paths: found.at(-1)?.entries.map(({ path }) => path), left: found.at(-1)?.left };
}

test('a match on a later page is found, and nothing is left', async () => {
  const pages: Readonly<Record<string, Page>> = {
    '|athon|': { paths: ['archive/python'], next: 'A' },
    '|athon|A': { paths: [], next: 'B' },
    '|athon|B': { paths: ['films/marathon.mp4'] },
  };
  const { found, paths, left } = await searched('athon', (sent) => pages[sent] ?? { paths: [] });
  expect(paths).toEqual(['archive/python', 'films/marathon.mp4']);
  expect([found.map((each) => each.left), left]).toEqual([['names', 'names', undefined], undefined]);
});

test('the typed folder is searched first, and all folders only if it has no match', async () => {
  const inFolder = await searched('films/athon', () => ({ paths: ['films/marathon.mp4'] }));
  expect(inFolder.sent).toEqual(['films/|athon|']);
  const elsewhere = await searched('lms/athon', (sent) => ({
    paths: sent.startsWith('|') ? ['films/marathon.mp4'] : [],
  }));
  expect(elsewhere.sent).toEqual(['lms/|athon|', '|lms/athon|']);
  expect(elsewhere.paths).toEqual(['films/marathon.mp4']);
  // The end has no words that the service could search for.
  expect((await searched('films/"', () => ({ paths: [] }))).sent).toEqual(['|films/"|']);
});

test('a search ends after some pages, or when it has found enough, and says what is left', async () => {
  const none = await searched('athon', () => ({ paths: [], next: 'A' }));
  expect([none.sent.length, none.left]).toEqual([MAX_PAGES, 'names']);
  const many = await searched('athon', () => ({
    paths: Array.from({ length: 200 }, (_, index) => `athon-${index}`),
    next: 'A',
  }));
  expect([many.sent.length, many.left]).toEqual([1, 'found']);
});

test('previews do not count unless their folder is typed', async () => {
  const previews = Array.from({ length: 200 }, (_, index) => `console-previews/athon-${index}.mp4`);
  const pageOf = (sent: string): Page =>
    sent.endsWith('|A') ? { paths: ['films/marathon.mp4'] } : { paths: previews, next: 'A' };
  expect((await searched('athon', pageOf)).paths).toEqual(['films/marathon.mp4']);
  expect((await searched('console-previews/athon', pageOf)).paths).toHaveLength(200);
});

test('a text is searched if it is long enough and the service can search for it', () => {
  expect(['ma', 'films/ma', 'b'.repeat(200)].map(isFileSearch)).toEqual([true, true, true]);
  expect(['m', 'films/', '""', 'b'.repeat(201), 'b '.repeat(21)].map(isFileSearch)).toEqual(Array(5).fill(false));
});
