import { constants } from 'node:fs';
import { access, readlink, realpath, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type DeviceType, deviceTypeOf, type WorkerDevice } from '@telecine/contract/domain/devices.ts';
import { deviceArgs } from '../plan/device-options.ts';
import type { KernelLimits } from '../sandbox/limits.ts';
import type { DeviceAccess, Sandbox } from '../sandbox/sandbox.ts';
import { runSelfTest, type SelfTest } from '../sandbox/self-test.ts';

/** Drivers load compilers of shaders, and NVIDIA's keeps a cache. */
const LIMITS: KernelLimits = {
  addressSpaceBytes: 4 * 1024 ** 3,
  cpuSeconds: 30,
  fileSizeBytes: 64 * 1024 ** 2,
  openFiles: 1024,
  threads: 512,
};

/** The first use of a card that sleeps takes seconds. */
const SELF_TEST_SECONDS = 30;

/** Opens the allowed devices, and finds out what works on them in the sandbox of jobs. Takes a second or two for each. */
export async function openDevices(
  allowed: readonly AllowedDevice[],
  sessions: number,
  tools: {
    readonly sandbox: Sandbox;
    readonly ffmpegPath: string;
    /** The names of all encoders of the build. */
    readonly encoders: Iterable<string>;
    readonly workRoot: string;
  },
): Promise<Devices> {
  const { sandbox, ffmpegPath, workRoot } = tools;
  const encoders = [...tools.encoders];
  const open: OpenDevice[] = [];
  const failed: FailedDevice[] = [];
  for (const device of allowed)
    try {
      const tried = await tryDevice(await findDeviceFiles(device), encoders, (argv, access) =>
        runSelfTest({
          sandbox,
          program: ffmpegPath,
          argv,
          limits: LIMITS,
          workRoot,
          seconds: SELF_TEST_SECONDS,
          device: access,
        }),
      );
      open.push({ ...device, ...tried });
    } catch (error) {
      if (!(error instanceof DeviceUnusable)) throw error;
      failed.push({ ...device, reason: error.message, fix: error.fix });
    }
  return devicePool(open, failed, sessions);
}

/** What the operator reads about the devices of a machine, in one sentence. undefined if none are allowed. */
export function devicesText({ list, failed }: Pick<Devices, 'list' | 'failed'>): string | undefined {
  const working = list.map(({ type, encoders }) => `${type} (${encoders.join(', ') || 'no encoders'})`);
  const broken = failed.map(({ type, name, reason }) => `${type}:${name} does not work: ${reason}`);
  const all = [...working, ...broken];
  return all.length === 0 ? undefined : `${all.join('; ').replace(/\.?$/, '')}.`;
}

/** A device that works on this machine. */
export interface OpenDevice extends AllowedDevice, TriedDevice {}

/** A device that the operator allows and that does not work, with the reason. */
interface FailedDevice extends AllowedDevice {
  readonly reason: string;
  readonly fix: string;
}

/** The devices of this machine. */
export interface Devices {
  /** As other processes see them. */
  readonly list: readonly WorkerDevice[];
  readonly failed: readonly FailedDevice[];
  /**
   * Hands out a device that has these abilities, of several the one that the fewest conversions use. undefined if none has
   * them all. The worker claims no more jobs than the devices have sessions.
   */
  take(abilities: readonly string[]): TakenDevice | undefined;
}

/** A device in use. */
interface TakenDevice {
  readonly access: DeviceAccess;
  /** To be called once the conversion no longer uses it. */
  release(): void;
}

/** @param sessions How many conversions use one device at the same time. */
export function devicePool(open: readonly OpenDevice[], failed: readonly FailedDevice[], sessions: number): Devices {
  const users = new Map(open.map((device) => [device, 0]));
  const change = (device: OpenDevice, by: 1 | -1): void => {
    users.set(device, (users.get(device) ?? 0) + by);
  };
  return {
    list: open.map(({ type, encoders }) => ({ type, encoders, sessions })),
    failed,
    take: (abilities) => {
      const able = open.filter(({ type, encoders }) =>
        abilities.every((one) => one === type || encoders.includes(one)),
      );
      const [device] = able.toSorted((a, b) => (users.get(a) ?? 0) - (users.get(b) ?? 0));
      if (device === undefined) return undefined;
      change(device, 1);
      return { access: device.access, release: () => change(device, -1) };
    },
  };
}

/** How many conversions the devices of each type run at the same time. */
export const sessionsByType = (devices: readonly WorkerDevice[]): ReadonlyMap<DeviceType, number> => {
  const sessions = new Map<DeviceType, number>();
  for (const { type, sessions: own } of devices) sessions.set(type, (sessions.get(type) ?? 0) + own);
  return sessions;
};

/** Runs ffmpeg with a device in the sandbox that jobs use. */
type TryRun = (argv: readonly string[], device: DeviceAccess) => Promise<SelfTest>;

/** What the self-test of a device has shown. */
interface TriedDevice {
  /** How programs get the device. */
  readonly access: DeviceAccess;
  /** The encoders that work on it, sorted. */
  readonly encoders: readonly string[];
}

const WITHOUT_OUTPUT = ['-f', 'null', '-'] as const;

/** Opens the device, and encodes two pictures if an encoder is named. The size is one that all models accept. */
const testArgv = ({ type }: DeviceAccess, encoder?: string): readonly string[] => [
  ...['-nostdin', '-hide_banner', '-loglevel', 'error', ...deviceArgs(type)],
  ...['-f', 'lavfi', '-i', 'color=size=256x256:rate=25', '-frames:v', '2'],
  ...(encoder === undefined ? [] : ['-vf', type === 'vaapi' ? 'format=nv12,hwupload' : 'format=nv12', '-c:v', encoder]),
  ...WITHOUT_OUTPUT,
];

