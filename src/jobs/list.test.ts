import { expect, test } from 'vitest';
import { mediaRoot } from '../../test/support/media-root.ts';
import type { Caller } from '../domain/client.ts';
import { listJobPage } from './list.ts';
import type { JobQuery } from './ports/job-store.ts';
import { readSteps } from './read-steps.ts';

const AMY: Caller = { clientId: 'amy', scopes: ['jobs:read'], root: mediaRoot('/srv/media'), policy: {} };
const ADMIN: Caller = { ...AMY, clientId: 'admin', scopes: ['admin'] };

/** The client whose jobs are read. */
async function clientOf(caller: Caller, clientId?: string): Promise<string | undefined> {
  const queries: JobQuery[] = [];
  const sizes = async (query: JobQuery) => {
    queries.push(query);
    return [];
  };
  const jobs = { sizes, getMany: async () => [], search: async () => ({ jobs: [] }) };
  await listJobPage({ jobs, step: readSteps() }, caller, { limit: 1, ...(clientId && { clientId }) });
  return queries[0]?.clientId;
}

test('a client lists its own jobs, whether it names itself or not', async () => {
  expect(await clientOf(AMY)).toBe('amy');
  expect(await clientOf(AMY, 'amy')).toBe('amy');
});

test('a client may not list the jobs of another one', async () => {
  await expect(clientOf(AMY, 'bob')).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
});

test('an administrator lists the jobs of all clients or of one', async () => {
  expect(await clientOf(ADMIN)).toBeUndefined();
  expect(await clientOf(ADMIN, 'bob')).toBe('bob');
});
