import type { PartOfFile } from './byte-ranges.ts';

/** How a conversion can be done in chunks, or the reason why it cannot. Data without functions: plans cross threads. */
export type PlannedChunks = ChunkTemplates | WholeReason;

/** Why a conversion runs whole: a sentence for the dry run. */
export interface WholeReason {
  readonly whole: string;
}

/** The extension of a chunk, which determines its container: the family of the container of the output. */
export type ChunkExtension = 'mp4' | 'mov' | 'mkv';

/** What ffmpeg does with the times of frames: a constant rate, a variable one, or nothing. */
export type FrameRateMode = 'cfr' | 'vfr' | 'passthrough';

/** Key frames that the request asks for, at times in seconds. */
export type ForcedKeyFrames = { readonly everySeconds: number } | { readonly seconds: readonly number[] };

/** The argvs of a conversion in chunks. They have placeholders, which the functions in `ffmpeg/chunks` replace. */
export interface ChunkTemplates {
  /** The input in the argvs: `in/0.mp4`. */
  readonly input: string;
  /** The demuxer that the client chose for the input. Absent: ffmpeg detects the format. */
  readonly demuxer?: string;
  /** Encodes the video of one chunk. */
  readonly chunk: readonly string[];
  /** Encodes all streams except the video. Absent: the request excludes them. */
  readonly rest?: readonly string[];
  /** Copies the chunks and the rest into the output. */
  readonly join: {
    /** The arguments with the input, whose tags and chapters the output gets. */
    readonly head: readonly string[];
    /** The options of the output, its muxer and its file. */
    readonly output: readonly string[];
    /** Arguments for the rest: corrections of its times. Absent: none. */
    readonly ofRest?: readonly string[];
    /** True if the request sets the disposition of the video. */
    readonly setsDisposition: boolean;
  };
  /** The container of the chunks and of the rest. */
  readonly extension: ChunkExtension;
  /** True if audio is copied. */
  readonly copiesAudio: boolean;
  /** The encoder of the video. */
  readonly encoder: string;
  /** The most threads that the client may use. Absent: no limit. */
  readonly maxThreads?: number;
  /** True if SVT-AV1 has levels instead of numbers of processors. */
  readonly svtLevels: boolean;
  /** The values of `map`. Empty: ffmpeg chooses the streams. */
  readonly maps: readonly string[];
  /** The kinds of streams that the request excludes. */
  readonly excluded: readonly ('audio' | 'subtitle' | 'data')[];
  /** The modes that ffmpeg may choose. */
  readonly frameRateModes: readonly FrameRateMode[];
  /** The number of frames from one key frame to the next, if it is fixed. */
  readonly keyFrameDistance?: number;
  readonly forcedKeyFrames?: ForcedKeyFrames;
}

/** Part of a conversion: the frames of the source from one time to another. */
export interface Chunk {
  readonly index: number;
  /** The time of the first frame in microseconds from the start of the file. */
  readonly startMicros: number;
  /** From the first frame to the first frame of the next chunk, in microseconds. Absent in the last chunk. */
  readonly lengthMicros?: number;
  /** A time between the last frame of the previous chunk and the first frame of this one, in microseconds. 0 in the first chunk. */
  readonly cutMicros: number;
  /** The times of requested key frames after the first frame, in microseconds from the start of the file. Absent: none. */
  readonly keyFrameMicros?: readonly number[];
  /** The number of frames in the encoded chunk. Absent: it is not known before. */
  readonly frames?: number;
  /** A time to add to those of the input, in microseconds. Absent: none. */
  readonly offsetMicros?: number;
  /** The bytes of the input that the chunk is made from. Absent: it may need all. */
  readonly bytes?: PartOfFile;
  /** True if decoding begins at this frame, because it is a key frame of the source. */
  readonly beginsAtKeyFrame: boolean;
}

/** A conversion in chunks: all that its argvs depend on. */
export interface ChunkedRun {
  readonly chunks: readonly Chunk[];
  /** A time to add to those of the input, in microseconds. Absent: none. */
  readonly offsetMicros?: number;
  /** True if the output has other streams than the video. */
  readonly hasRest: boolean;
  /** The disposition of the video in the source, such as `default`. */
  readonly disposition: readonly string[];
  /** The timecode of the video in the source. */
  readonly timecode?: string;
}
