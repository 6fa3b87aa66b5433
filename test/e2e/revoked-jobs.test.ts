import { expect } from 'vitest';
import type { AcceptedBatchView } from '../../packages/contract/src/wire/batch.ts';
import { login } from '../support/api-client.ts';
import { COMMON, commonServer } from '../support/common-server.ts';
import { insertClient } from '../support/insert-client.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { runClientCommand } from '../support/run-cli.ts';

const start = commonServer();

needs('ffmpeg')('revoking a client stops its running job and cancels its queued ones, with the reason', async () => {
  const { server, own, admin } = await start();
  await putSmallMovie(server.mediaRoot, 3, 'movie.mp4');
  const credentials = await insertClient(server, 'leaver');
  const leaver = await login(server.url, credentials);
  const slow = { 'c:v': 'libx264', preset: 'veryslow', tune: 'zerolatency', threads: '1', stream_loop: '200' };
  const submit = (output: string) => leaver.accept({ input: 'movie.mp4', output, parameters: slow });
  const all = await Promise.all(Array.from({ length: COMMON.slots }, (_, slot) => submit(`${slot}.mp4`)));
  for (const jobId of all) await leaver.wait(jobId, ({ status }) => status === 'PROCESSING');
  const [running = ''] = all;
  const queued = await submit('b.mkv');
  // These wait for others, in two levels.
  const batch = await leaver.request<AcceptedBatchView>('/api/conversions', {
    body: {
      requests: [
        { name: 'first', input: 'b.mkv', output: 'd.mkv', after: [queued] },
        { input: 'd.mkv', output: 'e.mkv', after: ['first', running] },
      ],
    },
  });
  expect(batch.status).toBe(202);
  await runClientCommand(server, 'revoke', credentials.clientId, '--yes');
  for (const jobId of [...all, queued])
    expect(await admin.wait(jobId)).toMatchObject({
      status: 'CANCELLED',
      error: { code: 'CANCELLED', message: expect.stringContaining('was revoked') },
      client: credentials.clientId,
    });
  for (const { jobId } of batch.body.jobs) {
    const { status, error } = await admin.wait(jobId);
    // Whichever comes first: the end of its client, or that of a job before it.
    expect([status, error?.code]).toEqual(
      status === 'FAILED' ? ['FAILED', 'DEPENDENCY_FAILED'] : ['CANCELLED', 'CANCELLED'],
    );
  }
  expect((await own.run({ input: 'movie.mp4', output: 'c.mkv', parameters: { c: 'copy' } })).status).toBe('COMPLETED');
});
