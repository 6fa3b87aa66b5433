import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { expect, inject, onTestFinished } from 'vitest';
import { descendants } from '../../packages/ffmpeg/src/process/process-tree.ts';
import { startProgram } from '../support/child.ts';
import { needs } from '../support/needs.ts';
import { scratchProcesses, signalEach } from '../support/scratch-processes.ts';
import type { TestServer } from '../support/server.ts';
import { waitUntil } from '../support/wait.ts';
import { createFaultHarness, type FaultHarness, longJob } from './fault-harness.ts';

const test = needs('ffmpeg', 'linux');

const REAPER = resolve(dirname(inject('program').entry), '../dist/reaper-main.js');
const HOLDER = resolve(import.meta.dirname, '../support/data-folder-holder.ts');

const scratchOf = ({ mediaRoot }: Pick<FaultHarness, 'mediaRoot'>): string => join(mediaRoot, '.telecine/jobs');

/** Starts a process in a scratch folder. Like an ffmpeg that is just starting, it does not end with the service. */
async function startOrphan(scratchRoot: string): Promise<ChildProcess> {
  const cwd = join(scratchRoot, 'orphan.1');
  await mkdir(cwd);
  const child = spawn('sleep', ['600'], { cwd, detached: true, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'spawn');
  return child;
}

const alive = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null;

const pids = (): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

/** Reads from /proc. Returns undefined if the process or the descriptor is gone. */
function readProc<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** The crash reapers of a service. */
const reapersOf = (scratchRoot: string): readonly number[] =>
  pids().filter((pid) =>
    readProc(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'))?.endsWith(
      `\0${REAPER}\0${dirname(scratchRoot)}\0${scratchRoot}\0`,
    ),
  );

const reaperIsGone = (scratchRoot: string): Promise<true> =>
  waitUntil('the crash reaper to end', async () => (reapersOf(scratchRoot).length === 0 ? true : undefined), 10);

/** The targets of the open descriptors of a process. */
const openFiles = (pid: number): readonly string[] =>
  (readProc(() => readdirSync(`/proc/${pid}/fd`)) ?? []).flatMap(
    (fd) => readProc(() => readlinkSync(`/proc/${pid}/fd/${fd}`)) ?? [],
  );

const conversionsAreGone = (mediaRoot: string): Promise<true> =>
  waitUntil('conversions to end', async () => (await scratchProcesses(mediaRoot)).length === 0 || undefined, 10);

/** Kills a converting service and checks that its processes end without a restart. */
async function expectReaped(harness: FaultHarness, server: TestServer, target: 'group' | 'main'): Promise<void> {
  const orphan = await startOrphan(scratchOf(harness));
  await server.kill9(target);
  await once(orphan, 'exit', { signal: AbortSignal.timeout(20_000) });
  expect(orphan.signalCode).toBe('SIGKILL');
  await conversionsAreGone(harness.mediaRoot);
}

test('the crash reaper survives a SIGKILL of the service or its group, and spares the next service', {
  tags: 'long',
}, async () => {
  const harness = await createFaultHarness();
  const { server, api } = await harness.start();
  const jobId = await api.accept(longJob('out/a.mp4'));
  await harness.waitForFfmpeg(jobId);
  await expectReaped(harness, server, 'group');

  const next = await harness.start();
  await harness.waitForFfmpeg(jobId, 2);
  const before = await scratchProcesses(harness.mediaRoot);
  expect(before).not.toEqual([]);
  // The second reaper runs for some seconds. Suspend the conversions, which would use processor time meanwhile.
  signalEach(before, 'SIGSTOP');
  expect(await startProgram(REAPER, [dirname(scratchOf(harness)), scratchOf(harness)]).ended).toBe(0);
  expect(await scratchProcesses(harness.mediaRoot)).toEqual(before);
  expect(await next.api.job(jobId)).toMatchObject({ status: 'PROCESSING', attempt: 2 });
  await waitUntil('one crash reaper', async () => (reapersOf(scratchOf(harness)).length === 1 ? true : undefined), 10);

  await expectReaped(harness, next.server, 'main');
  await reaperIsGone(scratchOf(harness));
});

test('the crash reaper also covers scratch folders in the data folder', { tags: 'long' }, async () => {
  const harness = await createFaultHarness();
  await symlink(harness.dataDir, join(harness.mediaRoot, '.telecine'));
  const { server } = await harness.start();
  const orphan = await startOrphan(join(harness.dataDir, 'scratch/jobs'));
  await server.kill9('main');
  await once(orphan, 'exit', { signal: AbortSignal.timeout(20_000) });
  expect(orphan.signalCode).toBe('SIGKILL');
});

test('a service without a worker has no crash reaper', { tags: 'long' }, async () => {
  const harness = await createFaultHarness();
  await harness.start({}, { args: ['--no-worker'] });
  expect(reapersOf(scratchOf(harness))).toEqual([]);
});

test('a service waits for the crash reaper of an earlier one; without its own reaper it logs that and continues', {
  tags: 'long',
}, async () => {
  const harness = await createFaultHarness();
  await mkdir(scratchOf(harness), { recursive: true });
  const lock = join(harness.mediaRoot, '.telecine');
  const sweep = startProgram(HOLDER, [lock]);
  await sweep.wrote(1);
  const starting = harness.start();
  const waits = async () =>
    pids().some((pid) => pid !== sweep.process.pid && openFiles(pid).includes(join(lock, 'serve.lock')))
      ? true
      : undefined;
  await Promise.race([starting, waitUntil('the service to come to the lock', waits, 20)]);
  sweep.process.kill('SIGKILL');
  const { server, api } = await starting;

  for (const pid of reapersOf(scratchOf(harness))) process.kill(pid, 'SIGKILL');
  await waitUntil(
    'the log to tell',
    async () => (server.log().includes('the crash reaper has ended') ? true : undefined),
    10,
  );
  expect(await api.run({ input: 'in/voice.wav', output: 'out/a.m4a' })).toMatchObject({ status: 'COMPLETED' });
  expect(await server.stop()).toEqual({ code: 0, signal: null });
});

test('crash reaper and conversions inherit no open file of the service, and end with it on SIGTERM', async () => {
  const harness = await createFaultHarness();
  const { server, api } = await harness.start({ TELECINE_DRAIN_SECONDS: '0' });
  await harness.waitForFfmpeg(await api.accept(longJob('out/a.mp4')));
  const guards = reapersOf(scratchOf(harness));
  expect(guards).toHaveLength(1);
  // Every process inherits the files that the shell of this test run has open.
  const inherited = openFiles(process.pid);
  const mine = openFiles(server.pid).filter((file) => file !== '/dev/null' && !inherited.includes(file));
  const children = await descendants(server.pid);
  expect(mine.some((file) => file.startsWith('socket:'))).toBe(true);
  expect(children).toEqual(expect.arrayContaining([...guards]));
  expect(children.length).toBeGreaterThan(1);
  for (const pid of children) expect(openFiles(pid).filter((file) => mine.includes(file))).toEqual([]);

  const orphan = await startOrphan(scratchOf(harness));
  expect(await server.stop()).toEqual({ code: 0, signal: null });
  await reaperIsGone(scratchOf(harness));
  // The reaper ended without killing anything.
  expect(alive(orphan)).toBe(true);
});
