import { Problem } from '@telecine/contract/domain/problem.ts';
import { expect, test } from 'vitest';
import { checkQuotas } from './daily-quotas.ts';
import type { Tx } from './ports/transactions.ts';
import { insertJobs } from './submit/insert-jobs.ts';

const AT = '2026-11-20T10:00:00.000Z';

function problemOf(run: () => void): Problem {
  try {
    run();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('No quota was exceeded.');
}

const requests = (count: number, quotas: { jobs?: number; media?: number }, mediaSeconds = 0) =>
  Array.from({ length: count }, () => ({ clientId: 'amy', quotas, mediaSeconds }));

test('says what a whole batch needs, and what was used before it', () => {
  const problem = problemOf(() => checkQuotas(requests(4, { jobs: 10 }), { jobs: 7, mediaSeconds: 0 }, AT));
  expect(problem.message).toContain('allows 10 jobs a day: 7 are used, and this request needs 4.');
  expect(problem).toMatchObject({ quota: { name: 'jobs', used: 7, limit: 10 }, retryAfterSeconds: 50_400 });
});

test.each([
  [requests(11, { jobs: 10 }), 'Send fewer requests in a batch'],
  [requests(1, { media: 60 }, 61), 'Send "t" with fewer seconds'],
])('a request for more than a whole day is not to be sent again on the next day', (submissions, fix) => {
  const problem = problemOf(() => checkQuotas(submissions, { jobs: 0, mediaSeconds: 0 }, AT));
  expect(problem.message).toContain(fix);
  expect(problem.message).not.toContain('again');
  expect(problem.retryAfterSeconds).toBeUndefined();
});

test('pictures need no media, so they are accepted when that quota is used up', () => {
  expect(() => checkQuotas(requests(1, { media: 60 }), { jobs: 1, mediaSeconds: 60 }, AT)).not.toThrow();
});

test('an exceeded quota rolls back only when no statement of the transaction runs any more', async () => {
  const queued = Promise.withResolvers<void>();
  let isOver = false;
  const inserting = insertJobs(
    {
      jobs: { insert: async () => {} },
      queue: { enqueue: () => queued.promise },
      idempotency: { insert: async () => undefined },
      usage: { reserve: async () => ({ jobs: 2, mediaSeconds: 0 }) },
      now: () => new Date(AT),
    },
    {} as Tx,
    [{ jobId: 'a', clientId: 'amy', request: '{}', lane: 'full', weight: 100, needs: [], quotas: { jobs: 1 } }],
  ).finally(() => {
    isOver = true;
  });
  const rejected = expect(inserting).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
  // Wait for all callbacks of promises that have resolved.
  await new Promise((resolve) => setImmediate(resolve));
  expect(isOver).toBe(false);
  queued.resolve();
  await rejected;
});
