// @module-tag long
import { join } from 'node:path';
import { expect } from 'vitest';
import { processStart } from '../../packages/ffmpeg/src/process/process-tree.ts';
import { startProgram } from '../support/child.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';

const PROGRAM = join(import.meta.dirname, '../fixtures/start-service.ts');
const BENCH = join(import.meta.dirname, '../fixtures/start-bench-service.ts');

needs('linux')('a service of the tests ends when the tests are killed', async () => {
  const folder = await testFolder('killed');
  const tests = startProgram(PROGRAM, [join(folder, 'data'), join(folder, 'media')]);
  await tests.wrote(1);
  const pid = Number(tests.lines[0]);
  expect(processStart(pid)).toBeDefined();
  tests.process.kill('SIGKILL');
  await expect.poll(() => processStart(pid), { timeout: 20_000 }).toBeUndefined();
});

needs('linux', 'ffmpeg').each(['fail', 'SIGKILL', 'SIGTERM'] as const)(
  'a service of a bench ends with the bench: %s',
  async (end) => {
    const bench = startProgram(BENCH, [await testFolder('bench'), end]);
    await bench.wrote(1);
    const pid = Number(bench.lines[0]);
    if (end !== 'fail') bench.process.kill(end);
    await expect.poll(() => processStart(pid), { timeout: 20_000 }).toBeUndefined();
  },
  150_000,
);
