import { constants } from 'node:fs';
import { access, readlink, realpath, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type DeviceType, deviceTypeOf, type WorkerDevice } from '@telecine/contract/domain/devices.ts';
import { deviceArgs, VAAPI_DEVICE } from '../plan/device-options.ts';
import type { KernelLimits } from '../sandbox/limits.ts';
import type { DeviceAccess, Sandbox } from '../sandbox/sandbox.ts';
import { runSelfTest, type SelfTest } from '../sandbox/self-test.ts';

/** The limits of a self-test. They are generous, because drivers load shader compilers and NVIDIA's driver writes a cache. */
const LIMITS: KernelLimits = {
  addressSpaceBytes: 4 * 1024 ** 3,
  cpuSeconds: 30,
  fileSizeBytes: 64 * 1024 ** 2,
  openFiles: 1024,
  threads: 512,
};

/** The timeout of a self-test. A card that sleeps takes seconds to start. */
const SELF_TEST_SECONDS = 30;

/** Opens the allowed devices, and tests which encoders work on them, in the sandbox that jobs use. Takes one or two seconds per device. */
export async function openDevices(
  allowed: readonly AllowedDevice[],
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
  return devicePool(open, failed);
}

/** The devices of a machine in one sentence, for the operator. undefined: no device is allowed. */
export function devicesText({ list, failed }: Pick<Devices, 'list' | 'failed'>): string | undefined {
  const working = list.map(({ type, encoders }) => `${type} (${encoders.join(', ') || 'no encoders'})`);
  const broken = failed.map(({ type, name, reason }) => `${type}:${name} does not work: ${reason}`);
  const all = [...working, ...broken];
  return all.length === 0 ? undefined : `${all.join('; ').replace(/\.?$/, '')}.`;
}

/** A device that works on this machine. */
export interface OpenDevice extends AllowedDevice, TriedDevice {}

/** A device that the operator allows, but that does not work. */
interface FailedDevice extends Pick<AllowedDevice, 'type' | 'name'> {
  readonly reason: string;
  readonly fix: string;
}

export interface Devices {
  /** The working devices, as a worker reports them to other processes. */
  readonly list: readonly WorkerDevice[];
  readonly failed: readonly FailedDevice[];
  /**
   * Returns a device with all these abilities and counts it as used, until `release`. Of several such devices, returns the one with the
   * most free sessions. undefined: no device has all abilities. The number of users is not limited here: the worker claims no more jobs
   * than the devices have sessions.
   */
  take(abilities: readonly string[]): TakenDevice | undefined;
}

/** A device that a conversion uses. */
interface TakenDevice {
  readonly access: DeviceAccess;
  /** Call this when the conversion has ended. */
  release(): void;
}

export function devicePool(open: readonly OpenDevice[], failed: readonly FailedDevice[]): Devices {
  const users = new Map(open.map((device) => [device, 0]));
  const change = (device: OpenDevice, by: 1 | -1): void => {
    users.set(device, (users.get(device) ?? 0) + by);
  };
  return {
    list: open.map(({ type, encoders, sessions }) => ({ type, encoders, sessions })),
    failed,
    take: (abilities) => {
      const able = open.filter(({ type, encoders }) =>
        abilities.every((one) => one === type || encoders.includes(one)),
      );
      const free = (device: OpenDevice): number => device.sessions - (users.get(device) ?? 0);
      const [device] = able.toSorted((a, b) => free(b) - free(a));
      if (device === undefined) return undefined;
      change(device, 1);
      return { access: device.access, release: () => change(device, -1) };
    },
  };
}

/** The number of conversions that the devices of each type can run at the same time. */
export const sessionsByType = (devices: readonly WorkerDevice[]): ReadonlyMap<DeviceType, number> => {
  const sessions = new Map<DeviceType, number>();
  for (const { type, sessions: own } of devices) sessions.set(type, (sessions.get(type) ?? 0) + own);
  return sessions;
};

/** Runs ffmpeg with a device, in the sandbox that jobs use. */
type TryRun = (argv: readonly string[], device: DeviceAccess) => Promise<SelfTest>;

