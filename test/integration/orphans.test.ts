import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { endOrphanProcesses } from '../../src/ffmpeg/process/orphan-processes.ts';
import { runConversion } from '../../src/ffmpeg/run/run.ts';
import { conversion, MOVIE, planOf, processesWith, scratch } from '../fixtures/conversion.ts';
import type { DriverJob } from '../fixtures/driver-job.ts';
import { SANDBOXES } from '../fixtures/sandboxes.ts';
import { tools } from '../support/tools.ts';

const DRIVER = join(import.meta.dirname, '../fixtures/convert-driver.ts');

const slow = (mark: string) =>
  planOf('out/a.mkv', [['-re', '-i', 'in/0.mp4', '-c', 'copy', '-metadata', `comment=${mark}`, 'out/a.mkv']]);

function drive(job: Omit<DriverJob, 'ffmpegPath'>): { service: ChildProcess; lines: AsyncIterator<string> } {
  const told: DriverJob = { ...job, ffmpegPath: tools().ffmpegPath };
  const service = spawn(process.execPath, [DRIVER, JSON.stringify(told)], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void service.kill('SIGKILL'));
  return { service, lines: createInterface(service.stdout)[Symbol.asyncIterator]() };
}

/** All processes with `mark` in their arguments except the driver itself. */
const ffmpegsWith = (mark: string, service: ChildProcess) => processesWith(mark).filter((pid) => pid !== service.pid);

describe.each(SANDBOXES)('$kind', ({ kind, sandbox, test }) => {
  const mode = kind === 'none' ? 'off' : 'required';
  const mounts = [{ logical: 'in/0.mp4', hostPath: MOVIE }];

  // Delays from before the first program of the chain starts until after ffmpeg has read its first packet.
  test.each([[[300, 15, 5, 1]], [[80, 12, 4, 0]], [[40, 10, 3]], [[20, 8, 6, 2]]])(
    'no ffmpeg outlives a service killed %j ms after it began to start them',
    async (ages) => {
      const mark = randomUUID();
      const [oldest = 0, ...younger] = ages;
      const begun = async (age: number) => ({ dir: await scratch(), afterMs: oldest - age });
      const again = await Promise.all(younger.map(begun));
      const { service, lines } = drive({ mode, dir: await scratch(), again, plan: slow(mark), mounts });
      expect((await lines.next()).value).toBe('ready');
      await new Promise((resolve) => setTimeout(resolve, oldest));
      service.kill('SIGKILL');
      await once(service, 'exit');
      await vi.waitFor(() => expect(processesWith(mark)).toEqual([]), { timeout: 3000, interval: 20 });
    },
  );

  test('kills processes in scratch folders and no others', async () => {
    const [mine, other] = [randomUUID(), randomUUID()];
    const [dir, elsewhere] = [await scratch(), await scratch()];
    const running = drive({ mode, dir: elsewhere, plan: slow(other), mounts });
    const cancel = new AbortController();
    const outcome = runConversion(conversion(sandbox, dir, slow(mine), { signal: cancel.signal }));
    await vi.waitFor(() => expect(processesWith(mine)).not.toEqual([]), { timeout: 5000 });
    // Until ffmpeg writes, the programs replace one another (exec), and a process has no visible arguments meanwhile.
    await vi.waitFor(async () => expect(await readdir(join(elsewhere, 'out'))).not.toEqual([]), { timeout: 10_000 });
    expect(await endOrphanProcesses(dirname(dir))).toBeGreaterThan(0);
    expect(processesWith(mine)).toEqual([]);
    expect(ffmpegsWith(other, running.service)).not.toEqual([]);
    expect(await outcome).toMatchObject({ ok: false });
  });
});
