import { expect, test, vi } from 'vitest';
import type { Job } from '../../domain/job.ts';
import { createJobChanges } from '../job-changes.ts';
import type { NumberedChange } from '../ports/change-log.ts';
import { CHANGES_AT_ONCE, eventHub } from './event-hub.ts';

const change = (number: number, jobId: string): NumberedChange => ({ number, jobId, clientId: 'amy', isDeleted: true });

/** A hub whose first reads return these pages. Resolves to what a follower of all jobs gets, as `[number, isLast]`. */
async function deliver(pages: readonly { changes: readonly NumberedChange[]; hasMore: boolean }[]) {
  const changes = createJobChanges((error) => {
    throw error;
  });
  const rest = [...pages];
  const after = async () => rest.shift() ?? { changes: [], hasMore: false };
  const hub = eventHub({
    changes,
    changeLog: { after },
    jobs: { getMany: async () => [], list: async () => [] as Job[] },
    queuePausedAt: async () => undefined,
    onError: (error) => {
      throw error;
    },
  });
  const seen: [number, boolean][] = [];
  const leave = hub.join(['all'], 0, {
    change: (_event, number, isLast) => void seen.push([number, isLast]),
    progress: () => {},
  });
  changes.publish({ kind: 'created', jobId: 'a', clientId: 'amy' });
  const count = pages.flatMap((page) => page.changes).length;
  await vi.waitUntil(() => seen.length === count, { timeout: 10_000 });
  leave();
  return seen;
}

test('a change has its number also while later changes wait for the end of a transaction', async () => {
  expect(await deliver([{ changes: [change(7, 'a')], hasMore: true }])).toEqual([[7, true]]);
});

test('only the last of the changes with one number has it, also if they come in two pages', async () => {
  const first = Array.from({ length: CHANGES_AT_ONCE }, () => change(7, 'a'));
  const seen = await deliver([
    { changes: first, hasMore: true },
    { changes: [change(7, 'b'), change(8, 'a')], hasMore: false },
  ]);
  expect(seen.filter(([, isLast]) => isLast)).toEqual([
    [7, true],
    [8, true],
  ]);
  expect(seen.findIndex(([, isLast]) => isLast)).toBe(CHANGES_AT_ONCE);
});
