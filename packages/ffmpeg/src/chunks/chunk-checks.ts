import type { Chunk, ChunkedRun, ChunkFamily, RateLimit, WholeReason } from '@telecine/contract/domain/chunks.ts';
import type { TriedQuality } from '@telecine/contract/domain/quality.ts';
import { INPUT_FORMATS } from '../allowlist/input-formats.ts';
import { chunkFile } from './chunk-argvs.ts';
import { type BufferEffect, bufferEffect, type ChunkFrames } from './rate-buffer.ts';

const OF_STREAMS =
  'stream=codec_name,width,height,pix_fmt,time_base,nb_read_packets,extradata_hash:stream_tags=encoder';

/** The sizes of the frames show whether limits of the bit rate hold, and what chunks need of an average. */
const OF_PACKETS = 'packet=stream_index,pts_time,size';

const hasRates = ({ limits, average }: Pick<ChunkFamily, 'limits' | 'average'>): boolean =>
  limits !== undefined || average !== undefined;

/** The arguments of ffprobe to check a finished chunk of a family of videos. It decodes nothing. */
export const chunkProbeArgs = (family: ChunkFamily, index: number): readonly string[] => [
  ...['-hide_banner', '-loglevel', 'level+error', '-count_packets', '-show_data_hash', 'sha256'],
  ...['-show_entries', [...(hasRates(family) ? [OF_PACKETS] : []), OF_STREAMS].join(':'), '-of', 'compact'],
  ...['-protocol_whitelist', 'file', '-format_whitelist', INPUT_FORMATS, '-i', `file:${chunkFile(family, index)}`],
];

/** What ffprobe found in a chunk. */
export interface ChunkFacts {
  /** The number of frames of each video. */
  readonly frames: readonly number[];
  /** The properties that all chunks of a run must share, with a hash of the headers for the decoder. */
  readonly headers: string;
  /** The name of the encoder of each video, which the output gets as a tag. null: there is none. */
  readonly encoders: readonly (string | null)[];
  /** The effect of each video on the buffer of its limit. null: the video has no limit. Absent: no video of the family has one. */
  readonly buffers?: readonly (BufferEffect | null)[];
  /** The bytes of all frames of each video. Absent: nothing depends on them. */
  readonly bytes?: readonly number[];
  /** What its run measured, if the request has a quality target. Absent: it could not be measured. */
  readonly quality?: TriedQuality;
}

/** Reads the output of ffprobe with `chunkProbeArgs`. undefined: the chunk is damaged. */
export function readChunkFacts(
  stdout: string,
  family: Pick<ChunkFamily, 'videos' | 'limits' | 'average'>,
  chunk: Pick<Chunk, 'lengthMicros'>,
): ChunkFacts | undefined {
  const { videos } = family;
  const all = stdout.trim().split('\n');
  const lines = all.filter((line) => !line.startsWith('packet|'));
  const frames = lines.flatMap((line) => /\|nb_read_packets=(\d{1,12})(?:\||$)/.exec(line)?.[1] ?? []);
  if (lines.length !== videos || frames.length !== videos) return undefined;
  return {
    frames: frames.map(Number),
    headers: lines.map((line) => line.replace(/\|nb_read_packets=\d+/, '')).join('\n'),
    encoders: lines.map((line) => /\|tag:encoder=([\w .-]{1,80})(?:\||$)/i.exec(line)?.[1] ?? null),
    ...factsOfRates(readPackets(all, videos), family, chunk),
  };
}

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

/** What bit rates depend on. */
function factsOfRates(
  packets: readonly ChunkFrames[],
  { limits, average }: Pick<ChunkFamily, 'limits' | 'average'>,
  { lengthMicros }: Pick<Chunk, 'lengthMicros'>,
): Pick<ChunkFacts, 'buffers' | 'bytes'> {
  const length = lengthMicros === undefined ? {} : { length: lengthMicros / 1e6 };
  const effectOf = (limit: RateLimit | null, video: number): BufferEffect | null => {
    const frames = packets[video];
    return limit === null || frames === undefined ? null : bufferEffect(limit, { ...frames, ...length });
  };
  return {
    ...(limits && { buffers: limits.map(effectOf) }),
    ...(average && { bytes: packets.map(({ bytes }) => bytes.reduce((sum, size) => sum + size, 0)) }),
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
