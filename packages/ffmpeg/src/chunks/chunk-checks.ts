import type { Chunk, ChunkedRun, ChunkTemplates, WholeReason } from '@telecine/contract/domain/chunks.ts';
import { INPUT_FORMATS } from '../allowlist/input-formats.ts';
import { chunkFile } from './chunk-argvs.ts';

/** The arguments of ffprobe to check a finished chunk. It decodes nothing. */
export const chunkProbeArgs = (planned: ChunkTemplates, index: number): readonly string[] => [
  ...['-hide_banner', '-loglevel', 'level+error', '-count_packets', '-show_data_hash', 'sha256'],
  ...[
    '-show_entries',
    'stream=codec_name,width,height,pix_fmt,time_base,nb_read_packets,extradata_hash:stream_tags=encoder',
    '-of',
    'compact',
  ],
  ...['-protocol_whitelist', 'file', '-format_whitelist', INPUT_FORMATS, '-i', `file:${chunkFile(planned, index)}`],
];

/** What ffprobe found in a chunk. */
export interface ChunkFacts {
  readonly frames: number;
  /** The properties that all chunks of a run must share, with a hash of the headers for the decoder. */
  readonly headers: string;
  /** The name of the encoder, which the output gets as a tag. */
  readonly encoder?: string;
}

/** Reads the output of ffprobe with `chunkProbeArgs`. undefined: the chunk is damaged. */
export function readChunkFacts(stdout: string): ChunkFacts | undefined {
  const lines = stdout.trim().split('\n');
  const [line = ''] = lines;
  const frames = /\|nb_read_packets=(\d{1,12})(?:\||$)/.exec(line)?.[1];
  if (lines.length !== 1 || frames === undefined) return undefined;
  const encoder = /\|tag:encoder=([\w .-]{1,80})(?:\||$)/i.exec(line)?.[1];
  return {
    frames: Number(frames),
    headers: line.replace(/\|nb_read_packets=\d+/, ''),
    ...(encoder !== undefined && { encoder }),
  };
}

/** Why a finished chunk is not as planned. undefined: it is. */
export const checkChunk = ({ frames, index }: Chunk, found: ChunkFacts): WholeReason | undefined =>
  frames === undefined || found.frames === frames
    ? undefined
    : { whole: `Chunk ${index + 1} has ${found.frames} frames instead of ${frames}.` };

/** Why finished chunks cannot be joined. undefined: they can. */
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
