import type { Caller } from '@telecine/contract/domain/client.ts';
import { Problem, type ProblemCode } from '@telecine/contract/domain/problem.ts';
import type { Share } from '@telecine/contract/domain/share.ts';
import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { downloadCheck } from './download-check.ts';

/** The check of a download, and what the service says of the link and of the client since it began. */
function download(share: Partial<Share> | null, problems: { link?: ProblemCode; client?: ProblemCode } = {}) {
  const read: (number | undefined)[] = [];
  const answer = async (code: ProblemCode | undefined): Promise<never> => {
    if (code !== undefined) throw new Problem(code, 'Why.');
    return {} as never;
  };
  const checkOf = downloadCheck({
    find: () => answer(problems.link),
    readerOf: (_clientId, issuedAt) => {
      read.push(issuedAt);
      return answer(problems.client);
    },
    writerOf: () => answer('INTERNAL'),
  });
  const caller = { clientId: 'amy' } as Caller;
  return { check: checkOf({ caller, share, params: { link: 'tcl_x' } } as unknown as FastifyRequest), read };
}

test.each<{ link?: ProblemCode; client?: ProblemCode }>([
  { link: 'LINK_REVOKED' },
  { link: 'LINK_EXPIRED' },
  { client: 'INVALID_LINK' },
])('a download by a shared link ends with %o', async (problems) => {
  await download({}).check();
  await expect(download({}, problems).check()).rejects.toMatchObject({ code: problems.link ?? problems.client });
});

test('a download of a client ends with the client, and with a secret that is newer than the download', async () => {
  const running = download(null, { link: 'LINK_REVOKED' });
  await running.check();
  expect(running.read).toEqual([expect.any(Number)]);
  await expect(download(null, { client: 'INVALID_LINK' }).check()).rejects.toMatchObject({ code: 'INVALID_LINK' });
  const shared = download({});
  await shared.check();
  expect(shared.read, 'a new secret ends no shared links').toEqual([undefined]);
});

test('an outage of the database ends no download', async () => {
  expect(await download({}, { link: 'UNAVAILABLE', client: 'INTERNAL' }).check()).toBeUndefined();
});
