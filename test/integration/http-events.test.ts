import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { Job } from '../../packages/contract/src/domain/job.ts';
import { Problem } from '../../packages/contract/src/domain/problem.ts';
import { jobView } from '../../packages/contract/src/wire/job-view.ts';
import { jobFollowing } from '../../packages/service/src/jobs/events/follow-jobs.ts';
import { createJobChanges } from '../../packages/service/src/jobs/job-changes.ts';
import { readSteps } from '../../packages/service/src/jobs/job-reads.ts';
import { newJobId } from '../../packages/service/src/jobs/submit/new-job-id.ts';
import { BEARER, httpApp } from '../support/http-app.ts';
import { JOB_ID as BATCH_ID, fakeTokens, jobOf, limitedTokens } from '../support/http-fakes.ts';
import { waitUntil } from '../support/wait.ts';

const MAX_STREAMS = 3;
const BATCH_SIZE = 20;

/** A job that has published `count` pictures. */
const endedJob = (count: number): Job =>
  jobOf({
    jobId: newJobId(),
    status: 'COMPLETED',
    startedAt: '2026-01-31T12:00:00.000Z',
    completedAt: '2026-01-31T12:00:01.000Z',
    outputs: Array.from({ length: count }, (_, i) => ({ path: `frames/of-a-long-film/${i}.png`, sizeBytes: 100_000 })),
  });

/** Follows ended jobs: a batch, and one whose view is larger than the buffers of the system. Listens on a port. */
async function openApp() {
  const huge = endedJob(200_000);
  const members = Array.from({ length: BATCH_SIZE }, () => endedJob(10_000));
  const byId = new Map([huge, ...members].map((job) => [job.jobId, job]));
  const fail = (error: unknown): never => {
    throw error;
  };
  const changeOf = (jobId: string) => ({ number: 7, jobId, clientId: 'alice', isDeleted: false });
  const none = { changes: [], hasMore: false };
  const follow = jobFollowing({
    changes: createJobChanges(fail),
    changeLog: {
      after: async () => none,
      last: async () => 7,
      isKnownSince: async () => true,
      of: async (jobId) => changeOf(jobId),
      ofAll: async (jobIds) => jobIds.map(changeOf),
    },
    jobs: {
      get: async (jobId) => byId.get(jobId),
      getMany: async (jobIds) => jobIds.flatMap((jobId) => byId.get(jobId) ?? []),
      list: async () => [],
      sizes: async () => [],
    },
    batches: {
      get: async (batchId) => ({ batchId, clientId: 'alice', createdAt: huge.createdAt, size: BATCH_SIZE }),
      membersOf: async () => members,
      statesOf: async () => members.map((member) => ({ ...member, bytes: 1 })),
    },
    queuePausedAt: async () => undefined,
    step: readSteps(),
    onError: fail,
    stopping: new AbortController().signal,
  });
  let isRevoked = false;
  const known = limitedTokens({ 'event-streams': MAX_STREAMS });
  const tokens = fakeTokens({
    verify: (token) => {
      if (isRevoked) throw new Problem('INVALID_TOKEN', 'The client was revoked.');
      return known.verify(token);
    },
  });
  const { app } = httpApp({ jobsChange: { follow }, tokens });
  const sockets = new Map<number | undefined, Socket>();
  app.server.on('connection', (socket) => sockets.set(socket.remotePort, socket));
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;

  /** Opens a stream that its client never reads. Resolves once the system takes no more of it. */
  const openUnread = async (path: string) => {
    const client = connect(port, '127.0.0.1');
    onTestFinished(() => void client.destroy());
    client.pause();
    await once(client, 'connect');
    client.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: ${BEARER.authorization}\r\n\r\n`);
    const waitingBytes = () => sockets.get(client.localPort)?.writableLength ?? 0;
    await waitUntil('full buffers', async () => (waitingBytes() > 0 ? true : undefined));
    return { client, waitingBytes, isOpen: () => sockets.get(client.localPort)?.destroyed === false };
  };
  const read = (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { headers: BEARER });
  return {
    revoke: () => {
      isRevoked = true;
    },
    openUnread,
    read,
    viewBytes: JSON.stringify(jobView(members[0] ?? huge)).length,
    ofBatch: `/api/conversions/${BATCH_ID}/events`,
    ofHuge: `/api/conversion/${huge.jobId}/events`,
  };
}

test('a client that reads nothing of the stream of a batch costs the memory of one job, and others get all', async () => {
  const { openUnread, read, viewBytes, ofBatch } = await openApp();
  const unread = await openUnread(ofBatch);
  const all = await (await read(ofBatch)).text();
  expect(all.match(/^event: .*/gm)).toEqual([...Array(BATCH_SIZE).fill('event: snapshot'), 'event: batch']);
  expect(unread.waitingBytes()).toBeGreaterThan(0);
  expect(unread.waitingBytes()).toBeLessThan(2 * viewBytes);
});

test('a stream that has ended counts until its client has read it or disconnects', async () => {
  const { openUnread, read, ofHuge } = await openApp();
  const unread = [];
  for (let n = 0; n < MAX_STREAMS; n += 1) unread.push(await openUnread(ofHuge));
  const rejected = await read(ofHuge);
  expect(rejected.status).toBe(429);
  expect(await rejected.json()).toMatchObject({ code: 'TOO_MANY_STREAMS' });
  unread[0]?.client.destroy();
  const reply = await waitUntil('a free stream', async () => {
    const again = await read(ofHuge);
    return again.status === 200 ? again : void (await again.body?.cancel());
  });
  expect((await reply.text()).match(/^event: .*/gm)).toEqual(['event: snapshot']);
});

test('a stream whose client reads nothing is disconnected when its token is revoked', async () => {
  const { openUnread, revoke, ofBatch } = await openApp();
  const { isOpen } = await openUnread(ofBatch);
  expect(isOpen()).toBe(true);
  revoke();
  await expect.poll(isOpen).toBe(false);
});
