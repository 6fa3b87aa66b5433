import { expect, test } from 'vitest';
import type { DeviceAccess } from '../sandbox/sandbox.ts';
import type { SelfTest } from '../sandbox/self-test.ts';
import { devicePool, devicesText, findDeviceFiles, type OpenDevice, sessionsByType, tryDevice } from './devices.ts';

// No machine of the tests has a device, so a function stands for the runs of ffmpeg.

const CUDA: DeviceAccess = { type: 'cuda', nodes: ['/dev/nvidia0'], reads: [], links: [], environment: {} };
const VAAPI: DeviceAccess = { ...CUDA, type: 'vaapi', nodes: ['/dev/dri/renderD128'] };

const ENCODERS = ['libx264', 'h264_nvenc', 'hevc_nvenc', 'av1_nvenc', 'h264_vaapi', 'vp9_vaapi', 'h264_qsv'];

/** A machine on which runs succeed whose encoder is one of `working`, or that name none. */
const machine =
  (working: readonly string[], mayOpen: (device: DeviceAccess) => boolean = () => true, runs: string[] = []) =>
  async (argv: readonly string[], device: DeviceAccess): Promise<SelfTest> => {
    runs.push(argv.join(' '));
    const encoder = argv[argv.indexOf('-c:v') + 1] ?? '';
    const works = mayOpen(device) && (!argv.includes('-c:v') || working.includes(encoder));
    return { failure: works ? undefined : 'Device creation failed: -5', output: '' };
  };

test('offers the encoders of the type that work on the model', async () => {
  const runs: string[] = [];
  const { encoders } = await tryDevice(
    CUDA,
    ENCODERS,
    machine(['h264_nvenc', 'hevc_nvenc', 'h264_vaapi'], undefined, runs),
  );
  expect(encoders).toEqual(['h264_nvenc', 'hevc_nvenc']);
  expect(runs[0]).toContain('-init_hw_device cuda=hw');
  const ofVaapi: string[] = [];
  await tryDevice(VAAPI, ENCODERS, machine(['h264_vaapi'], undefined, ofVaapi));
  expect(ofVaapi.at(-1)).toContain('-init_hw_device vaapi=hw:dev/vaapi');
  expect(ofVaapi.at(-1)).toContain('-vf format=nv12,hwupload -c:v vp9_vaapi');
});

test('shows the driver no more than it needs', async () => {
  const anyway = await tryDevice(CUDA, ENCODERS, machine([]));
  expect(anyway.access).not.toHaveProperty('needsProc');
  const withProc = await tryDevice(
    CUDA,
    ENCODERS,
    machine([], ({ needsProc }) => needsProc === true),
  );
  expect(withProc.access).toMatchObject({ needsProc: true });
});

test('says why a device cannot be used, and what to do', async () => {
  const never = machine([], () => false);
  await expect(tryDevice(VAAPI, ENCODERS, never)).rejects.toMatchObject({
    message: 'ffmpeg could not open it in the sandbox: Device creation failed: -5.',
    fix: expect.stringContaining('vainfo'),
  });
  await expect(findDeviceFiles({ type: 'vaapi', name: '/dev/dri/renderD999' })).rejects.toMatchObject({
    message: '/dev/dri/renderD999 does not exist.',
    fix: expect.stringContaining('Install the driver'),
  });
  await expect(findDeviceFiles({ type: 'vaapi', name: '/etc/hosts' })).rejects.toMatchObject({
    message: '/etc/hosts is not a device.',
  });
});

test('finds a device node by its path, with the numbers under which the kernel lists it', async () => {
  expect(await findDeviceFiles({ type: 'vaapi', name: '/dev/null' })).toMatchObject({
    nodes: ['/dev/null'],
    links: [['/sys/dev/char/1:3', expect.stringContaining('/null')]],
    named: { logical: 'dev/vaapi', node: '/dev/null' },
  });
});

const opened = (name: string, encoders: readonly string[], sessions = 2): OpenDevice => ({
  type: 'cuda',
  name,
  access: { ...CUDA, nodes: [name] },
  encoders,
  sessions,
});

test('gives a conversion the device with the most free sessions, of those that have its encoder', () => {
  const pool = devicePool([opened('0', ['h264_nvenc']), opened('1', ['av1_nvenc', 'h264_nvenc'])], []);
  const taken = ['a', 'b', 'c'].map(() => pool.take(['cuda', 'h264_nvenc']));
  expect(taken.map((one) => one?.access.nodes[0])).toEqual(['0', '1', '0']);
  taken[0]?.release();
  taken[2]?.release();
  expect(pool.take(['av1_nvenc', 'cuda'])?.access.nodes).toEqual(['1']);
  expect(pool.take(['cuda'])?.access.nodes).toEqual(['0']);
  expect(pool.take(['vaapi'])).toBeUndefined();
  expect(sessionsByType(pool.list)).toEqual(new Map([['cuda', 4]]));
});

test('tells the operator what works and what does not', () => {
  const failed = { type: 'vaapi', name: '/dev/dri/renderD128', reason: 'It does not exist.', fix: '' } as const;
  expect(devicesText(devicePool([opened('0', ['h264_nvenc'])], [failed]))).toBe(
    'cuda (h264_nvenc); vaapi:/dev/dri/renderD128 does not work: It does not exist.',
  );
  expect(devicesText(devicePool([], []))).toBeUndefined();
});
