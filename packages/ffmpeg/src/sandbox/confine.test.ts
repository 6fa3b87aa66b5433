import { expect, test } from 'vitest';
import { type Confinement, confineCommand } from './confine.ts';
import { parseHardLimits } from './limits.ts';
import type { DeviceAccess, Sandbox } from './sandbox.ts';

const bubblewrap: Sandbox = {
  kind: 'bubblewrap',
  bwrap: '/usr/bin/bwrap',
  tools: { prlimit: '/usr/bin/prlimit', nice: '/usr/bin/nice', timeout: '/usr/bin/timeout' },
  view: ['--ro-bind', '/usr', '/usr', '--tmpfs', '/tmp'],
  showsOpenFiles: true,
  disablesUserns: true,
  filter: Buffer.from('12345678'),
  hardLimits: {},
  niceness: 12,
};

const job: Omit<Confinement, 'sandbox'> = {
  program: '/usr/local/bin/ffmpeg',
  argv: ['-i', 'in/0.mp4', 'out/a.mp4'],
  dir: '/media/.scratch/job.1',
  mounts: [{ logical: 'in/0.mp4', hostPath: '/media/a.mp4' }],
  limits: { addressSpaceBytes: 4e9, cpuSeconds: 60, fileSizeBytes: 1e9, openFiles: 1024, threads: 600 },
  lastResortSeconds: 90,
};

const LIMITS = ['--as=4000000000', '--cpu=60:65', '--fsize=1000000000', '--nofile=1024'];

