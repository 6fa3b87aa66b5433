import { describe, expect, test } from 'vitest';
import { cgroupFolder } from '../../packages/ffmpeg/src/sandbox/cgroup/delegated-cgroup.ts';
import { type JobCgroups, limitsText, openJobCgroups } from '../../packages/ffmpeg/src/sandbox/cgroup/job-cgroups.ts';
import { cgroupsInMemory } from '../support/cgroups-in-memory.ts';

const MOUNT_INFO = [
  '24 30 0:22 / /proc rw,relatime shared:14 - proc proc rw',
  '35 24 0:30 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate,memory_recursiveprot',
].join('\n');

describe('the group of the service is found', () => {
  test.each([
    ['by systemd', '0::/system.slice/telecine.service\n', MOUNT_INFO, '/sys/fs/cgroup/system.slice/telecine.service'],
    ['beside groups of v1', '8:pids:/x\n0::/a\n', MOUNT_INFO.replace('/sys/fs/cgroup ', '/cg '), '/cg/a'],
    ['in a namespace of a container', '0::/\n', MOUNT_INFO, '/sys/fs/cgroup'],
    [
      'where a part of the tree is mounted',
      '0::/a/b\n',
      MOUNT_INFO.replace(' / /sys/fs', ' /a /sys/fs'),
      '/sys/fs/cgroup/b',
    ],
    ['nowhere, if another part is mounted', '0::/ab\n', MOUNT_INFO.replace(' / /sys/fs', ' /a /sys/fs'), undefined],
    [
      'nowhere, if a mount is outside of the namespace',
      '0::/a/b\n',
      MOUNT_INFO.replace(' / /sys/fs', ' /../a /sys/fs'),
      undefined,
    ],
    ['nowhere without v2', '8:pids:/x\n', MOUNT_INFO, undefined],
    ['nowhere without a mount', '0::/a\n', '', undefined],
  ])('%s', (_where, cgroup, mountInfo, folder) => {
    expect(cgroupFolder({ cgroup, mountInfo })).toBe(folder);
  });
});

const own = (cgroup = '/unit', uid = 1000, pid = 7) => ({
  cgroup: `0::${cgroup}\n`,
  mountInfo: '35 24 0:30 / / rw - cgroup2 cgroup2 rw',
  uid,
  pid,
});

async function opened(kernel: ReturnType<typeof cgroupsInMemory>, self = own()): Promise<JobCgroups> {
  const groups = await openJobCgroups(kernel.files, self, kernel.startOf, 12);
  if (groups.kind === 'none') throw new Error(groups.reason);
  return groups;
}

/** The group of the first conversion of process 7. */
const FIRST = '/unit/job-7-5000-1';

