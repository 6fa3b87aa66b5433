import { expect, test } from 'vitest';
import type { Caller } from '../domain/client.ts';
import type { Job } from '../domain/job.ts';
import { jobKey } from './job-key.ts';

const KEY = '00112233445566778899aabbccddeeff';
const jobs = {
  get: async (jobId: string) =>
    ({
      ...{ jobId, clientId: 'amy' },
      request: { output: 'a.m3u8', ...(jobId === 'encrypted' && { encrypt: { keyUri: 'film.key', key: KEY } }) },
    }) as Job,
};
const callerWith = (clientId: string, scopes: Caller['scopes']): Caller => ({ clientId, scopes }) as Caller;
const AMY = callerWith('amy', ['jobs:read', 'files:read']);

test('only the client of a job gets its key, not an administrator, who sees the job', async () => {
  expect(await jobKey(jobs, AMY, 'encrypted')).toBe(KEY);
  await expect(jobKey(jobs, callerWith('bob', AMY.scopes), 'encrypted')).rejects.toMatchObject({
    code: 'JOB_NOT_FOUND',
  });
  const byAdmin = jobKey(jobs, callerWith('root', ['admin']), 'encrypted');
  await expect(byAdmin).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(byAdmin).rejects.toThrow(/only that client/);
});

test('a job that encrypts nothing has no key', async () => {
  await expect(jobKey(jobs, AMY, 'plain')).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
