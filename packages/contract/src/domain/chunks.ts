import type { PartOfFile } from './byte-ranges.ts';
import type { ChosenBySamples } from './sampling.ts';

/** How a conversion can be done in chunks, or the reason why it cannot. Data without functions: plans cross threads. */
export type PlannedChunks = ChunkTemplates | WholeReason;

/** Why a conversion runs whole: a sentence for the dry run. */
export interface WholeReason {
  readonly whole: string;
}

/** The extension of a chunk's file. It follows from the container of the output. */
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
  /** The videos, grouped by the container of their chunks. One run of ffmpeg encodes a chunk of all videos of a family, into one file. */
  readonly families: readonly ChunkFamily[];
  /** The outputs in the order of the request. */
  readonly outputs: readonly ChunkOutput[];
  /** The arguments of the join with the input, whose tags and chapters the outputs get. */
  readonly joinHead: readonly string[];
  /** The most threads that the client may use. Absent: no limit. */
  readonly maxThreads?: number;
  /** True if SVT-AV1 has levels instead of numbers of processors. */
  readonly svtLevels: boolean;
  /**
   * True if ffmpeg counts the times of a transport stream from the earliest of the streams that it reads, also with an offset. Otherwise an
   * offset makes it count from the start of the file.
   */
  readonly countsFromReadStreams: boolean;
  /** The modes that ffmpeg may choose. */
  readonly frameRateModes: readonly FrameRateMode[];
  /** The number of frames from one key frame to the next, if it is fixed. */
  readonly keyFrameDistance?: number;
  readonly forcedKeyFrames?: ForcedKeyFrames;
  /** True if chunks may only begin where the whole conversion has a key frame: an additional one would begin another segment. */
  readonly cutsAtKeyFrames: boolean;
  /** Present if a filter needs the frames before and after each frame. */
  readonly readsNeighbours?: true;
}

/** A limit of the bit rate: a buffer that fills at a constant rate, and from which a decoder takes the frames. It must never be empty. */
export interface RateLimit {
  /** In bits per second. */
  readonly rate: number;
  /** The size of the buffer in bits. */
  readonly buffer: number;
}

/** Videos that have their chunks in one file, in the order of the outputs. */
export interface ChunkFamily {
  /** The argv that decodes a chunk once and encodes all videos of the family. */
  readonly argv: readonly string[];
  readonly extension: ChunkExtension;
  /** The number of videos. */
  readonly videos: number;
  /** For each video, the limit that must hold where chunks are joined. null: there is none. Absent: no video has one. */
  readonly limits?: readonly (RateLimit | null)[];
  /** Present if the videos have average bit rates, which their chunks share by their complexity. */
  readonly average?: SharedRates;
}

/** The average bit rates of videos whose chunks are encoded in two passes. */
export interface SharedRates {
  readonly codec: 'h264' | 'hevc';
  /** The bits per second of each video. */
  readonly rates: readonly number[];
  /** The most bits per second that a chunk of each video may have. null: there is no limit. */
  readonly highest: readonly (number | null)[];
  /** For each video, true if the encoder chooses the level by the bit rate. All chunks must have the same. */
  readonly autoLevels: readonly boolean[];
  /** Encodes a chunk quickly, with one quality for all. The sizes of these chunks tell how complex they are. */
  readonly trial: readonly string[];
  /** The first pass of a chunk, which writes its log. The argv of the family is the second pass. */
  readonly first: readonly string[];
}

/** An output, and what the join needs for it. */
export interface ChunkOutput {
  /** The number of the family of its videos. */
  readonly family: number;
  /** The numbers of its videos in the family. */
  readonly videos: readonly number[];
  /** The argv that encodes all streams except the videos. Absent: the request excludes them. */
  readonly rest?: readonly string[];
  /** The extension of the file with all streams except the videos. */
  readonly extension: ChunkExtension;
  /** The options of the output in the join, its muxer and its file. */
  readonly join: readonly string[];
  /** Arguments of the join that correct the times of all streams except the videos. Absent: none. */
  readonly ofRest?: readonly string[];
  /** The videos whose disposition the request sets. */
  readonly withDisposition: readonly number[];
  /** True if the videos come from a filtergraph and so have no disposition of the source. */
  readonly fromGraph: boolean;
  /** True if audio is copied. */
  readonly copiesAudio: boolean;
  /** True if the output consists of segments and a manifest. It has no subtitles. */
  readonly hasManifest: boolean;
  /** The values of `map`. Empty: ffmpeg chooses the streams. */
  readonly maps: readonly string[];
  /** The kinds of streams that the request excludes. */
  readonly excluded: readonly ('audio' | 'subtitle' | 'data')[];
}

/** Part of a conversion: the frames of the source from one time to another. */
export interface Chunk {
  readonly index: number;
  /** The time of the first frame in the whole conversion, in microseconds. All times here count from where the whole conversion begins to count. */
  readonly startMicros: number;
  /** From the first frame to the first frame of the next chunk, in microseconds. Absent in the last chunk. */
  readonly lengthMicros?: number;
  /** The time from which the chunk is decoded, if filters need frames before its first one. In microseconds. */
  readonly decodeMicros?: number;
  /** A time between the last frame of the previous chunk and the first frame of this one, in microseconds. 0 in the first chunk. */
  readonly cutMicros: number;
  /** The times of requested key frames after the first frame, in microseconds. Absent: none. */
  readonly keyFrameMicros?: readonly number[];
  /** The number of frames in the encoded chunk. Absent: it is not known before. */
  readonly frames?: number;
  /** Added to all times of the input, in microseconds. Absent: nothing. */
  readonly offsetMicros?: number;
  /** The bytes of the input that the chunk is made from. Absent: it may need all. */
  readonly bytes?: PartOfFile;
  /** True if decoding begins at this frame, because it is a key frame of the source. */
  readonly beginsAtKeyFrame: boolean;
}

/** A conversion in chunks: all that its argvs depend on. */
export interface ChunkedRun {
  readonly chunks: readonly Chunk[];
  /** The streams of each output. */
  readonly outputs: readonly JoinedStreams[];
  /** The disposition of the video in the source, such as `default`. */
  readonly disposition: readonly string[];
  /** What samples let choose for all chunks. Absent: there was no choice. */
  readonly chosen?: ChosenBySamples;
  /** The timecode of the video in the source. */
  readonly timecode?: string;
  /** The kinds of streams that have no language in the source. In MP4, each stream has one. */
  readonly withoutLanguage: readonly ('video' | 'audio')[];
}

/** A video that ffmpeg has encoded into a file, by its log or by ffprobe. */
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

/** The streams of an output. */
export interface JoinedStreams {
  /** True if the output has other streams than videos. */
  readonly hasRest: boolean;
  /** Added to all times of the input where the other streams are encoded, in microseconds. Absent: nothing. */
  readonly offsetMicros?: number;
  /** The streams in order: `video`, or `rest` for any other stream. Absent: the videos come first. */
  readonly order?: readonly ('video' | 'rest')[];
}
