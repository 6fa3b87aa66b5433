import { execFile } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import type { ClientLimits } from '../../packages/contract/src/domain/client-limits.ts';
import { MOVIE, scratch } from '../fixtures/conversion.ts';
import { needs } from '../support/needs.ts';
import { requestWith, validPlan } from '../support/planning.ts';
import { tools } from '../support/tools.ts';

/** The log of ffmpeg for a client with these limits on a machine with 64 cores. */
async function logOf(encoder: string, policy: ClientLimits): Promise<string> {
  const dir = await scratch();
  await symlink(MOVIE, join(dir, 'in/0.mp4'));
  const parameters = { 'c:v': encoder, preset: encoder === 'libx265' ? 'ultrafast' : '12', s: '64x64', an: '' };
  const plan = validPlan(requestWith({ ...parameters, 'frames:v': '1' }), { policy, cores: 64 });
  const { stderr } = await promisify(execFile)(tools().ffmpegPath, plan.passes[0] ?? [], { cwd: dir });
  return stderr;
}

const test = needs('ffmpeg');

test('libx265 creates a thread pool within the limit of the client', async () => {
  expect(await logOf('libx265', { threads: 1 })).toMatch(/Thread pool created using 1 threads/);
});

test('libx265 runs with a limit above its maximum of frame threads', async () => {
  expect(await logOf('libx265', { threads: 64 })).toMatch(/x265 \[info\]: frame threads/);
});

test('libsvtav1 uses as many processors as the client may have threads', async () => {
  // The first message is from versions up to 2.2, the second from later ones.
  expect(await logOf('libsvtav1', { threads: 1 })).toMatch(/logical cores available: 1$|Level of Parallelism: 1$/m);
});
