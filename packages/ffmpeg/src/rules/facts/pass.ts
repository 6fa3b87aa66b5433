import type { OutputStream } from '@telecine/contract/domain/job.ts';
import type { OutputPlan } from '@telecine/contract/domain/plan.ts';
import type { ProgressBlock } from '../../log/progress-reader.ts';
import type { InputReport, UsedStream } from '../../log/report.ts';
import type { RunComplaints } from '../../log/run-complaints.ts';
import type { FrameTraits } from '../../log/stream-line.ts';

/** A pass whose result is compared with its sources. Before the run, everything about the result is predicted or absent. */
export interface ComparedPass extends Partial<RunFacts> {
  readonly plan: Pick<OutputPlan, 'inputs' | 'span' | 'passes' | 'output' | 'warnings' | 'fields'>;
  readonly inputs: readonly InputReport[];
  readonly used: readonly UsedStream[];
  /** The output streams, as ffmpeg reported them when it started to encode. A prediction has only video and audio. */
  readonly outputStreams: readonly OutputStream[];
  /** Properties of frames that `OutputStream` lacks, such as the pixel aspect ratio. The map key is the index of the output stream. */
  readonly outputTraits: ReadonlyMap<number, FrameTraits>;
  readonly writtenSeconds: number | undefined;
}

export interface StreamSeconds {
  readonly video: number;
  readonly audio: number;
}

/** What only a run shows. */
interface RunFacts {
  readonly complaints: RunComplaints;
  readonly lastBlock: ProgressBlock | undefined;
  /** The seconds from the start of the audio to the start of the video. undefined: not measured. */
  readonly videoDelay: number | undefined;
  /** The lengths of the only video and the only audio of the result in seconds, if they were measured. */
  readonly streamSeconds: StreamSeconds | undefined;
  /** The length of the only audio in seconds, from its start to its end by its times. undefined: not measured, or there are several. */
  readonly audioSeconds: number | undefined;
  /** The length of the only audio in seconds, by its samples. undefined: copied, unknown, or there are several. */
  readonly soundSeconds: number | undefined;
  /** The length of the longest segment in an HLS playlist or a DASH manifest, in seconds. */
  readonly longestSegment: number | undefined;
  /** True if an animated image has transparent parts. undefined: not measured. */
  readonly isTransparent: boolean | undefined;
  /** The number of segment files that ffmpeg has opened. */
  readonly segments: number;
  /** How often ffmpeg wrote the HLS playlist: about once for each segment. The largest number if there are several playlists. */
  readonly playlistWrites: number;
}

/** A pass that has run. */
export type FinishedPass = ComparedPass & RunFacts;

type Streams = Pick<ComparedPass, 'inputs' | 'used' | 'outputStreams'>;

/** What ffmpeg has reported about the streams of a pass so far. */
export type StreamFacts = Pick<ComparedPass, 'lastBlock' | 'used' | 'outputStreams' | 'complaints'>;

/** Adds to each used stream its input stream (`from`) and output stream (`to`). `to` is undefined if a complex graph reads the stream. */
export const convertedStreams = ({ inputs, used, outputStreams }: Streams) =>
  used.map((one) => ({
    ...one,
    from: inputs[one.input]?.streams.find(({ index }) => index === one.stream),
    to: outputStreams.find(({ index }) => index === one.output),
  }));

/** Returns the encoded streams of one kind. Copied streams are excluded, because they have the properties of the input. */
export const encodedStreams = (pass: Streams, kind: OutputStream['type']) =>
  convertedStreams(pass).flatMap(({ from, to, copied, ...one }) =>
    copied || from?.type !== kind || to?.type !== kind || isCover(from) ? [] : [{ ...one, from, to }],
  );

export const isCopied = ({ used }: Pick<Streams, 'used'>, index: number | undefined): boolean =>
  used.some(({ output, copied }) => copied && output === index);

export const ofKind = (streams: readonly OutputStream[], kind: OutputStream['type']): readonly OutputStream[] =>
  streams.filter(({ type }) => type === kind);

/** True if a stream is an attached image, such as the cover of a song. */
export const isCover = (stream: Pick<OutputStream, 'disposition'> | undefined): boolean =>
  stream?.disposition?.includes('attached_pic') === true;
