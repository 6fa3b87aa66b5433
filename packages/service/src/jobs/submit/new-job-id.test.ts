import { expect, test, vi } from 'vitest';
import { newJobId } from './new-job-id.ts';

test('ids are UUIDs of version 7 that rise, even if the clock is set back', () => {
  const ids = Array.from({ length: 2000 }, newJobId);
  vi.useFakeTimers({ now: Date.now() - 3_600_000 });
  ids.push(...Array.from({ length: 2000 }, newJobId));
  vi.useRealTimers();
  ids.push(...Array.from({ length: 2000 }, newJobId));
  expect(ids).toEqual([...new Set(ids)].sort());
  for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
});

test('ids rise above those of an earlier process whose clock was ahead', async () => {
  vi.useFakeTimers({ now: Date.now() + 3_600_000 });
  const ahead = Array.from({ length: 3 }, newJobId);
  vi.useRealTimers();
  vi.resetModules();
  const next = await import('./new-job-id.ts');
  for (const jobId of ahead) next.continueJobIdsAfter(jobId);
  const all = [...ahead, ...Array.from({ length: 100 }, next.newJobId)];
  next.continueJobIdsAfter(newJobId());
  all.push(next.newJobId());
  expect(all).toEqual([...new Set(all)].sort());
});
