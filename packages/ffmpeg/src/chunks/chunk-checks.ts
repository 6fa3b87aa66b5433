import type { Chunk, ChunkedRun, ChunkFamily, WholeReason } from '@telecine/contract/domain/chunks.ts';
import { INPUT_FORMATS } from '../allowlist/input-formats.ts';
import { chunkFile } from './chunk-argvs.ts';

/** The arguments of ffprobe to check a finished chunk of a family of videos. It decodes nothing. */
export const chunkProbeArgs = (family: ChunkFamily, index: number): readonly string[] => [
  ...['-hide_banner', '-loglevel', 'level+error', '-count_packets', '-show_data_hash', 'sha256'],
  ...[
    '-show_entries',
    'stream=codec_name,width,height,pix_fmt,time_base,nb_read_packets,extradata_hash:stream_tags=encoder',
    '-of',
    'compact',
  ],
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
}

/** Reads the output of ffprobe with `chunkProbeArgs`. undefined: the chunk is damaged. */
export function readChunkFacts(stdout: string, { videos }: Pick<ChunkFamily, 'videos'>): ChunkFacts | undefined {
  const lines = stdout.trim().split('\n');
  const frames = lines.flatMap((line) => /\|nb_read_packets=(\d{1,12})(?:\||$)/.exec(line)?.[1] ?? []);
  if (lines.length !== videos || frames.length !== videos) return undefined;
  return {
    frames: frames.map(Number),
    headers: lines.map((line) => line.replace(/\|nb_read_packets=\d+/, '')).join('\n'),
    encoders: lines.map((line) => /\|tag:encoder=([\w .-]{1,80})(?:\||$)/i.exec(line)?.[1] ?? null),
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
