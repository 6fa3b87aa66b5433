import { deviceTypeOf } from '../../domain/devices.ts';
import { deviceArgs } from '../plan/devices/device-args.ts';
import type { DeviceAccess } from '../sandbox/device-access.ts';
import type { SelfTest } from '../sandbox/self-test.ts';
import { DeviceUnusable } from './device-files.ts';

/** Runs ffmpeg with a device in the sandbox that jobs use. */
export type TryRun = (argv: readonly string[], device: DeviceAccess) => Promise<SelfTest>;

/** What the self-test of a device has shown. */
export interface TriedDevice {
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
