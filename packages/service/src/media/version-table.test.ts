import { expect, test } from 'vitest';
import { hashText, VersionTable } from './version-table.ts';

test('finds the versions of names, and of no others', () => {
  const table = new VersionTable();
  const names = Array.from({ length: 20_000 }, (_, i) => hashText(`film-${i}.mov`, 7));
  names.forEach((name, i) => {
    table.set(name, i + 1);
  });
  names.forEach((name, i) => {
    if (table.get(name) !== i + 1) expect.fail(`the version of file ${i} is ${table.get(name)}`);
  });
  const others = Array.from({ length: 20_000 }, (_, i) => table.get(hashText(`clip-${i}.mov`, 7)));
  expect(others.filter((version) => version !== undefined)).toEqual([]);
  expect(table.size).toBe(20_000);
});

test('a new version replaces the old one', () => {
  const table = new VersionTable();
  table.set(5, 1);
  table.set(5, 2);
  expect([table.get(5), table.size]).toEqual([2, 1]);
});

test('hashes of similar names differ, in each order and with each seed', () => {
  const hashes = new Set<number>();
  for (let i = 0; i < 100_000; i += 1) hashes.add(hashText(`GX01${String(i).padStart(6, '0')}.MP4`, 1));
  for (const text of ['ab', 'ba', 'a', 'b', '', 'aab', 'aba', 'Ü', 'U']) hashes.add(hashText(text, 1));
  hashes.add(hashText('ab', 2));
  expect(hashes.size).toBe(100_010);
  expect([...hashes].every((hash) => Number.isSafeInteger(hash) && hash > 0)).toBe(true);
});
