// @module-tag long
import { expect } from 'vitest';
import type { JobView } from '../../packages/contract/src/wire/job.ts';
import { followEvents } from '../support/event-client.ts';
import { needs } from '../support/needs.ts';
import { runCli } from '../support/run-cli.ts';
import { waitUntil } from '../support/wait.ts';
import { createFaultHarness, LONG } from './fault-harness.ts';

const HOUR_MS = 3_600_000;
const request = {
  input: LONG,
  output: 'hls/a.m3u8',
  parameters: { c: 'copy', an: '', hls_list_size: '0' },
};

needs('ffmpeg', 'linux')(
  'removes expired outputs once if the service is killed meanwhile, keeps other files, and tells followers',
  async () => {
    const harness = await createFaultHarness();
    const env = { TELECINE_CLIENT_LIMITS: 'retention=1h' };
    const first = await harness.start(env);
    const job = await first.api.run({ ...request, expiresAfterSeconds: 7200 });
    const lifetimeOf = ({ expiresAt = '', completedAt = '' }: JobView) =>
      Date.parse(expiresAt) - Date.parse(completedAt);
    expect(job).toMatchObject({ status: 'COMPLETED', expiresAfterSeconds: 7200 });
    expect(job.links.output).toBeDefined();
    // The limit of the client is shorter.
    expect(lifetimeOf(job)).toBe(HOUR_MS);
    const shorter = await first.api.run({ ...request, output: 'short.mp4', expiresAfterSeconds: 60 });
    expect(lifetimeOf(shorter)).toBe(60_000);
    await harness.put('hls/foreign.txt', 'foreign');
    await first.server.stop();
    const due = `update output_expiries set due_at = '2020-01-01T00:00:00.000Z' where job_id = '${job.jobId}'`;
    harness.updateDatabase(due);

    await harness.crash('after-expired-removal', env);
    expect(await harness.inode('hls/a.m3u8')).toBeUndefined();
    expect(harness.row(job.jobId)).toMatchObject({ outputs_expired: null });
    await harness.put('hls/a.m3u8', 'another file');
    const another = await harness.inode('hls/a.m3u8');

    const { api, server } = await harness.start(env);
    const expired = await waitUntil('the outputs to expire', async () => {
      const { body } = await api.request<JobView>(`/api/conversion/${job.jobId}`);
      return body.expired === true ? body : undefined;
    });
    expect(expired).toMatchObject({ message: expect.stringContaining('have expired'), outputs: job.outputs });
    expect(expired.links).not.toHaveProperty('output');
    expect(await harness.inode('hls/a.m3u8')).toBe(another);
    expect(await harness.inode('hls/foreign.txt')).toBeDefined();
    expect(await harness.inode('short.mp4')).toBeDefined();
    const events = followEvents(server.url, '/api/events', api.token, { lastEventId: '1' });
    expect(await events.until('expired', ({ type }) => type === 'expired')).toMatchObject({
      data: { jobId: job.jobId, expired: true },
    });
    events.close();
    const settings = { TELECINE_URL: server.url, TELECINE_TOKEN: api.token };
    const shown = await runCli(['jobs', 'show', job.jobId], settings);
    expect(shown.stdout).toMatch(/^outputs expired +\d{4}-/m);
    const kept = await runCli(
      ['convert', '--expires-after', '2m', '--json', `server:${LONG}`, 'server:cli.mp4', '-p', 'c=copy'],
      settings,
    );
    expect(JSON.parse(kept.stdout)).toMatchObject({ expiresAfterSeconds: 120 });
  },
  120_000,
);
