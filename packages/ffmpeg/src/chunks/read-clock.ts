import type { ChunkOutput, ChunkTemplates, WholeReason } from '@telecine/contract/domain/chunks.ts';
import { type SourceIndex, type SourceStream, ticksOf } from './source-index.ts';
import { selectedBy } from './stream-maps.ts';

/** The source by the times of the whole conversion, and what runs that read fewer streams add to get the same times. */
export interface ReadClock {
  readonly index: SourceIndex;
  /** Added to all times of the input where chunks are encoded, in microseconds. 0: nothing. */
  readonly ofChunks: number;
  /** The same where the other streams of each output are encoded. */
  readonly ofRests: readonly number[];
}

/**
 * True if ffmpeg corrects the start of a transport stream whatever the offset, and adds the offset then (`correct_input_start_times`, since release 6).
 * Earlier releases correct it only if there is no offset (`process_input`).
 */
export const countsFromReadStreams = ({
  release,
}: {
  readonly release?: readonly [major: number, minor: number];
}): boolean => release === undefined || release[0] >= 6;

/**
 * ffmpeg counts the times of a transport stream from the earliest of the streams that it reads, not from the start of the file. A chunk reads the video
 * alone, so it needs an offset. The sum of start and offset is the start of the whole conversion to the microsecond, so that ffmpeg
 * rounds both to the same tick.
 */
export function clockOf(
  { outputs, countsFromReadStreams: counts }: Pick<ChunkTemplates, 'outputs' | 'countsFromReadStreams'>,
  index: SourceIndex,
): ReadClock | WholeReason {
  if (index.format !== 'mpegts') return { index, ofChunks: 0, ofRests: outputs.map(() => 0) };
  const { video, timeBase, startMicros: fileStart } = index;
  // Earlier releases correct the start only to a later one: that of the file ignores subtitles that begin long before the other streams.
  const startOf = (read: ReadStreams): number | undefined =>
    earliest(read, { fileStart, least: counts ? Number.NEGATIVE_INFINITY : fileStart });
  const rests = outputs.map((output) => restOf(output, index));
  const whole = startOf({
    certain: [video, ...rests.flatMap(({ certain }) => certain)],
    possible: rests.flatMap(({ possible }) => possible),
  });
  if (whole === undefined) return { whole: UNKNOWN_START };
  const offsets = [{ certain: [video], possible: [] }, ...rests].flatMap((read) => {
    // Without an offset, earlier releases would correct the start. A microsecond prevents it, and is less than half a tick.
    if (!counts) return [fileStart - whole || 1];
    const start = startOf(read);
    return start === undefined ? [] : [Number.isFinite(start) ? start - whole : 0];
  });
  const [ofChunks = 0, ...ofRests] = offsets;
  if (ofRests.length < rests.length) return { whole: UNKNOWN_START };
  const later = ticksOf(-whole, timeBase) - ticksOf(-fileStart, timeBase);
  return {
    index: later === 0 ? index : { ...index, ticks: Float64Array.from(index.ticks, (tick) => tick + later) },
    ofChunks,
    ofRests,
  };
}

const UNKNOWN_START =
  'ffmpeg may count times from the start of the subtitles, if it selects them. Send "sn" to leave them out.';

/** The streams that a run reads for certain, and those that it may read besides. */
interface ReadStreams {
  readonly certain: readonly SourceStream[];
  readonly possible: readonly SourceStream[];
}

/** The start of the streams that are read, but at least `least`. undefined: it depends on those that may be read. Infinity: no stream is. */
function earliest(
  { certain, possible }: ReadStreams,
  { fileStart, least }: { readonly fileStart: number; readonly least: number },
): number | undefined {
  // ffmpeg takes the start of the file for that of a stream of which it has found no packet.
  const startOf = (streams: readonly SourceStream[]): number =>
    Math.max(least, Math.min(...streams.map(({ startMicros = fileStart }) => startMicros)));
  const [start, possibleStart] = [startOf(certain), startOf([...certain, ...possible])];
  return start === possibleStart ? start : undefined;
}

/** The streams of an output except the videos. */
function restOf({ maps, excluded }: ChunkOutput, { streams }: SourceIndex): ReadStreams {
  const isIncluded = ({ type }: SourceStream): boolean => !(excluded as readonly string[]).includes(type);
  const others = streams.filter((stream) => stream.type !== 'video' && isIncluded(stream));
  if (maps.length > 0) {
    const mapped = new Set(maps.flatMap((map) => (map.startsWith('[') ? [] : selectedBy(map, others))));
    return { certain: [...mapped], possible: [] };
  }
  return {
    certain: selectedAudio(others),
    // Whether ffmpeg selects subtitles depends on the encoder.
    possible: others.filter(({ type }) => type === 'subtitle'),
  };
}

/** The audio that ffmpeg selects without `map`: the first with the most channels, of those that are the default if there are any. */
function selectedAudio(streams: readonly SourceStream[]): readonly SourceStream[] {
  const audio = streams.filter(({ type }) => type === 'audio');
  const preferred = audio.filter(({ disposition }) => disposition.includes('default'));
  const candidates = preferred.length > 0 ? preferred : audio;
  const most = Math.max(...candidates.map(({ channels = 0 }) => channels));
  return candidates.filter(({ channels = 0 }) => channels === most).slice(0, 1);
}
