import type { OutputStream } from '@telecine/contract/domain/job.ts';
import type { OutputPlan, Warning } from '@telecine/contract/domain/plan.ts';
import type { ProgressBlock } from '../../log/progress-reader.ts';
import type { InputReport, UsedStream } from '../../log/report.ts';
import type { RunComplaints } from '../../log/run-complaints.ts';
import type { PictureTraits } from '../../log/stream-line.ts';

/** The codes of the warnings about a run, as docs/api/warnings.md explains them. */
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
  /** The option of the argv that it is about, if it has no field of its own. */
  readonly key?: string;
  readonly code: RunWarningCode;
}

export interface FinishedPass {
  readonly plan: Pick<OutputPlan, 'inputs' | 'span' | 'passes' | 'output' | 'warnings' | 'fields'>;
  readonly inputs: readonly InputReport[];
  readonly used: readonly UsedStream[];
  /** The streams of the output as its encoders received them. */
  readonly outputStreams: readonly OutputStream[];
  /** Further traits of the frames, by the number of their stream. */
  readonly outputTraits: ReadonlyMap<number, PictureTraits>;
  readonly complaints: RunComplaints;
  readonly lastBlock: ProgressBlock | undefined;
  readonly writtenSeconds: number | undefined;
  /** By how many seconds the video starts after the audio, if that was measured. */
  readonly pictureDelay?: number | undefined;
  /** The longest segment that a playlist of HLS or a manifest of DASH lists, in seconds. */
  readonly longestSegment?: number | undefined;
  /** Whether the master playlist of HLS states bit rates that ffmpeg measured. undefined if there is none. */
  readonly hasMeasuredRates?: boolean | undefined;
  /** How many files of segments ffmpeg has opened. */
  readonly segments: number;
  /** Whether another output of the same run has audio: players of DASH and HLS play it with a video that has none. */
  readonly hasSoundElsewhere?: boolean;
  /** How often ffmpeg has written the playlist that it wrote most often: once for each segment. */
  readonly playlistWrites: number;
}

/** What is known of a pass before it runs, if its inputs are known. `lastBlock` has the number of frames. */
export type ForeseenPass = Pick<
  FinishedPass,
  'plan' | 'inputs' | 'used' | 'outputStreams' | 'outputTraits' | 'lastBlock' | 'writtenSeconds'
>;
