import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testFolder } from '../../../../test/support/folders.ts';
import { endOrphanProcesses } from './orphan-processes.ts';

/** Starts a process with this working folder, and waits until it runs. */
async function processIn(cwd: string) {
  await mkdir(cwd, { recursive: true });
  const child = spawn('sleep', ['60'], { cwd, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'spawn');
  return child;
}

test.runIf(process.platform === 'linux')(
  'kills the processes of its scratch folder, not those of another folder whose name begins like it',
  async () => {
    const folder = await realpath(await testFolder());
    const orphan = await processIn(join(folder, 's/job'));
    const ended = once(orphan, 'exit');
    const neighbour = await processIn(join(folder, 's2/job'));
    expect(await endOrphanProcesses(join(folder, 's'))).toBe(1);
    expect(await ended).toEqual([null, 'SIGKILL']);
    expect(neighbour.signalCode).toBeNull();
  },
);
