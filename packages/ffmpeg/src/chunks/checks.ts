import { createHash } from 'node:crypto';
import type { Chunk, ChunkTemplates, EncodedVideo, WholeReason } from '@telecine/contract/domain/chunks.ts';

/** What is known of an encoded part: of a chunk, or of all streams of an output except its videos. Times are in seconds. */
export interface PartFacts {
  /** Of a chunk: the number of frames of each video. */
  readonly frames?: readonly number[];
  /** Of a chunk: a hash of the header of its file, with the pixel formats, which not all headers have. All chunks of a run must share it. */
  readonly headers?: string;
  /** Of the other streams: their length. */
  readonly seconds?: number | undefined;
  /** When the video of the first chunk, or the audio, begins in the whole. */
  readonly start?: number | undefined;
}

/** How many frames a chunk may have more or less than its source, where ffmpeg rounds times at its ends. */
const TOLERANCE = 2;

/** Why a finished chunk is not as planned. undefined: it is. */
export function checkChunk(
  { keepsFrames, videos, extension }: Pick<ChunkTemplates, 'keepsFrames' | 'videos' | 'extension'>,
  { frames, warmUpFrames = 0, index }: Chunk,
  { frames: counted = [], headers = '' }: PartFacts,
): WholeReason | undefined {
  if (counted.length !== videos) return { whole: `The log of chunk ${index + 1} does not tell its frames.` };
  // The alpha of VP9 is in data beside its frames, which only Matroska holds.
  if (extension === 'mp4' && / yuva/.test(headers)) return { whole: 'Chunks in MP4 hold no alpha.' };
  const wanted = frames + warmUpFrames;
  const other = counted.find((count) => count === 0 || (keepsFrames && Math.abs(count - wanted) > TOLERANCE));
  return other === undefined ? undefined : { whole: `Chunk ${index + 1} has ${other} frames instead of ${wanted}.` };
}

/** Why finished chunks cannot be joined. undefined: they can. */
export function checkHeaders(facts: readonly PartFacts[]): WholeReason | undefined {
  const headers = facts.flatMap((found) => found.headers ?? []);
  const other = headers.findIndex((one) => one !== headers[0]);
  return other < 0 ? undefined : { whole: `Chunk ${other + 1} has other headers than the first.` };
}

/** What is known of the outputs that the join made. */
export interface JoinedOutputs {
  /** The length of each. undefined: it is not known, which several files of segments may be without. */
  readonly seconds: readonly (number | undefined)[];
  /** By how much the audio of each begins after its video. undefined: it has no audio, or this is not known. */
  readonly audioDelays: readonly (number | 'segments' | undefined)[];
  /** The videos of each, by the log of the join. */
  readonly videos: readonly (readonly EncodedVideo[])[];
}

/** What the check of a join reads of its parts: of chunks, or of the other streams of an output. */
interface JoinedPart {
  readonly chunk?: Chunk;
  readonly output?: number;
  readonly lengthSeconds: number;
}

/** How far the length of an output may be from that of its parts, besides a frame, and how far its audio may have moved. In seconds. */
const TOLERANCES = { length: 0.1, audio: 0.02 };

/**
 * Why joined outputs are not as their parts: frames, lengths, and the times of audio. What is not known is a reason too. undefined: they are.
 *
 * @param facts Of each of the parts.
 */