/** The result of a device's self-test. */
interface TriedDevice {
  /** How programs in the sandbox access the device. */
  readonly access: DeviceAccess;
  /** The encoders that work on the device, sorted. */
  readonly encoders: readonly string[];
}

const WITHOUT_OUTPUT = ['-f', 'null', '-'] as const;

/** The argv of a self-test. It opens the device and, if `encoder` is set, encodes two frames. Every model of card supports their size. */
const testArgv = ({ type }: DeviceAccess, encoder?: string): readonly string[] => [
  ...['-nostdin', '-hide_banner', '-loglevel', 'error', ...deviceArgs(type)],
  ...['-f', 'lavfi', '-i', 'color=size=256x256:rate=25', '-frames:v', '2'],
  ...(encoder === undefined ? [] : ['-vf', type === 'vaapi' ? 'format=nv12,hwupload' : 'format=nv12', '-c:v', encoder]),
  ...WITHOUT_OUTPUT,
];

/**
 * The ways in which a sandbox can expose a device, the strictest first. `tryDevice` uses the first that works with this driver and kernel.
 * The first way fails with the `setpriv` of util-linux 2.41, which does not know Landlock's right for ioctl calls. This `setpriv` does not
 * restrict ioctl calls either, so the second way works with it.
 */
const waysOf = (access: DeviceAccess): readonly DeviceAccess[] => [
  { ...access, hasIoctlRight: true },
  access,
  ...(access.type === 'cuda' ? [{ ...access, needsProc: true as const, hasIoctlRight: true as const }] : []),
];

/**
 * Opens a device as a job does, and tries each encoder of the device's type. Throws `DeviceUnusable` if ffmpeg cannot open the device.
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
  // One encoder at a time, because a device allows only a few sessions.
  for (const encoder of [...encoders].filter((name) => deviceTypeOf(name) === access.type).sort())
    if ((await tryRun(testArgv(access, encoder), access)).failure === undefined) working.push(encoder);
  return working;
}

interface AllowedDevice {
  readonly type: DeviceType;
  /** The number of the card for `cuda`, the absolute path of the device for `vaapi`. */
  readonly name: string;
  /** How many conversions may use it at the same time. */
  readonly sessions: number;
}

/** The device cannot be used. The message is the reason. */
class DeviceUnusable extends Error {
  override readonly name = 'DeviceUnusable';
  readonly fix: string;

  constructor(reason: string, fix: string) {
    super(reason);
    this.fix = fix;
  }
}

export const findDeviceFiles = (device: Pick<AllowedDevice, 'type' | 'name'>): Promise<DeviceAccess> =>
  device.type === 'vaapi' ? vaapiFiles(device.name) : cudaFiles(device.name);

/**
 * Finds the files of a VA-API device, which is a DRM node of the kernel. libdrm finds the model of the card in /sys/dev/char, by the major
 * and minor number of the node. That entry leads to the folder of the PCI device, so both must be visible in the sandbox.
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
    named: { logical: VAAPI_DEVICE, node },
    environment: {},
  };
}

/** The major and the minor number of a device. Linux joins both into one number (makedev(3)). */
const majorOf = (rdev: number): number => (Math.floor(rdev / 2 ** 8) & 0xfff) | (Math.floor(rdev / 2 ** 32) & ~0xfff);
const minorOf = (rdev: number): number => (rdev & 0xff) | (Math.floor(rdev / 2 ** 12) & 0xfff00);

/**
 * Finds the nodes of NVIDIA's driver: the card, the control device and the device of unified memory. In a sandbox, only this card is
 * visible. Without a sandbox, all cards are visible, so `CUDA_VISIBLE_DEVICES` selects this card.
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

/** Returns the path of a device node with symlinks resolved. Throws `DeviceUnusable` if this process may not open the node. */
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
      `The user of the service has no right to read and write ${path}.`,
      'Add the user to the group of the device, usually render or video ("ls -l" shows it).',
    );
  });
  return node;
}
