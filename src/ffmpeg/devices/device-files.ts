import { constants } from 'node:fs';
import { access, readlink, realpath, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { DeviceType } from '../../domain/devices.ts';
import type { DeviceAccess } from '../sandbox/device-access.ts';

/** A device that the operator allows. */
export interface AllowedDevice {
  readonly type: DeviceType;
  /** `cuda`: the number of the card. `vaapi`: the absolute path of the device. */
  readonly name: string;
}

/** A device cannot be used; the message gives the reason. */
export class DeviceUnusable extends Error {
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
      'Install the driver, and in a container pass the device in (docs/operations.md#hardware-devices).',
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