/** On a simulated cgroup file system: see `cgroupsInMemory`. */
describe('in a delegated group', () => {
  test('the service moves into a group of its own, so that it can pass controllers on', async () => {
    const kernel = cgroupsInMemory(1000, [7]);
    const groups = await opened(kernel);
    expect(kernel.pidsIn('/unit/service')).toEqual([7]);
    expect(kernel.fileOf('/unit', 'cgroup.subtree_control')).toBe('memory pids cpu ');
    expect(limitsText(groups)).toBe('Each conversion has a cgroup, with limits of memory, pids, cpu.');
  });

  test('a conversion has its limits before a process enters, and ends with all its processes', async () => {
    const kernel = cgroupsInMemory(1000, [7]);
    const group = await (await opened(kernel)).open({ addressSpaceBytes: 5_000_000, threads: 64 });
    const limits = ['memory.max', 'memory.swap.max', 'memory.oom.group', 'pids.max', 'cpu.weight.nice'];
    expect(limits.map((name) => kernel.fileOf(FIRST, name))).toEqual(['5000000', '0', '1', '68', '12']);
    // bwrap has started its child already.
    for (const pid of [20, 21]) kernel.start(pid, '/unit/service');
    await group.enter(20, async () => [21]);
    expect(kernel.pidsIn(FIRST)).toEqual([20, 21]);
    expect(kernel.pidsIn('/unit/service')).toEqual([7]);
    expect(await group.ranOutOfMemory()).toBe(false);
    await kernel.files.write(FIRST, 'memory.events', 'oom 0\noom_kill 1\n');
    expect(await group.ranOutOfMemory(), 'the machine ran out of memory').toBe(false);
    await kernel.files.write(FIRST, 'memory.events', 'oom 1\noom_kill 2\n');
    expect(await group.ranOutOfMemory()).toBe(true);
    await group.end();
    expect(kernel.groups.has(FIRST)).toBe(false);
    expect(kernel.pidsIn(FIRST)).toEqual([]);
  });

  test('limits that a client does not have stay at the default of the kernel', async () => {
    const kernel = cgroupsInMemory(1000, [7]);
    await (await opened(kernel)).open({ addressSpaceBytes: undefined, threads: undefined });
    expect(['memory.max', 'pids.max'].map((name) => kernel.fileOf(FIRST, name))).toEqual(['', '']);
  });

  test('groups of a killed service are removed at the next start, with their processes', async () => {
    const kernel = cgroupsInMemory(1000, [7]);
    await (await opened(kernel)).open({ addressSpaceBytes: 1, threads: 1 });
    kernel.start(20, FIRST);
    kernel.end(7);
    kernel.start(8, '/unit');
    await opened(kernel, own('/unit', 1000, 8));
    expect([...kernel.groups.keys()]).toEqual(['/unit', '/unit/service']);
    expect(kernel.pidsIn(FIRST)).toEqual([]);
  });

  test('a killed service is recognised also if another process has its id now', async () => {
    const kernel = cgroupsInMemory(1000, [7]);
    await (await opened(kernel)).open({ addressSpaceBytes: 1, threads: 1 });
    await kernel.files.make('/unit/job-7-4999-1');
    await opened(kernel, own('/unit/service'));
    expect([...kernel.groups.keys()]).toEqual(['/unit', '/unit/service', FIRST]);
  });

  test('a second service of the unit neither removes nor uses the groups of the first', async () => {
    const kernel = cgroupsInMemory(1000, [7]);
    const first = await opened(kernel);
    await first.open({ addressSpaceBytes: 1, threads: 1 });
    kernel.start(20, FIRST);
    kernel.start(8, '/unit/service');
    const second = await opened(kernel, own('/unit/service', 1000, 8));
    await second.open({ addressSpaceBytes: 1, threads: 1 });
    await first.open({ addressSpaceBytes: 1, threads: 1 });
    const names = [FIRST, '/unit/job-8-5000-1', '/unit/job-7-5000-2'];
    expect([...kernel.groups.keys()]).toEqual(['/unit', '/unit/service', ...names]);
    expect(kernel.pidsIn(FIRST)).toEqual([20]);
  });

  test('groups that no service has made are left alone', async () => {
    const kernel = cgroupsInMemory(1000, [7]);
    const foreign = ['/unit/job-1', '/unit/job-1-2-3-4', '/unit/jobs', '/unit/job-99-unknown-1'];
    for (const group of foreign) await kernel.files.make(group);
    await opened(kernel);
    expect([...kernel.groups.keys()]).toEqual(['/unit', ...foreign, '/unit/service']);
  });

  test('without some controllers the rest is limited, and the operator is told', async () => {
    const kernel = cgroupsInMemory(1000, [7], 'pids');
    const groups = await opened(kernel);
    await groups.open({ addressSpaceBytes: 1, threads: 1 });
    expect(kernel.fileOf(FIRST, 'pids.max')).toBe('5');
    expect(limitsText(groups)).toBe('Each conversion has a cgroup, with limits of pids. Not delegated: memory, cpu.');
  });

  test('a conversion does not start without a limit that cannot be set', async () => {
    const kernel = cgroupsInMemory(1000, [7]);
    const groups = await opened(kernel);
    const { write } = kernel.files;
    kernel.files.write = async (group, name, text) => {
      if (name === 'pids.max') throw Object.assign(new Error('denied'), { code: 'EACCES' });
      await write(group, name, text);
    };
    await expect(groups.open({ addressSpaceBytes: 1, threads: 1 })).rejects.toThrow('denied');
    expect(kernel.groups.has(FIRST)).toBe(false);
  });
});

test.each([
  ['a group of another user', cgroupsInMemory(0, [7]), own()],
  ['root outside of a container, who owns every group', cgroupsInMemory(0, [7]), own('/unit', 0)],
  ['a terminal of the same user', cgroupsInMemory(1000, [7, 8]), own()],
  ['a machine without cgroup v2', cgroupsInMemory(1000, [7]), { ...own(), cgroup: '' }],
])('%s gives no groups, and nothing is moved', async (_what, kernel, self) => {
  const groups = await openJobCgroups(kernel.files, self, kernel.startOf, 12);
  expect(groups).toMatchObject({ kind: 'none', reason: expect.stringMatching(/cgroup/) });
  expect(kernel.pidsIn('/unit')).toContain(7);
  expect([...kernel.groups.keys()]).toEqual(['/unit']);
});
