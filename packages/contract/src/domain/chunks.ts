import type { ChosenBySamples, LadderRung } from './sampling.ts';

/** How a conversion can be done in chunks, or the reason why it cannot. Data without functions: plans cross threads. */
export type PlannedChunks = ChunkTemplates | WholeReason;

/** Why a conversion runs whole: a sentence for the dry run. */
export interface WholeReason {
  readonly whole: string;
}

/** The container of chunks: MP4, or MOV for codecs that MP4 does not hold. Both have exact times. */
export type ChunkExtension = 'mp4' | 'mov';

/** The container of the other streams of an output. */
export type RestExtension = ChunkExtension | 'mkv' | 'webm';

/** What ffmpeg does with the times of frames: a constant rate, a variable one, or nothing. */
export type FrameRateMode = 'cfr' | 'vfr' | 'passthrough';

/** The argvs of a conversion in chunks. They have placeholders, which `ffmpeg/chunks/argvs.ts` replaces. */
export interface ChunkTemplates {
  /** The input in the argvs: `in/0.mp4`. */
  readonly input: string;
  /** The demuxer that the client chose for the input. Absent: ffmpeg detects the format. */
  readonly demuxer?: string;
  /** Decodes a chunk once, and encodes the videos of all outputs into one file. */
  readonly argv: readonly string[];
  readonly extension: ChunkExtension;
  /** The number of videos in a chunk. */
  readonly videos: number;
  /** The outputs in the order of the request. */
  readonly outputs: readonly ChunkOutput[];
  /** The arguments of the join with the input, whose tags and chapters the outputs get. */
  readonly joinHead: readonly string[];
  /** The most threads that the client may use. Absent: no limit. */
  readonly maxThreads?: number;
  /** Absent: no ladder. */
  readonly rung?: LadderRung;
  /** True if SVT-AV1 has levels instead of numbers of processors. */
  readonly svtLevels: boolean;
  /** The distance of the key frames that the request asks for. Absent: none. */
  readonly keyFrameSeconds?: number;
  /** How many seconds before its first frame a chunk is decoded, because filters read frames before. Absent: none. */
  readonly prerollSeconds?: number;
  /**
   * How many seconds before its first frame a chunk is also encoded, because an encoder that keeps an average bit rate begins with a guess. The join
   * leaves these frames out. Absent: none.
   */
  readonly warmUpSeconds?: number;
  /** True if an output consists of segments, which have a constant frame rate. */
  readonly hasSegments: boolean;
  /** True if each frame of the source becomes a frame of the output. False: a filter changes the rate. */
  readonly keepsFrames: boolean;
}

/** An output, and what the join needs for it. */
export interface ChunkOutput {
  /** The numbers of its videos in a chunk. */
  readonly videos: readonly number[];
  /** The argv that encodes all streams except the videos. Absent: the request excludes them. */
  readonly rest?: readonly string[];
  /** The extension of the file with all streams except the videos. */
  readonly extension: RestExtension;
  /** The options of the output in the join, its muxer and its file. */
  readonly join: readonly string[];
  /** True if the videos come from a filtergraph and so have no disposition of the source. */
  readonly fromGraph: boolean;
  /** The values of `map`. Empty: ffmpeg chooses the streams. */
  readonly maps: readonly string[];
  /** The kinds of streams that the request excludes. */
  readonly excluded: readonly ('audio' | 'subtitle' | 'data')[];
}

/** Part of a conversion: the frames of the source from one time to another, in microseconds from the start of the source. */
export interface Chunk {
  readonly index: number;
  readonly startMicros: number;
  /** From the first frame to the first frame of the next chunk. Absent in the last chunk. */
  readonly lengthMicros?: number;
  /** A time between the last frame of the previous chunk and the first frame of this one. 0 in the first chunk. */
  readonly cutMicros: number;
  /** The times of requested key frames after the first frame. Absent: none. */
  readonly keyFrameMicros?: readonly number[];
  /** The number of frames of the source. */
  readonly frames: number;
  /** The number of frames before them that the chunk has, and the join leaves out. Absent: none. */
  readonly warmUpFrames?: number;
}

/** A conversion in chunks: all that its argvs depend on. */
export interface ChunkedRun {
  readonly chunks: readonly Chunk[];
  /** For each output, whether it has other streams than videos. */
  readonly hasRest: readonly boolean[];
  /** The time of the source at which it begins, in microseconds. Its chapters have times of the source. */
  readonly sourceMicros: number;
  /** The disposition of the video in the source, such as `default`. */
  readonly disposition: readonly string[];
  /** The timecode of the video in the source. */
  readonly timecode?: string;
  /** What samples let choose for all chunks. Absent: there was no choice. */
  readonly chosen?: ChosenBySamples;
}

/** A video that ffmpeg has encoded into a file, by its log. */
export interface EncodedVideo {
  /** The number of packets. Each has a frame. */
  readonly packets: number;
  readonly bytes: number;
  readonly width?: number;
  readonly height?: number;
  readonly pixelFormat?: string;
  /** The tag that names the encoder. Absent: there is none. */
  readonly encoder?: string;
}