/**
 * The ways in which a sandbox may show a device, the tightest first: which one a driver and a kernel need is found out. setpriv of
 * util-linux 2.41 does not know the right for calls of drivers, and so does not restrict them.
 */
const waysOf = (access: DeviceAccess): readonly DeviceAccess[] => [
  { ...access, hasIoctlRight: true },
  access,
  ...(access.type === 'cuda' ? [{ ...access, needsProc: true as const, hasIoctlRight: true as const }] : []),
];

/**
 * Opens a device as jobs will, and tries each encoder of the build that is for its type. Throws `DeviceUnusable` if it cannot
 * be opened, or if the build has nothing for it.
 *
 * @param encoders The names of all encoders of the build.
 */
export async function tryDevice(
  access: DeviceAccess,
  encoders: Iterable<string>,
  tryRun: TryRun,
): Promise<TriedDevice> {
  let failure = '';
  for (const way of waysOf(access)) {
    const opened = await tryRun(testArgv(way), way);
    if (opened.failure === undefined) return { access: way, encoders: await workingEncoders(way, encoders, tryRun) };
    failure = opened.failure;
  }
  throw new DeviceUnusable(
    `ffmpeg could not open it in the sandbox: ${failure.replace(/\.?$/, '.')}`,
    'Check the driver with "vainfo" or "nvidia-smi" as the user of the service, and that ffmpeg is built with it.',
  );
}

async function workingEncoders(
  access: DeviceAccess,
  encoders: Iterable<string>,
  tryRun: TryRun,
): Promise<readonly string[]> {
  const working: string[] = [];
  // One after the other: a device has few sessions.
  for (const encoder of [...encoders].filter((name) => deviceTypeOf(name) === access.type).sort())
    if ((await tryRun(testArgv(access, encoder), access)).failure === undefined) working.push(encoder);
  return working;
}

/** A device that the operator allows. */
interface AllowedDevice {
  readonly type: DeviceType;
  /** `cuda`: the number of the card. `vaapi`: the absolute path of the device. */
  readonly name: string;
}

/** A device cannot be used; the message gives the reason. */
class DeviceUnusable extends Error {
  override readonly name = 'DeviceUnusable';
  readonly fix: string;

  constructor(reason: string, fix: string) {
    super(reason);
    this.fix = fix;
  }
}

/** The logical name of a VA-API device: see `VAAPI_DEVICE` of the planner. */
const VAAPI_NAME = 'dev/vaapi';

/** Finds the files of a device on this machine. Throws `DeviceUnusable`. */
export const findDeviceFiles = (device: AllowedDevice): Promise<DeviceAccess> =>
  device.type === 'vaapi' ? vaapiFiles(device.name) : cudaFiles(device.name);

/**
 * A node of the kernel's DRM. libdrm finds the model of the device by the numbers of its node in /sys/dev/char, which leads to
 * the folder of the PCI device.
 */
async function vaapiFiles(path: string): Promise<DeviceAccess> {
  const node = await deviceNode(path);
  const { rdev } = await stat(node);
  const link = `/sys/dev/char/${majorOf(rdev)}:${minorOf(rdev)}`;
  const target = await readlink(link).catch(() => undefined);
  const folder = await realpath(`${link}/device`).catch(() => undefined);
  return {
    type: 'vaapi',
    nodes: [node],
    reads: folder === undefined ? [] : [folder],
    links: target === undefined ? [] : [[link, resolve(dirname(link), target)]],
    named: { logical: VAAPI_NAME, node },
    environment: {},
  };
}

/** The numbers of a device, as makedev(3) of Linux joins them. */
const majorOf = (rdev: number): number => (Math.floor(rdev / 2 ** 8) & 0xfff) | (Math.floor(rdev / 2 ** 32) & ~0xfff);
const minorOf = (rdev: number): number => (rdev & 0xff) | (Math.floor(rdev / 2 ** 12) & 0xfff00);

/**
 * The nodes of NVIDIA's driver: the card, its control device and that of unified memory. With one card visible, it is the
 * first one for a program. Without a sandbox the program sees all, and the environment selects one.
 */
async function cudaFiles(number: string): Promise<DeviceAccess> {
  const nodes = await Promise.all([`/dev/nvidia${number}`, '/dev/nvidiactl', '/dev/nvidia-uvm'].map(deviceNode));
  const facts = await realpath('/proc/driver/nvidia').catch(() => undefined);
  return {
    type: 'cuda',
    nodes,
    reads: facts === undefined ? [] : [facts],
    links: [],
    environment: { CUDA_DEVICE_ORDER: 'PCI_BUS_ID', CUDA_VISIBLE_DEVICES: number },
  };
}

/** The path of a device node that this process may open, symlinks resolved. */
async function deviceNode(path: string): Promise<string> {
  const node = await realpath(path).catch(() => undefined);
  if (node === undefined)
    throw new DeviceUnusable(
      `${path} does not exist.`,
      'Install the driver, and in a container pass the device in (docs/operate/hardware-devices.md).',
    );
  if (!(await stat(node)).isCharacterDevice())
    throw new DeviceUnusable(`${path} is not a device.`, 'Correct TELECINE_DEVICES.');
  await access(node, constants.R_OK | constants.W_OK).catch(() => {
    throw new DeviceUnusable(
      `The user of the service may not open ${path}.`,
      'Add the user to the group of the device, usually render or video ("ls -l" shows it).',
    );
  });
  return node;
}
