import { expect, test } from 'vitest';
import { BEARER, httpApp } from '../support/http-app.ts';
import { batchToRead, JOB_ID } from '../support/http-fakes.ts';

const URL = `/api/conversions/${JOB_ID}`;
const MEBIBYTE = 1024 * 1024;

test('a batch with megabytes of jobs has the same reply as a small one', async () => {
  for (const request of [
    { method: 'GET' as const, url: URL },
    { method: 'POST' as const, url: `${URL}/cancel` },
  ]) {
    const replies = [];
    for (const bytes of [MEBIBYTE, MEBIBYTE + 1]) {
      const found = batchToRead({ jobs: 3, bytes });
      const { inject } = httpApp({ jobsChange: { getBatch: async () => found, cancelBatch: async () => found } });
      const { statusCode, headers, body } = await inject({ ...request, headers: BEARER });
      replies.push([statusCode, headers['content-type'], body]);
    }
    expect(replies[1]).toEqual(replies[0]);
  }
});
