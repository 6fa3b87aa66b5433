import type { OutputStream } from '@telecine/contract/domain/job.ts';
import type { OutputPlan, Warning } from '@telecine/contract/domain/plan.ts';
import type { ProgressBlock } from '../../log/progress-reader.ts';
import type { InputReport, UsedStream } from '../../log/report.ts';
import type { RunComplaints } from '../../log/run-complaints.ts';
import type { PictureTraits } from '../../log/stream-line.ts';

/** The codes of the warnings about a run. docs/api/warnings.md explains them. */
export type RunWarningCode =
  | 'UNUSED_INPUT'
  | 'UNUSED_STREAM'
  | 'NO_EFFECT'
  | 'DECODE_ERRORS'
  | 'SHORT_OUTPUT'
  | 'LONG_OUTPUT'
  | 'LOUDNESS_MISSED'
  | 'LARGE_OUTPUT'
  | 'LAST_FRAME'
  | 'SAMPLE_RATE_CHANGED'
  | 'BITS_LOST'
  | 'CHANNELS_LOST'
  | 'SIZE_CHANGED'
  | 'FRAME_RATE_CHANGED'
  | 'PIXEL_FORMAT_CHANGED'
  | 'FRAMES_REPEATED'
  | 'FRAMES_DROPPED'
  | 'LONG_SEGMENTS'
  | 'PARTIAL_PLAYLIST'
  | 'SAME_BANDWIDTH'
  | 'UNPLAYABLE_CODEC'
  | 'OTHER_VALUE'
  | 'UNUSUAL_VALUE'
  | 'SQUEEZED'
  | 'EXTRA_CHANNELS'
  | 'EMPTY_STREAM'
  | 'CUT_OFF'
  | 'UNEQUAL_LENGTHS'
  | 'OUT_OF_SYNC'
  | 'ROTATED_TWICE'
  | 'COVER_AS_VIDEO'
  | 'VIDEO_IN_SOUND_FILE'
  | 'SOUND_LEFT_OUT'
  | 'HDR_LOST'
  | 'LEVEL_EXCEEDED'
  | 'INTERLACED'
  | 'NON_SQUARE_PIXELS'
  | 'FEW_PLAYERS'
  | 'FONT_REPLACED'
  | 'NOT_ENCRYPTED';

export interface RunWarning extends Warning {
  /** The option of the argv that the warning is about. It is set if the warning has no field. */
  readonly key?: string;
  readonly code: RunWarningCode;
}

export interface FinishedPass {
  readonly plan: Pick<OutputPlan, 'inputs' | 'span' | 'passes' | 'output' | 'warnings' | 'fields'>;
  readonly inputs: readonly InputReport[];
  readonly used: readonly UsedStream[];
  /** The output streams, with the properties that their encoders received. */
  readonly outputStreams: readonly OutputStream[];
  /** Other properties of the frames, by stream index. */
  readonly outputTraits: ReadonlyMap<number, PictureTraits>;
  readonly complaints: RunComplaints;
  readonly lastBlock: ProgressBlock | undefined;
  readonly writtenSeconds: number | undefined;
  /** The seconds from the start of the audio to the start of the video. undefined: not measured. */
  readonly pictureDelay?: number | undefined;
  /** The length of the longest segment in an HLS playlist or a DASH manifest, in seconds. */
  readonly longestSegment?: number | undefined;
  /** True if the HLS master playlist contains bit rates that ffmpeg measured. undefined: there is no master playlist. */
  readonly hasMeasuredRates?: boolean | undefined;
  /** The number of segment files that ffmpeg has opened. */
  readonly segments: number;
  /** True if another output of the same run has audio. DASH and HLS players play this audio together with a video that has none. */
  readonly hasSoundElsewhere?: boolean;
  /**
   * How often ffmpeg wrote a playlist. For several playlists, the largest of these counts. ffmpeg writes a playlist again for each segment.
   */
  readonly playlistWrites: number;
}

/** The facts about a pass before it runs, if its inputs are known. `lastBlock` has the number of frames. */
export type ForeseenPass = Pick<
  FinishedPass,
  'plan' | 'inputs' | 'used' | 'outputStreams' | 'outputTraits' | 'lastBlock' | 'writtenSeconds'
>;
