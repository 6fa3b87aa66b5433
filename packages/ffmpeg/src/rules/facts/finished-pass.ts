import type { OutputStream } from '@telecine/contract/domain/job.ts';
import type { OutputPlan } from '@telecine/contract/domain/plan.ts';
import type { ProgressBlock } from '../../log/progress-reader.ts';
import type { InputReport, UsedStream } from '../../log/report.ts';
import type { RunComplaints } from '../../log/run-complaints.ts';
import type { FrameTraits } from '../../log/stream-line.ts';

export interface FinishedPass {
  readonly plan: Pick<OutputPlan, 'inputs' | 'span' | 'passes' | 'output' | 'warnings' | 'fields'>;
  readonly inputs: readonly InputReport[];
  readonly used: readonly UsedStream[];
  /** The output streams, as ffmpeg reported them when it started to encode. */
  readonly outputStreams: readonly OutputStream[];
  /** Properties of frames that `OutputStream` lacks, such as the pixel aspect ratio. The map key is the index of the output stream. */
  readonly outputTraits: ReadonlyMap<number, FrameTraits>;
  readonly complaints: RunComplaints;
  readonly lastBlock: ProgressBlock | undefined;
  readonly writtenSeconds: number | undefined;
  /** The seconds from the start of the audio to the start of the video. undefined: not measured. */
  readonly videoDelay?: number | undefined;
  /** The length of the longest segment in an HLS playlist or a DASH manifest, in seconds. */
  readonly longestSegment?: number | undefined;
  /** True if the HLS master playlist contains bit rates that ffmpeg measured. undefined: there is no master playlist. */
  readonly hasMeasuredRates?: boolean | undefined;
  /** The number of segment files that ffmpeg has opened. */
  readonly segments: number;
  /** True if another output of the same run has audio. DASH and HLS players play that audio together with a video without audio. */
  readonly hasAudioInOtherOutput?: boolean;
  /** How often ffmpeg wrote the HLS playlist: about once for each segment. The largest number if there are several playlists. */
  readonly playlistWrites: number;
}

/** What is known about a pass before it runs. `lastBlock` has only the expected number of frames. */
export type ForeseenPass = Pick<
  FinishedPass,
  'plan' | 'inputs' | 'used' | 'outputStreams' | 'outputTraits' | 'lastBlock' | 'writtenSeconds'
>;

/** What ffmpeg has reported about the streams of a pass so far. */
export type StreamFacts = Pick<FinishedPass, 'lastBlock' | 'used' | 'outputStreams'>;
