import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkerListView } from '../../packages/contract/src/wire/workers.ts';
import { adminLogin, must } from '../../scripts/lib/api.ts';
import { endWithTests } from '../../test/support/end-with-tests.ts';

const PROGRAM = resolve(import.meta.dirname, '../../bin/telecine.js');
const PATIENCE_MS = 120_000;

export interface BenchWorkerOptions {
  /** The data folder of the worker. Its log is the file `FOLDER.log` next to it. */
  readonly folder: string;
  readonly mediaRoot: string;
  readonly env: Readonly<Record<string, string>>;
  /** The only core that the worker uses. Default: all cores. */
  readonly core?: number;
}

export interface BenchWorker {
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

/** Starts a worker that runs one conversion at a time, and waits until it runs jobs. `closers` end it. */
export async function startBenchWorker(
  closers: AsyncDisposableStack,
  { folder, mediaRoot, env, core }: BenchWorkerOptions,
): Promise<BenchWorker> {
  const logFile = `${folder}.log`;
  const log = openSync(logFile, 'w');
  const command = [process.execPath, PROGRAM, 'worker'];
  const [program = '', ...args] = core === undefined ? command : ['taskset', '--cpu-list', String(core), ...command];
  const child = spawn(program, args, {
    env: {
      ...process.env,
      ...env,
      TELECINE_PORT: '0',
      TELECINE_DATA_DIR: folder,
      TELECINE_MEDIA_ROOT: mediaRoot,
      TELECINE_CONCURRENCY: '1',
    },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  endWithTests(child);
  const exited = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exited;
  };
  closers.defer(stop);
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end && child.exitCode === null; await sleep(50))
    if (readFileSync(logFile, 'utf8').includes('"msg":"started"')) return { child, stop };
  throw new Error(`The worker did not start. Its log:\n${readFileSync(logFile, 'utf8')}`);
}

/** Waits until so many running workers have reported to the service. Those that have stopped do not count. */
export async function waitForWorkers(url: string, dataDir: string, count: number): Promise<void> {
  const { accessToken: token } = await adminLogin(url, dataDir);
  let running = 0;
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(100)) {
    const { workers } = await must<WorkerListView>(`${url}/api/workers`, { token });
    running = workers.filter(({ state }) => state === 'running').length;
    if (running === count) return;
  }
  throw new Error(`${running} workers run instead of ${count}.`);
}
