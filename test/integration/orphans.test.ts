import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { endOrphanProcesses } from '../../packages/ffmpeg/src/process/orphan-processes.ts';
import { runConversion } from '../../packages/ffmpeg/src/run/run.ts';
import { conversion, MOVIE, planOf, processesWith, scratch } from '../fixtures/conversion.ts';
import type { DriverJob } from '../fixtures/driver-job.ts';
import { SANDBOXES } from '../fixtures/sandboxes.ts';
import { bundledProgram } from '../support/bundled-program.ts';
import { tools } from '../support/tools.ts';

const DRIVER = join(import.meta.dirname, '../fixtures/convert-driver.ts');

const slow = (mark: string) =>
  planOf('out/a.mkv', [['-re', '-i', 'in/0.mp4', '-c', 'copy', '-metadata', `comment=${mark}`, 'out/a.mkv']]);

async function drive(
  job: Omit<DriverJob, 'ffmpegPath'>,
): Promise<{ service: ChildProcess; lines: AsyncIterator<string> }> {
  const driverJob: DriverJob = { ...job, ffmpegPath: tools().ffmpegPath };
  const service = spawn(process.execPath, [await bundledProgram(DRIVER), JSON.stringify(driverJob)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void service.kill('SIGKILL'));
  return { service, lines: createInterface(service.stdout)[Symbol.asyncIterator]() };
}

/** All processes with `mark` in their arguments except the driver itself. */
const ffmpegsWith = (mark: string, service: ChildProcess) => processesWith(mark).filter((pid) => pid !== service.pid);

/** The programs that replace each other until ffmpeg runs. */
const CHAIN = ['nice', 'bwrap', 'prlimit', 'timeout', 'ffmpeg'];

/** Whether a conversion has started `program` or a later program of the chain. */
const hasReached = (program: string, mark: string, service: ChildProcess): boolean =>
  ffmpegsWith(mark, service).some((pid) => CHAIN.indexOf(programOf(pid)) >= CHAIN.indexOf(program));

function programOf(pid: number): string {
  try {
    return basename(readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0] ?? '');
  } catch {
    return ''; // The process has ended.
  }
}

type Moment = readonly [moment: string, isNow: (mark: string, service: ChildProcess, dir: string) => boolean];

for (const { kind, sandbox, tags, test } of SANDBOXES)
  describe(kind, { tags }, () => {
    const mode = kind === 'none' ? 'off' : kind;
    const mounts = [{ logical: 'in/0.mp4', hostPath: MOVIE }];

    test.for([
      ['it was ready', () => true],
      ['the first program of the chain runs', (mark, service) => hasReached('nice', mark, service)],
      ['the limits are set', (mark, service) => hasReached('prlimit', mark, service)],
      ['ffmpeg runs', (mark, service) => hasReached('ffmpeg', mark, service)],
      ['ffmpeg writes its output', (_mark, _service, dir) => readdirSync(join(dir, 'out')).length > 0],
    ] as const satisfies readonly Moment[])(
      'no ffmpeg outlives a service that was killed when %s',
      async ([, isNow]: Moment) => {
        const mark = randomUUID();
        const dir = await scratch();
        // More conversions begin a little later, so that the kill finds some at every stage.
        const moreRuns = await Promise.all([2, 5, 10].map(async (afterMs) => ({ dir: await scratch(), afterMs })));
        const { service, lines } = await drive({ mode, dir, moreRuns, plan: slow(mark), mounts });
        expect((await lines.next()).value).toBe('ready');
        await vi.waitUntil(() => isNow(mark, service, dir), { timeout: 20_000, interval: 1 });
        service.kill('SIGKILL');
        await once(service, 'exit');
        await vi.waitFor(() => expect(processesWith(mark)).toEqual([]), { timeout: 20_000, interval: 20 });
      },
    );

    test('kills processes in scratch folders and no others', async () => {
      const [mine, other] = [randomUUID(), randomUUID()];
      const [dir, elsewhere] = [await scratch(), await scratch()];
      const running = await drive({ mode, dir: elsewhere, plan: slow(other), mounts });
      const cancel = new AbortController();
      const outcome = runConversion(conversion(sandbox, dir, slow(mine), { signal: cancel.signal }));
      await vi.waitFor(() => expect(processesWith(mine)).not.toEqual([]), { timeout: 20_000 });
      // Until ffmpeg writes, the programs replace one another (exec), and a process has no visible arguments meanwhile.
      await vi.waitFor(async () => expect(await readdir(join(elsewhere, 'out'))).not.toEqual([]), { timeout: 20_000 });
      expect(await endOrphanProcesses(dirname(dir))).toBeGreaterThan(0);
      expect(processesWith(mine)).toEqual([]);
      expect(ffmpegsWith(other, running.service)).not.toEqual([]);
      expect(await outcome).toMatchObject({ ok: false });
    });
  });
