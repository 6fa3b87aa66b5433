import type { ShareList } from '@telecine/client/api.ts';
import { expect, test } from 'vitest';
import { showShares } from './shares.ts';

type SharedLink = ShareList['shares'][number];

const LINK: SharedLink = {
  shareId: '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e15',
  client: 'amy',
  path: 'out/film.mp4',
  createdAt: '2026-01-31T12:00:00.000Z',
  expiresAt: '2026-02-07T12:00:00.000Z',
  state: 'ACTIVE',
  uses: 0,
};

test('a link to a job with one output is listed with the id of the job', () => {
  const [, row] = showShares([{ ...LINK, jobId: '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10' }]);
  expect(row).toMatch(/ job 0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10/);
  expect(showShares([LINK])[1]).toMatch(/ server:out\/film\.mp4/);
});
