import type { EncodedVideo } from '@telecine/contract/domain/chunks.ts';
import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import type { Failure } from '@telecine/contract/domain/failure.ts';
import type { HlsEncryption } from '@telecine/contract/domain/hls-encryption.ts';
import type { OutputReport, Progress } from '@telecine/contract/domain/job.ts';
import type { Mount, Plan, Warning } from '@telecine/contract/domain/plan.ts';
import type { InputReport } from '../log/report.ts';
import type { WaitForTurn } from '../process/launch.ts';
import type { TakenStreams } from '../rules/facts/pass.ts';
import type { FaultGuard } from '../rules/rule.ts';
import type { JobCgroup, JobCgroups } from '../sandbox/cgroup/job-cgroups.ts';
import type { DeviceAccess, Sandbox } from '../sandbox/sandbox.ts';

export interface ConversionRun {
  readonly plan: Plan;
  /** The scratch folder, as an absolute path. It contains `in/` and `out/`, and belongs to the user of the service. */
  readonly dir: string;
  readonly mounts: readonly Mount[];
  /** The key and its URI, if the plan encrypts HLS. */
  readonly encryption?: HlsEncryption | undefined;
  /** The path of ffmpeg, absolute and with symlinks resolved. */
  readonly ffmpegPath: string;
  /** The path of ffprobe, absolute and with symlinks resolved. undefined: doubtful durations in ffmpeg's report are not checked. */
  readonly ffprobePath?: string;
  readonly sandbox: Sandbox;
  /** The hardware device, if the plan needs one. */
  readonly device?: DeviceAccess;
  /** The speech model, if the plan has a transcript. Only the speech run can read it. */
  readonly speechModel?: Mount;
  /** Cgroups that limit all processes of a conversion together. undefined: the limits apply to each process alone. */
  readonly cgroups?: JobCgroups;
  readonly policy: ClientLimits;
  /** The timeout for all passes together, in seconds. At most the client's limit "time". */
  readonly timeoutSeconds: number;
  /** The conversion fails after this many seconds without progress. */
  readonly stallSeconds: number;
  /** Seconds between SIGTERM and SIGKILL. Default: 5. */
  readonly graceSeconds?: number;
  /** An abort ends the conversion with CANCELLED, whatever the abort reason is. */
  readonly signal: AbortSignal;
  /** Called before ffmpeg starts, with a function that counts the disk space of deleted files that ffmpeg still holds open. */
  onCountable?(deletedBytes: () => Promise<number>): void;
  /** Called when bubblewrap is ready to start ffmpeg. ffmpeg starts when the promise resolves; the timeout does not run meanwhile. */
  readonly waitForTurn?: WaitForTurn;
  /** Called when the first ffmpeg starts, after `waitForTurn`. */
  onStart?(): void;
  /** Called when the ffmpeg of a pass has started. */
  onPass?(): void;
  /** Called about twice a second, with the readable log so far. */
  onProgress(progress: Progress, log: string): void;
  /** Called if code that only explains the result throws. The result stays the same. */
  onFault?(error: unknown): void;
}

export type RunOutcome =
  | {
      readonly ok: true;
      /** The reports about the outputs, in the order of the plan. */
      readonly outputs: readonly OutputReport[];
      readonly log: string;
      /** Warnings about what the client probably did not want, such as an output shorter than the input. */
      readonly warnings: readonly Warning[];
      /** What ffmpeg logged about the inputs. Empty if nothing ran, or if text of the media may have forged these log lines. */
      readonly inputs: readonly InputReport[];
      /** The videos that the last pass has written into each output. Empty if text of the media may have forged the log. */
      readonly encodedVideos: readonly (readonly EncodedVideo[])[];
      /** What each output took from the inputs. undefined: text of the media may have forged the log. */
      readonly taken: readonly (TakenStreams | undefined)[];
    }
  | RunFailed;

export interface RunFailed {
  readonly ok: false;
  readonly failure: Failure;
  readonly log: string;
  /** The last lines of the ffmpeg log. They may contain host paths, so they are only for the operator. */
  readonly raw: string;
}

/** A conversion that is ready to run, with its guard, its writable folders and its cgroup. */
export type PreparedRun = ConversionRun & {
  readonly guard: FaultGuard;
  readonly writable: readonly string[];
  readonly cgroup?: JobCgroup;
};
