// @module-tag long
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { chown, copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import type { ReadyView } from '../../packages/contract/src/wire/system.ts';
import { processStart } from '../../packages/ffmpeg/src/process/process-tree.ts';
import { samplePath } from '../../scripts/lib/samples.ts';
import { adminClient } from '../support/api-client.ts';
import { testFolder } from '../support/folders.ts';
import { hostileFfmpeg } from '../support/hostile-ffmpeg.ts';
import { AS_NOBODY, cgroupMount, needs } from '../support/needs.ts';
import { seedCatalogues, startServer, type TestServer } from '../support/server.ts';

const NOBODY = 65534;

/** Perl code that enters a cgroup and then runs the rest of its arguments. */
const ENTER = 'open(F, ">", shift) && syswrite(F, "0") or die $!; close F; exec @ARGV';

/** A cgroup of the user nobody, as systemd creates it for a unit with `Delegate=yes`. */
function delegatedCgroup(controllers: readonly string[]): string {
  const top = cgroupMount()?.path ?? '';
  for (const name of controllers) writeFileSync(join(top, 'cgroup.subtree_control'), `+${name}`);
  const group = join(top, `telecine-test-${process.pid}-${Date.now()}`);
  mkdirSync(group);
  for (const name of ['', 'cgroup.procs', 'cgroup.subtree_control', 'cgroup.threads'])
    chownSync(join(group, name), NOBODY, NOBODY);
  onTestFinished(async () => {
    writeFileSync(join(group, 'cgroup.kill'), '1');
    for (const end = Date.now() + 5000; Date.now() < end && !isRemoved(group); ) await sleep(20);
  });
  return group;
}

function isRemoved(group: string): boolean {
  try {
    for (const name of readdirSync(group))
      if (existsSync(join(group, name, 'cgroup.procs'))) rmdirSync(join(group, name));
    rmdirSync(group);
    return true;
  } catch {
    return false;
  }
}

const pidsIn = (group: string): readonly number[] =>
  readFileSync(join(group, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean).map(Number);

/** The names of the programs in a cgroup; undefined if there is no such cgroup. */
function programsIn(group: string): readonly string[] | undefined {
  try {
    return pidsIn(group).map((pid) => readFileSync(`/proc/${pid}/comm`, 'utf8').trim());
  } catch {
    return undefined;
  }
}

/** Whether the processes of a cgroup are stopped; undefined if there is no such cgroup. */
function arePaused(group: string): boolean | undefined {
  try {
    const pids = pidsIn(group);
    return pids.length > 0 && pids.every((pid) => /\) T /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')));
  } catch {
    return undefined;
  }
}

/** Continues the processes of a cgroup until their job has ended. */
async function finish<T>(group: string, running: Promise<T>): Promise<T> {
  let isEnded = false;
  const ended = running.finally(() => {
    isEnded = true;
  });
  while (!isEnded) {
    try {
      for (const pid of pidsIn(group)) process.kill(pid, 'SIGCONT');
    } catch {
      // They have ended.
    }
    await sleep(20);
  }
  return ended;
}

/** Waits until `isSo` returns true. The time limit of the test ends the wait. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(20);
}

/** Starts services of the user nobody with a hostile ffmpeg, all with the same folders, and by default in one cgroup. */
async function inGroup(group: string, env: Readonly<Record<string, string>>) {
  const folder = await testFolder('nobody');
  const [dataDir, mediaRoot] = [join(folder, 'data'), join(folder, 'media')];
  for (const path of [folder, dataDir, mediaRoot]) {
    await mkdir(path, { recursive: true });
    await chown(path, NOBODY, NOBODY);
  }
  await seedCatalogues(dataDir);
  await copyFile(samplePath('480p'), join(mediaRoot, 'movie.mp4'));
  const settings = { ...(await hostileFfmpeg()), ...env };
  return async (entered = group) => {
    const launcher = ['/usr/bin/perl', '-e', ENTER, join(entered, 'cgroup.procs'), ...AS_NOBODY];
    const server = await startServer({ dataDir, mediaRoot, launcher, env: settings });
    return { server, admin: await adminClient(server) };
  };
}

/** What the names of the cgroups of its conversions begin with, while the service runs. */
const prefixOf = ({ pid }: TestServer): string => `job-${pid}-${processStart(pid)}-`;

const request = (output: string) => ({ input: 'movie.mp4', output, parameters: { c: 'copy' } });

for (const sandbox of ['bubblewrap', 'off'] as const) {
  const test = needs('ffmpeg', 'cgroup v2', 'perl', 'a C compiler', ...(sandbox === 'off' ? [] : [sandbox]));

  test(`sandbox ${sandbox}: a conversion is in a group of its own and ends with it`, { timeout: 60_000 }, async () => {
    const group = delegatedCgroup([]);
    const start = await inGroup(group, { TELECINE_SANDBOX: sandbox });
    const { server, admin } = await start();
    expect(readFileSync(join(group, 'cgroup.procs'), 'utf8')).toBe('');
    const { body } = await admin.request<ReadyView>('/ready');
    expect(body.checks['limits']).toMatchObject({ message: expect.stringMatching(/^Each conversion has a cgroup/) });

    const prefix = prefixOf(server);
    const job = (count: number) => `${prefix}${count}`;
    const running = admin.run(request('paused.mkv'));
    await until(() => programsIn(join(group, job(1)))?.includes('ffmpeg') === true);
    const wrappers = sandbox === 'off' ? [] : ['bwrap', 'timeout'];
    expect(programsIn(join(group, job(1)))?.toSorted()).toEqual([...wrappers, 'ffmpeg'].sort());
    expect(programsIn(join(group, 'service'))).not.toContain('ffmpeg');
    expect(await finish(join(group, job(1)), running)).toMatchObject({ status: 'COMPLETED' });
    expect(programsIn(join(group, job(1)))).toBeUndefined();

    // The process that this request leaves behind has a session of its own. Without a sandbox it would outlive ffmpeg.
    await admin.run(request('leftover.mkv'));
    expect(programsIn(join(group, job(2)))).toBeUndefined();
    expect(programsIn(join(group, 'service'))).not.toContain('ffmpeg');

    // After a crash, the next service removes the cgroups.
    void admin.accept(request('next/slow.mkv')).catch(() => undefined);
    await until(() => programsIn(join(group, job(3)))?.includes('ffmpeg') === true);
    await server.kill9('main');
    const next = await start();
    expect(existsSync(join(group, job(3)))).toBe(false);
    await next.server.stop();
  });
}

needs(
  'ffmpeg',
  'perl',
  'cgroup v2',
  'a C compiler',
)('a second service in the same group leaves the conversions of the first alone', { timeout: 60_000 }, async () => {
  const group = delegatedCgroup([]);
  const first = await (await inGroup(group, { TELECINE_SANDBOX: 'off' }))();
  const running = first.admin.run(request('paused.mkv'));
  const firstJob = join(group, `${prefixOf(first.server)}1`);
  await until(() => arePaused(firstJob) === true);
  const second = await (await inGroup(group, { TELECINE_SANDBOX: 'off' }))(join(group, 'service'));
  expect(programsIn(firstJob)).toEqual(['ffmpeg']);
  const secondJob = join(group, `${prefixOf(second.server)}1`);
  const secondRunning = second.admin.run(request('paused.mkv'));
  await until(() => programsIn(secondJob)?.includes('ffmpeg') === true);
  const ends = [await finish(firstJob, running), await finish(secondJob, secondRunning)];
  expect(ends).toMatchObject([{ status: 'COMPLETED' }, { status: 'COMPLETED' }]);
});

needs(
  'ffmpeg',
  'sandbox',
  'perl',
  'cgroup v2',
  'controllers of cgroup v2',
  'a C compiler',
)('the processes of a conversion cannot take more memory together than one may', { timeout: 60_000 }, async () => {
  const group = delegatedCgroup(['memory', 'pids', 'cpu']);
  const start = await inGroup(group, { TELECINE_SANDBOX: 'required', TELECINE_CLIENT_LIMITS: 'memory=1G' });
  const { admin } = await start();
  expect(await admin.run(request('crowd.mkv'))).toMatchObject({
    status: 'FAILED',
    error: { code: 'LIMIT_EXCEEDED', message: expect.stringContaining('limit "memory": 1.07 GB (1 GiB)') },
  });
});
