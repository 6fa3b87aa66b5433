import type { KernelLimits } from '../sandbox/limits.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { runSelfTest } from '../sandbox/self-test.ts';
import { type AllowedDevice, DeviceUnusable, findDeviceFiles } from './device-files.ts';
import { type Devices, devicePool, type FailedDevice, type OpenDevice } from './device-pool.ts';
import { tryDevice } from './try-device.ts';

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
