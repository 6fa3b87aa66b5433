// @module-tag long
import type { FastifyInstance, InjectOptions } from 'fastify';
import { expect, test } from 'vitest';
import { hostileRows } from '../fuzz/bodies/hostile-values.ts';
import { sharedServer } from '../support/shared-server.ts';

const shared = sharedServer();

/** Has no factor in common with the number of values. The requests of a service with a database and a disk cost more. */
const EVERY = 23;

test('no body causes an internal error of a service with a database, a disk and ffmpeg', {
  timeout: 600_000,
}, async () => {
  const { server, admin } = await shared();
  const failed: string[] = [];
  const inject = async ({ method, url, headers, payload }: InjectOptions) => {
    const { host: _, ...others } = headers as Record<string, string>;
    const sent = { ...others, authorization: `Bearer ${admin.token}` };
    const reply = await fetch(`${server.url}${String(url)}`, {
      method: method ?? 'GET',
      headers: sent,
      body: String(payload),
    });
    // A tool replies with 200 and the code of the problem.
    return { statusCode: (await reply.text()).includes('"INTERNAL"') ? 500 : reply.status };
  };
  for (const { row, send } of hostileRows().filter((_, index) => index % EVERY === 0))
    if ((await send({ inject } as unknown as FastifyInstance)) === 500) failed.push(row);
  expect(failed).toEqual([]);
});