export function checkJoined(
  { outputs }: Pick<ChunkTemplates, 'outputs'>,
  parts: readonly JoinedPart[],
  facts: readonly PartFacts[],
  joined: JoinedOutputs,
): WholeReason | undefined {
  const ofVideo = facts.filter(({ frames }) => frames !== undefined);
  const [lengthSeconds = 0] = parts.map((part) => part.lengthSeconds);
  const first = parts.find(({ chunk }) => chunk?.index === 0)?.chunk;
  const dropped = parts.reduce((sum, { chunk: { warmUpFrames = 0 } = {} }) => sum + warmUpFrames, 0);
  for (const [output, { videos }] of outputs.entries()) {
    const frames = videos.map((video) => ofVideo.reduce((sum, one) => sum + (one.frames?.[video] ?? 0), -dropped));
    const counted = (joined.videos[output] ?? []).map(({ packets }) => packets);
    if (counted.length !== frames.length)
      return { whole: 'The log of the join does not tell the frames of its videos.' };
    const other = counted.findIndex((count, video) => count !== frames[video]);
    if (other >= 0) return { whole: `The joined video has ${counted[other]} frames instead of ${frames[other]}.` };
    const rest = parts.findIndex((part) => part.chunk === undefined && part.output === output);
    const { seconds: restSeconds, start: restStart } = facts[rest] ?? {};
    const [seconds, delay, videoStart] = [joined.seconds[output], joined.audioDelays[output], ofVideo[0]?.start];
    const hasAudio = restStart !== undefined;
    const isSegmented = delay === 'segments';
    if ((seconds === undefined && !isSegmented) || (hasAudio && restSeconds === undefined))
      return { whole: 'The length of a joined output, or of its audio, is not known.' };
    // Releases of ffmpeg tell the end of the stream that ends first, or last.
    const ends = [lengthSeconds, (first?.startMicros ?? 0) / 1e6 + lengthSeconds, restSeconds ?? lengthSeconds];
    const [least, most] = [Math.min(...ends), Math.max(...ends)];
    const tolerance = TOLERANCES.length + lengthSeconds / Math.max(1, Math.min(...frames));
    if (seconds !== undefined && (seconds < least - tolerance || seconds > most + tolerance))
      return { whole: `The joined output has ${seconds} s instead of ${most} s.` };
    if (!hasAudio || isSegmented) continue;
    if (delay === undefined || videoStart === undefined)
      return { whole: 'When the audio of a joined output begins is not known.' };
    const wanted = restStart - videoStart;
    if (Math.abs(delay - wanted) > TOLERANCES.audio)
      return { whole: `The joined audio begins ${delay} s after the video instead of ${wanted} s.` };
  }
  return undefined;
}

/** Reads bytes of a file: fewer at its end. */
export type ReadBytes = (position: number, length: number) => Promise<Uint8Array>;

/** How many bytes of a chunk are read. The header of a file that has only videos is a few kilobytes long. */
const HEAD_BYTES = 256 * 1024;

/** The last box of a file with fragments, up to the number in it. */
const LAST_BOX = Buffer.from('\0\0\0\x10mfro\0\0\0\0', 'latin1');
const LAST_BOX_BYTES = 16;

/** The beginning of a box with bit rates, which differ between chunks. */
const RATES_BOX = Buffer.from('\0\0\0\x14btrt', 'latin1');
const RATES_BYTES = 20;

/**
 * Returns a hash of the header of a chunk: of the codecs, sizes, time bases and headers for the decoder of its videos. Chunks of one run have the
 * same. undefined: the file is damaged, or is not complete. It does not show whether bytes in its middle are damaged.
 */
export async function chunkHeader(read: ReadBytes, fileBytes: number): Promise<string | undefined> {
  const end = Buffer.from(await read(Math.max(0, fileBytes - LAST_BOX_BYTES), LAST_BOX_BYTES));
  if (!end.subarray(0, LAST_BOX.length).equals(LAST_BOX)) return undefined;
  const movie = movieIn(Buffer.from(await read(0, HEAD_BYTES)));
  if (movie === undefined) return undefined;
  for (let at = movie.indexOf(RATES_BOX); at >= 0; at = movie.indexOf(RATES_BOX, at))
    movie.fill(0, at, Math.min(at + RATES_BYTES, movie.length));
  return createHash('sha256').update(movie).digest('base64url').slice(0, 22);
}

/** The box `moov` of a file with fragments. */
function movieIn(head: Buffer): Buffer | undefined {
  for (let position = 0; position + 8 <= head.length; ) {
    const bytes = head.readUInt32BE(position);
    const type = head.toString('latin1', position + 4, position + 8);
    if (bytes < 8 || position + bytes > head.length || type === 'moof') return undefined;
    if (type === 'moov') return head.subarray(position, position + bytes);
    position += bytes;
  }
  return undefined;
}
