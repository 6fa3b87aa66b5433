import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished } from 'vitest';
import { processStart, readProc } from '../../packages/ffmpeg/src/process/process-tree.ts';
import { needs } from '../support/needs.ts';

const test = needs('linux');

test('a process has the same start for as long as it runs, and later processes have later ones', async () => {
  const child = spawn('sleep', ['100']);
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'spawn');
  const start = Number(processStart(child.pid ?? 0));
  expect(start).toBeGreaterThan(Number(processStart(process.pid)));
  expect(Number(processStart(child.pid ?? 0))).toBe(start);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(processStart(child.pid ?? 0)).toBeUndefined();
});

test('a process has ended although its parent has not noticed', async () => {
  // The shell starts a child and then becomes a program that never waits for it.
  const parent = spawn('sh', ['-c', 'sleep 100 & echo $!; exec sleep 100']);
  onTestFinished(() => void parent.kill('SIGKILL'));
  const [text] = await once(parent.stdout, 'data');
  const child = Number(String(text));
  await expect.poll(() => readProc(`/proc/${parent.pid}/comm`)).toBe('sleep\n');
  process.kill(child, 'SIGKILL');
  await expect.poll(() => processStart(child)).toBeUndefined();
  expect(readProc(`/proc/${child}/stat`)).toContain(' Z ');
});
