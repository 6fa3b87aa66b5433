import type {
  Chunk,
  ChunkedRun,
  ChunkFamily,
  EncodedVideo,
  RateLimit,
  WholeReason,
} from '@telecine/contract/domain/chunks.ts';
import { defined } from '@telecine/contract/domain/defined.ts';
import { INPUT_FORMATS } from '../allowlist/input-formats.ts';
import { chunkFile } from './chunk-argvs.ts';
import { type BufferEffect, bufferEffect, type ChunkFrames } from './rate-buffer.ts';

/** What is known about the videos of a finished chunk. */
export interface ChunkVideos {
  readonly videos: readonly EncodedVideo[];
  /** The packets of each video. Absent: ffprobe has not listed them. */
  readonly packets?: readonly ChunkFrames[];
}

const ENTRIES = 'packet=stream_index,pts_time,size:stream=width,height,pix_fmt:stream_tags=encoder';

/** The arguments of ffprobe to list the packets of a finished chunk of a family of videos. It decodes nothing. */
export const chunkProbeArgs = (family: ChunkFamily, index: number): readonly string[] => [
  ...['-hide_banner', '-loglevel', 'level+error', '-show_entries', ENTRIES, '-of', 'compact'],
  ...['-protocol_whitelist', 'file', '-format_whitelist', INPUT_FORMATS, '-i', `file:${chunkFile(family, index)}`],
];

/** Reads the output of ffprobe with `chunkProbeArgs`. undefined: the chunk has another number of streams than videos. */
export function readProbedChunk(
  stdout: string,
  { videos: count }: Pick<ChunkFamily, 'videos'>,
): ChunkVideos | undefined {
  const lines = stdout.trim().split('\n');
  const streams = lines.filter((line) => line.startsWith('stream|'));
  if (streams.length !== count) return undefined;
  const packets = readPackets(lines, count);
  const videos = packets.map(({ bytes }, video): EncodedVideo => {
    const line = streams[video] ?? '';
    const [, width, height, pixelFormat] = SHAPE.exec(line) ?? [];
    return {
      packets: bytes.length,
      bytes: bytes.reduce((sum, size) => sum + size, 0),
      ...(height !== undefined && { width: Number(width), height: Number(height) }),
      ...defined({ pixelFormat, encoder: TAG.exec(line)?.[1] }),
    };
  });
  return { videos, packets };
}

const SHAPE = /\|width=(\d{1,6})\|height=(\d{1,6})\|pix_fmt=(\w{1,32})(?:\||$)/;
const TAG = /\|tag:encoder=([\w .-]{1,80})(?:\||$)/i;
const PACKET = /^packet\|stream_index=(\d{1,3})\|pts_time=(-?\d{1,9}(?:\.\d{1,9})?)\|size=(\d{1,12})(?:\||$)/;

function readPackets(lines: readonly string[], videos: number): readonly ChunkFrames[] {
  const packets = Array.from({ length: videos }, () => ({ bytes: [] as number[], seconds: [] as number[] }));
  for (const line of lines) {
    const [, stream, time, size] = PACKET.exec(line) ?? [];
    const ofStream = packets[Number(stream)];
    if (ofStream === undefined) continue;
    ofStream.seconds.push(Number(time));
    ofStream.bytes.push(Number(size));
  }
  return packets;
}

/** What is compared of chunks, and what other chunks and the join depend on. */
export interface ChunkFacts {
  /** The number of frames of each video. */
  readonly frames: readonly number[];
  /** A hash of the header of the file, and the pixel formats, which not all headers have. All chunks of a run must share them. */
  readonly headers: string;
  /** The name of the encoder of each video, which the output gets as a tag. null: there is none. */
  readonly encoders: readonly (string | null)[];
  /** The effect of each video on the buffer of its limit. null: the video has no limit. Absent: no video of the family has one. */
  readonly buffers?: readonly (BufferEffect | null)[];
  /** The bytes of all frames of each video, and their size. Absent: nothing depends on them. */
  readonly bytes?: readonly number[];
  readonly sizes?: readonly { readonly width: number; readonly height: number }[];
}

/** The facts of a finished chunk. `header`: the hash of its header. */
export function chunkFacts(
  header: string,
  { videos, packets = [] }: ChunkVideos,
  { limits, average }: Pick<ChunkFamily, 'limits' | 'average'>,
  { lengthMicros }: Pick<Chunk, 'lengthMicros'>,
): ChunkFacts {
  const length = lengthMicros === undefined ? {} : { length: lengthMicros / 1e6 };
  const effectOf = (limit: RateLimit | null, video: number): BufferEffect | null => {
    const frames = packets[video];
    return limit === null || frames === undefined ? null : bufferEffect(limit, { ...frames, ...length });
  };
  return {
    frames: videos.map((video) => video.packets),
    headers: [header, ...videos.map(({ pixelFormat }) => pixelFormat)].join(' '),
    encoders: videos.map(({ encoder = null }) => encoder),
    ...(limits && { buffers: limits.map(effectOf) }),
    ...(average && {
      bytes: videos.map(({ bytes }) => bytes),
      sizes: videos.map(({ width = 0, height = 0 }) => ({ width, height })),
    }),
  };
}

/** Why a finished chunk of a family of videos is not as planned. undefined: it is. */
export function checkChunk({ frames, index }: Chunk, found: ChunkFacts): WholeReason | undefined {
  const other = found.frames.find((count) => frames !== undefined && count !== frames);
  return other === undefined ? undefined : { whole: `Chunk ${index + 1} has ${other} frames instead of ${frames}.` };
}

/** Why finished chunks of a family cannot be joined. undefined: they can. */
export function checkChunks({ chunks }: ChunkedRun, facts: readonly ChunkFacts[]): WholeReason | undefined {
  for (const [at, chunk] of chunks.entries()) {
    const found = facts[at];
    if (found === undefined) return { whole: `Chunk ${chunk.index + 1} is missing.` };
    const reason = checkChunk(chunk, found);
    if (reason !== undefined) return reason;
    if (found.headers !== facts[0]?.headers)
      return { whole: `Chunk ${chunk.index + 1} has other headers than the first.` };
  }
  return undefined;
}
