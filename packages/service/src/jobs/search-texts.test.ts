import { expect, test, vi } from 'vitest';
import type { ReadPosition } from './ports/job-records.ts';
import { textIndex } from './search-texts.ts';

const POSITION = { number: 7, jobId: 'a' };

/** An index that has read up to `from`, of a log that has no changes after it. */
function indexWithoutChanges(from: ReadPosition, read: ReadPosition) {
  const store = vi.fn(async () => true);
  const jobTexts = { position: async () => from, jobs: async () => [], store };
  return { store, indexTexts: textIndex({ changeLog: { unread: async () => ({ changes: [], read }) }, jobTexts }) };
}

test('a transaction that was open and ended without a change is not asked for again', async () => {
  const open = [3, 5].map((number) => ({ number, jobId: '' }));
  const [from, to] = [
    { ...POSITION, open },
    { ...POSITION, open: open.slice(1) },
  ];
  const { store, indexTexts } = indexWithoutChanges(from, to);
  expect(await indexTexts()).toBe(true);
  expect(store.mock.calls).toEqual([[{ from, to }, [], []]]);
});

test('while nothing changes and no transaction ends, nothing is stored', async () => {
  const from = { ...POSITION, open: [{ number: 3, jobId: '' }] };
  const { store, indexTexts } = indexWithoutChanges(from, from);
  expect(await indexTexts()).toBe(true);
  expect(store).not.toHaveBeenCalled();
});
