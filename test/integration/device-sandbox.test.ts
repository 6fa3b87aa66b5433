import { tmpdir } from 'node:os';
import { expect } from 'vitest';
import { findDeviceFiles } from '../../packages/ffmpeg/src/devices/devices.ts';
import type { DeviceAccess } from '../../packages/ffmpeg/src/sandbox/sandbox.ts';
import { runSelfTest, type SelfTest } from '../../packages/ffmpeg/src/sandbox/self-test.ts';
import { BUBBLEWRAP, SANDBOXES } from '../fixtures/sandboxes.ts';
import { needs } from '../support/needs.ts';
import { tools } from '../support/tools.ts';

// /dev/null is a device that every machine has. What drivers do with theirs cannot be tried without one.

const LIMITS = { addressSpaceBytes: 2 ** 31, cpuSeconds: 10, fileSizeBytes: 2 ** 20, openFiles: 1024, threads: 512 };

/** Runs ffmpeg in a sandbox that shows a device. It writes a picture to a file. */
const writePicture = (
  sandbox: (typeof SANDBOXES)[number]['sandbox'],
  file: string,
  device: DeviceAccess,
): Promise<SelfTest> =>
  runSelfTest({
    sandbox,
    program: tools().ffmpegPath,
    argv: [
      ...['-nostdin', '-hide_banner', '-loglevel', 'error', '-y', '-f', 'lavfi', '-i', 'color=size=16x16'],
      ...['-frames:v', '1', '-f', 'rawvideo', `file:${file}`],
    ],
    limits: LIMITS,
    workRoot: tmpdir(),
    seconds: 10,
    device,
  });

for (const { kind, sandbox, test } of SANDBOXES)
  test(`ffmpeg opens a device by its logical name, and as its driver names it (${kind})`, async () => {
    const device = await findDeviceFiles({ type: 'vaapi', name: '/dev/null' });
    for (const file of ['dev/vaapi', '/dev/null'])
      expect(await writePicture(sandbox, file, device), file).toMatchObject({ failure: undefined });
  });

needs('ffmpeg', 'bubblewrap')('with a device, the rest of /dev stays as small as without one', async () => {
  const device = await findDeviceFiles({ type: 'vaapi', name: '/dev/null' });
  expect((await writePicture(BUBBLEWRAP, '/dev/other', device)).failure).toMatch(/Read-only file system|denied/);
});

needs('ffmpeg', 'bubblewrap')('with a /proc for a driver, it has only the processes of the job', async () => {
  const device = await findDeviceFiles({ type: 'vaapi', name: '/dev/null' });
  const withProc: DeviceAccess = { ...device, needsProc: true };
  const seen = await writePicture(BUBBLEWRAP, `/proc/${process.pid}/oom_score_adj`, withProc);
  expect(seen.failure).toMatch(/No such file|not supported|Operation not permitted|denied/);
});
