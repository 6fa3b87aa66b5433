import { execFile } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import type { ClientLimits } from '../../src/domain/client-limits.ts';
import { MOVIE, scratch } from '../fixtures/conversion.ts';
import { needs } from '../support/needs.ts';
import { requestWith, validPlan } from '../support/planning.ts';
import { tools } from '../support/tools.ts';

/** What ffmpeg says of itself where a client of a machine with 64 cores may have so many threads. */
async function said(encoder: string, policy: ClientLimits): Promise<string> {
  const dir = await scratch();
  await symlink(MOVIE, join(dir, 'in/0.mp4'));
  const parameters = { 'c:v': encoder, preset: encoder === 'libx265' ? 'ultrafast' : '12', s: '64x64', an: '' };
  const plan = validPlan(requestWith({ ...parameters, 'frames:v': '1' }), { policy, cores: 64 });
  const { stderr } = await promisify(execFile)(tools().ffmpegPath, plan.passes[0] ?? [], { cwd: dir });
  return stderr;
}

const test = needs('ffmpeg');

test('libx265 makes a pool of as many threads as a client may have', async () => {
  expect(await said('libx265', { threads: 1 })).toMatch(/Thread pool created using 1 threads/);
});

test('libx265 runs where a client may have more threads than it can take frames at a time', async () => {
  expect(await said('libx265', { threads: 64 })).toMatch(/x265 \[info\]: frame threads/);
});

test('libsvtav1 works for as many processors as a client may have threads', async () => {
  // Up to version 2.2, and since.
  expect(await said('libsvtav1', { threads: 1 })).toMatch(/logical cores available: 1$|Level of Parallelism: 1$/m);
});
