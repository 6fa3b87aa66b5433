import { expect } from 'vitest';
import type { ReadyView } from '../../packages/contract/src/wire/system.ts';
import { adminClient } from '../support/api-client.ts';
import { putSample } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { startSystemd, untilStarted } from '../support/systemd.ts';
import { waitUntil } from '../support/wait.ts';

const SLOW = { input: 'in.mp4', output: 'out.mkv', parameters: { 'c:v': 'libx264', preset: 'veryslow', an: '' } };

needs(
  'ffmpeg',
  'sandbox',
  'root',
  'mounting',
  'systemd',
  'cgroup v2',
)(
  'systemd delegates a cgroup to the documented unit, starts a killed service again, and stops it',
  { timeout: 300_000 },
  async () => {
    const service = await startSystemd();
    await untilStarted(service);
    await putSample(service.mediaRoot, '480p', 'in.mp4');
    const admin = await adminClient(service);
    const { body } = await admin.request<ReadyView>('/ready');
    expect(body.checks).toMatchObject({
      sandbox: { status: 'ok' },
      limits: { message: expect.stringMatching(/^Each conversion has a cgroup/) },
    });

    /** Waits until the ffmpeg of a job runs, not one that the service asks something. Returns the cgroup that it is in. */
    const groupOfFfmpeg = () =>
      waitUntil('ffmpeg', async () => {
        const groups = Object.entries(service.programs());
        return groups.find(([group, names]) => group !== 'service' && names.includes('ffmpeg'))?.[0];
      });
    const jobId = await admin.accept(SLOW);
    const group = await groupOfFfmpeg();
    expect(group).toMatch(/^job-\d+-\d+-1$/);
    expect(service.programs()).toMatchObject({ '': [], service: expect.arrayContaining(['node', 'xargs']) });

    process.kill(service.pid(), 'SIGKILL');
    await untilStarted(service, 2);
    expect(await groupOfFfmpeg()).not.toBe(group);
    expect(Object.keys(service.programs())).not.toContain(group);
    const client = await adminClient(service);
    expect(await client.job(jobId)).toMatchObject({ status: 'PROCESSING', attempt: 2 });

    expect(await service.systemctl('stop', 'telecine.service')).toBe(0);
    expect(service.programs()).toEqual({ '': [] });
    expect(service.log()).toContain('"msg":"stopped"');
  },
);