test('the whole command with bubblewrap', () => {
  expect(confineCommand({ ...job, sandbox: bubblewrap })).toEqual({
    file: '/usr/bin/nice',
    args: [
      ...['-n', '12', '/usr/bin/bwrap'],
      ...['--unshare-user', '--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts'],
      ...['--unshare-cgroup-try', '--uid', '65534', '--gid', '65534', '--hostname', 'job'],
      ...['--die-with-parent', '--as-pid-1', '--cap-drop', 'ALL', '--clearenv'],
      ...['--setenv', 'PATH', '/usr/bin', '--setenv', 'HOME', '/tmp', '--setenv', 'LANG', 'C.UTF-8'],
      ...['--setenv', 'MALLOC_ARENA_MAX', '4', '--setenv', 'AV_LOG_FORCE_COLOR', '1'],
      ...['--disable-userns', '--ro-bind', '/usr', '/usr', '--tmpfs', '/tmp'],
      ...['--dev', '/dev', '--size', '16777216', '--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
      ...['--dir', '/job', '--dir', '/job/in', '--ro-bind', '/media/a.mp4', '/job/in/0.mp4'],
      ...['--bind', '/media/.scratch/job.1/out', '/job/out', '--bind', '/media/.scratch/job.1/pass', '/job/pass'],
      ...['--chdir', '/job', '--remount-ro', '/', '--file', '3', '/tmp/ready', '--block-fd', '4'],
      ...['--seccomp', '5', '--'],
      ...['/usr/bin/prlimit', ...LIMITS, '--nproc=600', '--core=0', '--'],
      ...['/usr/bin/timeout', '--foreground', '--kill-after=5', '90'],
      ...['/usr/local/bin/ffmpeg', '-i', 'in/0.mp4', 'out/a.mp4'],
    ],
    cwd: '/media/.scratch/job.1',
    env: {},
    inNamespace: true,
    niceness: 12,
    filter: Buffer.from('12345678'),
    files: [],
  });
});

test('pinned inputs are mounted by descriptor, in the order in which bwrap inherits them', () => {
  const mounts = [
    { logical: 'in/0.mp4', hostPath: '/media/a.mp4', fd: 31 },
    { logical: 'in/1', hostPath: '/media/.scratch/job.1/in/1' },
    { logical: 'in/2.mp4', hostPath: '/media/b.mp4', fd: 30 },
  ];
  const { args, files } = confineCommand({ ...job, mounts, sandbox: bubblewrap });
  expect(args.join(' ')).toContain(
    '--ro-bind-fd 6 /job/in/0.mp4 --ro-bind-fd 7 /job/in/2.mp4 --ro-bind /media/.scratch',
  );
  expect(files).toEqual([31, 30]);
});

test('folders of the scratch folder are mounted by descriptor, after the inputs', () => {
  const mounts = [
    { logical: 'in/0.mp4', hostPath: '/media/a.mp4', fd: 31 },
    { logical: 'in/1', hostPath: '/media/.scratch/job.1/in/1' },
  ];
  const folders = new Map([...Object.entries({ out: 40, pass: 41, 'in/1': 42 })]);
  const { args, files } = confineCommand({ ...job, mounts, folders, sandbox: bubblewrap });
  expect(args.join(' ')).toContain(
    '--ro-bind-fd 6 /job/in/0.mp4 --ro-bind-fd 7 /job/in/1 --bind-fd 8 /job/out --bind-fd 9 /job/pass --chdir',
  );
  expect(files).toEqual([31, 42, 40, 41]);
});

test('staged files are mounted once, by their folder', () => {
  const mounts = [1, 2, 3].map((n) => ({ logical: `in/0/${n}.png`, hostPath: `/media/.scratch/job.1/in/0/${n}.png` }));
  const { args } = confineCommand({ ...job, mounts, sandbox: bubblewrap });
  expect(args.join(' ')).toContain('--dir /job/in --ro-bind /media/.scratch/job.1/in/0 /job/in/0 --bind');
});

test('of the fonts, each is mounted alone: some are in the media root, others are copies', () => {
  const mounts = [
    { logical: 'in/fonts/1.ttf', hostPath: '/media/a.ttf' },
    { logical: 'in/fonts/2.ttf', hostPath: '/media/.scratch/job.1/in/fonts/2.ttf' },
  ];
  const { args } = confineCommand({ ...job, mounts, sandbox: bubblewrap });
  expect(args.join(' ')).toContain(
    '--dir /job/in/fonts --ro-bind /media/a.ttf /job/in/fonts/1.ttf --ro-bind /media/.scratch/job.1/in/fonts/2.ttf /job/in/fonts/2.ttf --bind',
  );
});

test('the parent folder of a nested file is created first, because bwrap makes implicit ones unreadable', () => {
  const mounts = [{ logical: 'in/fonts/a.ttf', hostPath: '/media/a.ttf' }];
  const { args } = confineCommand({ ...job, mounts, sandbox: bubblewrap });
  expect(args.join(' ')).toContain('--dir /job/in/fonts --ro-bind /media/a.ttf /job/in/fonts/a.ttf');
});

test('the whole command with Landlock: the checked inputs by descriptor, only out and pass writable', () => {
  const tools = { ...bubblewrap.tools, setpriv: '/usr/bin/setpriv' };
  const view = ['--landlock-access', 'fs'];
  const sandbox = { kind: 'landlock', tools, view, filterFd: 20, isRoot: true, hardLimits: {}, niceness: 12 } as const;
  const mounts = [
    { logical: 'in/0.mp4', hostPath: '/media/a.mp4', fd: 31 },
    { logical: 'in/1', hostPath: '/media/.scratch/job.1/in/1' },
    { logical: 'in/fonts/2.ttf', hostPath: '/media/a.ttf', fd: 32 },
  ];
  const writable = 'path-beneath:read-file,write-file,read-dir,make-reg,make-dir,remove-file,truncate,refer';
  const rule = (text: string) => ['--landlock-rule', text];
  const { file, args, files, isWrapped, inNamespace, env } = confineCommand({
    ...job,
    mounts,
    folders: new Map([['out', 40]]),
    sandbox,
  });
  expect([file, ...args]).toEqual([
    ...['/usr/bin/nice', '-n', '12', '/usr/bin/setpriv', '--pdeathsig', 'KILL', '--'],
    ...['/usr/bin/timeout', '--foreground', '--kill-after=5', '90'],
    ...['/usr/bin/setpriv', '--pdeathsig', 'KILL', '--', '/usr/bin/prlimit', ...LIMITS, '--core=0', '--'],
    ...['/usr/bin/setpriv', '--no-new-privs', '--bounding-set=-all', '--inh-caps=-all', '--ambient-caps=-all'],
    ...['--landlock-access', 'fs'],
    ...rule('path-beneath:read-file:/proc/self/fd/4'),
    ...rule('path-beneath:read-file:/proc/self/fd/5'),
    ...rule('path-beneath:read-dir:/media/.scratch/job.1/in/fonts'),
    ...rule('path-beneath:read-file:/media/.scratch/job.1/in/1'),
    ...rule(`${writable}:/proc/self/fd/6`),
    ...rule(`${writable}:/media/.scratch/job.1/pass`),
    ...['--seccomp-filter', '/proc/self/fd/3', '--'],
    ...['/usr/local/bin/ffmpeg', '-i', 'in/0.mp4', 'out/a.mp4'],
  ]);
  expect({ files, isWrapped, inNamespace, home: env['HOME'] }).toEqual({
    files: [20, 31, 32, 40],
    isWrapped: true,
    inNamespace: false,
    home: '/media/.scratch/job.1/pass',
  });
});

test('the whole command without a sandbox: limits, parent-death signal and a minimal environment', () => {
  const tools = { setpriv: '/usr/bin/setpriv', prlimit: '/usr/bin/prlimit', nice: '/usr/bin/nice' };
  expect(
    confineCommand({ ...job, sandbox: { kind: 'none', reason: '', fix: '', tools, hardLimits: {}, niceness: 12 } }),
  ).toEqual({
    file: '/usr/bin/setpriv',
    args: [
      ...['--pdeathsig', 'KILL', '--', '/usr/bin/prlimit', ...LIMITS, '--core=0', '--', '/usr/bin/nice', '-n', '12'],
      ...['/usr/local/bin/ffmpeg', '-i', 'in/0.mp4', 'out/a.mp4'],
    ],
    cwd: '/media/.scratch/job.1',
    env: {
      PATH: '/usr/bin:/bin',
      HOME: '/media/.scratch/job.1',
      LANG: 'C.UTF-8',
      MALLOC_ARENA_MAX: '4',
      AV_LOG_FORCE_COLOR: '1',
    },
    inNamespace: false,
    niceness: 12,
    files: [],
  });
});

const VAAPI: DeviceAccess = {
  type: 'vaapi',
  nodes: ['/dev/dri/renderD128'],
  reads: ['/sys/devices/pci0000:00/0000:00:02.0'],
  links: [['/sys/dev/char/226:128', '/sys/devices/pci0000:00/0000:00:02.0/drm/renderD128']],
  named: { logical: 'dev/vaapi', node: '/dev/dri/renderD128' },
  environment: {},
};

const CUDA: DeviceAccess = {
  type: 'cuda',
  nodes: ['/dev/nvidia1', '/dev/nvidiactl', '/dev/nvidia-uvm'],
  reads: ['/proc/driver/nvidia'],
  links: [],
  environment: { CUDA_DEVICE_ORDER: 'PCI_BUS_ID', CUDA_VISIBLE_DEVICES: '1' },
};

test('with a device, bubblewrap shows its nodes and what its driver reads, and nothing else of /dev and /sys', () => {
  const text = confineCommand({ ...job, device: VAAPI, sandbox: bubblewrap }).args.join(' ');
  expect(text).toContain(
    '--tmpfs /dev/shm --dir /dev/dri --dev-bind /dev/dri/renderD128 /dev/dri/renderD128 --remount-ro /dev',
  );
  expect(text).toContain('--ro-bind /sys/devices/pci0000:00/0000:00:02.0 /sys/devices/pci0000:00/0000:00:02.0');
  expect(text).toContain(
    '--symlink /sys/devices/pci0000:00/0000:00:02.0/drm/renderD128 /sys/dev/char/226:128 ' +
      '--dir /job/dev --symlink /dev/dri/renderD128 /job/dev/vaapi --chdir /job',
  );
  const cuda = confineCommand({ ...job, device: CUDA, sandbox: bubblewrap }).args;
  expect(cuda.filter((_, index) => cuda[index - 1] === '--dev-bind')).toEqual(CUDA.nodes);
  expect(cuda).not.toContain('--proc');
  const withProc = confineCommand({ ...job, device: { ...CUDA, needsProc: true }, sandbox: bubblewrap }).args;
  expect(withProc.join(' ')).toContain('--proc /proc --chdir');
});

test('with a device, the memory that the process writes to is limited, because drivers reserve address space', () => {
  const { args } = confineCommand({ ...job, device: CUDA, sandbox: bubblewrap });
  expect(args).toContain('--data=4000000000');
  expect(args).not.toContain('--as=4000000000');
});

test('with a device, Landlock allows its nodes, and calls of drivers where the kernel has a right for them', () => {
  const tools = { ...bubblewrap.tools, setpriv: '/usr/bin/setpriv' };
  const sandbox = {
    kind: 'landlock',
    tools,
    view: [],
    filterFd: 20,
    isRoot: false,
    hardLimits: {},
    niceness: 12,
  } as const;
  const rulesOf = (device: DeviceAccess) =>
    confineCommand({ ...job, mounts: [], device, sandbox }).args.filter((arg) => arg.startsWith('path-beneath:'));
  expect(rulesOf(VAAPI)).toContain('path-beneath:read-file,write-file:/dev/dri/renderD128');
  expect(rulesOf(VAAPI)).toContain('path-beneath:read-file,read-dir:/sys/devices/pci0000:00/0000:00:02.0');
  expect(rulesOf({ ...CUDA, hasIoctlRight: true })).toContain(
    'path-beneath:read-file,write-file,ioctl-dev:/dev/nvidia1',
  );
  expect(rulesOf(CUDA).filter((rule) => rule.endsWith(':/proc'))).toEqual([]);
});

test('without a sandbox, the environment selects the card', () => {
  const sandbox: Sandbox = { kind: 'none', reason: '', fix: '', tools: {}, hardLimits: {}, niceness: 12 };
  expect(confineCommand({ ...job, device: CUDA, sandbox }).env).toMatchObject({ CUDA_VISIBLE_DEVICES: '1' });
  expect(confineCommand({ ...job, sandbox }).env).not.toHaveProperty('CUDA_VISIBLE_DEVICES');
});

test('without any tools, ffmpeg is started directly', () => {
  const command = confineCommand({
    ...job,
    sandbox: { kind: 'none', reason: '', fix: '', tools: {}, hardLimits: {}, niceness: 12 },
  });
  expect([command.file, ...command.args]).toEqual(['/usr/local/bin/ffmpeg', '-i', 'in/0.mp4', 'out/a.mp4']);
});

test('a limit above a hard limit of the service is lowered to it, so that prlimit does not fail', () => {
  const text = [
    'Limit                     Soft Limit           Hard Limit           Units     ',
    'Max cpu time              unlimited            62                   seconds   ',
    'Max file size             unlimited            unlimited            bytes     ',
    'Max core file size        0                    0                    bytes     ',
    'Max processes             100                  200                  processes ',
    'Max open files            1024                 512                  files     ',
    'Max address space         unlimited            3000000000           bytes     ',
  ].join('\n');
  const hardLimits = parseHardLimits(text);
  expect(hardLimits).toEqual({ cpu: 62, nproc: 200, nofile: 512, as: 3e9 });
  const { args } = confineCommand({ ...job, sandbox: { ...bubblewrap, hardLimits } });
  const limits = ['--as=3000000000', '--cpu=60:62', '--fsize=1000000000', '--nofile=512', '--nproc=200', '--core=0'];
  expect(args.join(' ')).toContain(`/usr/bin/prlimit ${limits.join(' ')} --`);
});
