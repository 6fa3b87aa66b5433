/** A segment of a media playlist. */
export interface ListedSegment {
  readonly uri: string;
  readonly seconds: number;
  /** The length of the segment if it is a part of a file. Absent: it is the whole file. */
  readonly bytes?: number;
}

/** What a media playlist of HLS says about its segments. */
export interface MediaPlaylist {
  readonly targetSeconds: number;
  readonly segments: readonly ListedSegment[];
}

const TARGET = /^#EXT-X-TARGETDURATION:(\d{1,9})$/;
const EXTINF = /^#EXTINF:(\d{1,9}(?:\.\d{1,9})?),/;
const BYTE_RANGE = /^#EXT-X-BYTERANGE:(\d{1,15})(?:@\d{1,15})?$/;

export function parseMediaPlaylist(text: string): MediaPlaylist {
  const segments: ListedSegment[] = [];
  let targetSeconds = 0;
  let seconds: number | undefined;
  let bytes: number | undefined;
  for (const raw of text.split('\n')) {
    const line = raw.trimEnd();
    targetSeconds = Number(TARGET.exec(line)?.[1] ?? targetSeconds);
    seconds = Number(EXTINF.exec(line)?.[1] ?? seconds);
    bytes = Number(BYTE_RANGE.exec(line)?.[1] ?? bytes);
    if (line === '' || line.startsWith('#')) continue;
    if (seconds > 0) segments.push({ uri: line, seconds, ...(bytes >= 0 && { bytes }) });
    seconds = undefined;
    bytes = undefined;
  }
  return { targetSeconds, segments };
}

/** The bit rates of a media playlist, in bits per second. */
export interface MediaRates {
  /** The highest rate of segments in a row that last between half and one and a half of the target duration. */
  readonly peak: number;
  readonly average: number;
}

/** Bounds of the length of the segments whose rate counts for the peak, as shares of the target duration (RFC 8216, section 4.1). */
const PEAK_WINDOW = { min: 0.5, max: 1.5 };

/** The most segments in a row whose rate counts. A playlist may have a long target duration and many tiny segments. */
const MAX_IN_ROW = 256;

/** Measures the rates as RFC 8216 defines them in section 4.1. */
export function ratesOf(
  targetSeconds: number,
  segments: readonly { readonly seconds: number; readonly bytes: number }[],
): MediaRates {
  const total = segments.reduce(
    (sum, { seconds, bytes }) => ({ seconds: sum.seconds + seconds, bytes: sum.bytes + bytes }),
    { seconds: 0, bytes: 0 },
  );
  const average = total.seconds > 0 ? (total.bytes * 8) / total.seconds : 0;
  let peak = average;
  for (const [from] of segments.entries()) {
    let [seconds, bytes] = [0, 0];
    for (let to = from; to < Math.min(segments.length, from + MAX_IN_ROW); to += 1) {
      seconds += segments[to]?.seconds ?? 0;
      bytes += segments[to]?.bytes ?? 0;
      if (seconds > PEAK_WINDOW.max * targetSeconds) break;
      if (seconds >= PEAK_WINDOW.min * targetSeconds) peak = Math.max(peak, (bytes * 8) / seconds);
    }
  }
  return { peak, average };
}
