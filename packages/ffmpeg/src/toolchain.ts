import type { Build } from './catalogue/build.ts';
import type { Catalogue } from './catalogue/catalogue.ts';
import type { Devices } from './devices/devices.ts';
import type { SpeechModel } from './filtergraph/speech-model.ts';
import type { JobCgroups, NoJobCgroups } from './sandbox/cgroup/job-cgroups.ts';
import type { Sandbox } from './sandbox/sandbox.ts';

/** The installed ffmpeg, its catalogue, ffprobe and the sandbox. */
export interface Toolchain {
  readonly build: Build;
  /** With what the devices and the speech model of this machine offer. */
  readonly catalogue: Catalogue;
  /** The absolute path of ffprobe with symlinks resolved; absent if there is no ffprobe. */
  readonly ffprobePath?: string;
  readonly sandbox: Sandbox;
  readonly devices: Devices;
  readonly speech: SpeechModel;
  /** The cgroups for conversions, or the reason why there are none. */
  readonly cgroups: JobCgroups | NoJobCgroups;
  /** The private folder for the files of probes; absolute. */
  readonly workRoot: string;
}
