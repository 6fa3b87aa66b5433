import { expect, test } from 'vitest';
import { failureRows } from './failure-rows.ts';

const moments = { firstAt: '2026-11-20T10:00:00.000Z', lastAt: '2026-11-20T10:05:00.000Z', lastJobId: 'j' };

test('failures have a row for each client, and one for the jobs whose client is not known', () => {
  const clients = [
    { client: 'shop', jobs: 3, ...moments },
    { client: 'blog', jobs: 1, ...moments },
  ];
  const rows = failureRows([
    { code: 'TIMEOUT', jobs: 6, clients },
    { code: 'NO_SPACE', jobs: 2, clients: [{ client: 'shop', jobs: 2, ...moments }] },
    { code: 'CANCELLED', jobs: 1, clients: [] },
  ]);
  expect(rows.map(({ code, client, jobs }) => [code, client, jobs])).toEqual([
    ['TIMEOUT', 'shop', 3],
    ['TIMEOUT', 'blog', 1],
    ['TIMEOUT', undefined, 2],
    ['NO_SPACE', 'shop', 2],
    ['CANCELLED', undefined, 1],
  ]);
  expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
});
