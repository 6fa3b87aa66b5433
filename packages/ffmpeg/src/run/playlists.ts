import { join } from 'node:path';
import type { OutputPlan } from '@telecine/contract/domain/plan.ts';
import { readRegularFile } from '../process/regular-file.ts';

/** Reads a text file that ffmpeg wrote. undefined: the file is missing or too long. `path`: absolute. */
export const readWrittenText = (path: string): Promise<string | undefined> =>
  readRegularFile(path, async (file, size) => (size <= MAX_BYTES ? file.readFile('latin1') : undefined));

/** The maximum size of a playlist or manifest, in bytes. This is enough for about ten thousand segments. */
const MAX_BYTES = 2 * 1024 * 1024;

const EXTINF = /^#EXTINF:(\d{1,9}(?:\.\d{1,9})?),/gm;

/** The lengths of the segments in a playlist or manifest, in seconds. */
interface SegmentTimes {
  /** The length of the longest segment. undefined: there are no segments. */
  readonly longest?: number;
  /** The total of the listed segments. A playlist may list only the last segments. */
  readonly total?: number;
}

export function timesInPlaylist(text: string): SegmentTimes {
  const all = [...text.matchAll(EXTINF)].map(([, seconds]) => Number(seconds));
  return segmentTimes(
    longestOf(all),
    all.reduce((sum, seconds) => sum + seconds, 0),
  );
}

const segmentTimes = (longest: number | undefined, total: number): SegmentTimes => ({
  ...(longest !== undefined && { longest }),
  ...(total > 0 && Number.isFinite(total) && { total: Math.round(total * 1e6) / 1e6 }),
});

/** Returns the longest length. A manifest may list more segments than `Math.max(...all)` can take as arguments. */
function longestOf(all: readonly number[]): number | undefined {
  const longest = all.reduce((max, seconds) => Math.max(max, seconds), 0);
  return longest > 0 && Number.isFinite(longest) ? longest : undefined;
}

const IS_VIDEO = /<AdaptationSet\b[^>]{0,500}\bcontentType="video"/;
const TIMESCALE = /\btimescale="(\d{1,12})"/;
/** Matches the duration of a presentation in ffmpeg's notation: `PT1H2M3.5S`. */
const PRESENTATION = /\bmediaPresentationDuration="PT(?:(\d{1,6})H)?(?:(\d{1,6})M)?(\d{1,9}(?:\.\d{1,9})?)S"/;
const SEGMENT = /<S\b[^>]{0,100}?\bd="(\d{1,15})"/g;

/** Returns the lengths of the video segments in a DASH manifest with timelines. */
export function timesInManifest(text: string): SegmentTimes {
  const timelines = text
    .split('</AdaptationSet>')
    .filter((set) => IS_VIDEO.test(set))
    .flatMap((set) => set.split('</SegmentTimeline>'));
  const all = timelines.flatMap((timeline) => {
    const scale = Number(TIMESCALE.exec(timeline)?.[1] ?? Number.NaN);
    return [...timeline.matchAll(SEGMENT)].map(([, units]) => Number(units) / scale);
  });
  const [, hours = 0, minutes = 0, seconds = 0] = PRESENTATION.exec(text) ?? [];
  return segmentTimes(longestOf(all), Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
}

const READERS: Readonly<Record<string, (text: string) => SegmentTimes>> = {
  hls: timesInPlaylist,
  dash: timesInManifest,
};

/**
 * Reads the segment lengths in the playlist or manifest of an output. With HLS variants, reads the playlist of the first. Empty for other
 * outputs.
 *
 * @param dir The scratch folder, absolute.
 */
export async function readSegmentTimes(
  dir: string,
  { output: { logical, muxer }, passes }: Pick<OutputPlan, 'output' | 'passes'>,
): Promise<SegmentTimes> {
  const read = READERS[muxer];
  if (read === undefined) return {};
  const argv = passes.at(-1) ?? [];
  const at = argv.indexOf('-var_stream_map');
  const variant = at < 0 ? '0' : (/^[^ ]*?\bname:([\w-]+)/.exec(argv[at + 1] ?? '')?.[1] ?? '0');
  const text = await readWrittenText(join(dir, logical.replaceAll('%v', variant)));
  return text === undefined ? {} : read(text);
}
