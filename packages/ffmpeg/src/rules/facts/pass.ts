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

/** The times of the only video and the only audio of a file, in seconds. Absent: not measured, or there are several. */
export interface StreamTimes {
  /** How long each lasts, from its own start to its end. */
  readonly videoSeconds?: number | undefined;
  readonly audioSeconds?: number | undefined;
  /** From the start of the file to the start of each. */
  readonly videoDelay?: number | undefined;
  readonly audioDelay?: number | undefined;
  /** The first time in the file. */
  readonly fileStart?: number | undefined;
}

/** What only a run shows. */
interface RunFacts extends StreamTimes {
  readonly complaints: RunComplaints;
  readonly lastBlock: ProgressBlock | undefined;
  /** The length of the only audio in seconds, by its samples. undefined: copied, unknown, or there are several. */
  readonly soundSeconds: number | undefined;
  /** The length of the longest segment in an HLS playlist or a DASH manifest, in seconds. */
  readonly longestSegment?: number;
  /** True if an animated image has transparent parts. Absent: not measured. */
  readonly isTransparent?: boolean | undefined;
  /** True if audio of floating point numbers is above full scale. Absent: not measured. */
  readonly isLoud?: boolean | undefined;
  /** The parts of a photo beside its image, which ffmpeg does not read. Absent: not looked for. */
  readonly photoParts?: readonly string[];
  /** What the first frames of an HDR source and of its new video say about themselves, by ffprobe's names. Absent: not compared. */
  readonly frameData?:
    | { readonly input: number; readonly before: readonly string[]; readonly after: readonly string[] }
    | undefined;
  /** The number of segment files that ffmpeg has opened. */
  readonly segments: number;
  /** How often ffmpeg wrote the HLS playlist: about once for each segment. The largest number if there are several playlists. */
  readonly playlistWrites: number;
}

/** A pass that has run. */
export type FinishedPass = ComparedPass & RunFacts;

/** The streams of an output that has been written, and where they come from. Plain JSON. */
export interface TakenStreams extends Pick<RunFacts, 'frameData' | 'isLoud'> {
  readonly used: readonly UsedStream[];
  readonly streams: readonly OutputStream[];
  /** By the index of the output stream. */
  readonly traits: readonly (readonly [index: number, traits: FrameTraits])[];
}

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
