import { join } from 'node:path';
import type { OutputPlan } from '../../domain/plan.ts';
import { readWrittenText } from './written-text.ts';

/** A playlist or manifest of this size lists some ten thousand segments. */
const MAX_BYTES = 2 * 1024 * 1024;

const EXTINF = /^#EXTINF:(\d{1,9}(?:\.\d{1,9})?),/gm;

/** What a playlist or manifest says of its segments, in seconds. */
export interface SegmentTimes {
  /** The longest segment. Absent if none is listed. */
  readonly longest?: number;
  /** All that is listed: at most what was written, because a playlist may list only the last segments. */
  readonly total?: number;
}

/** What a playlist of HLS says. */
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

/** A manifest may list more than the arguments that `Math.max` takes. */
function longestOf(all: readonly number[]): number | undefined {
  const longest = all.reduce((max, seconds) => Math.max(max, seconds), 0);
  return longest > 0 && Number.isFinite(longest) ? longest : undefined;
}

const IS_VIDEO = /<AdaptationSet\b[^>]{0,500}\bcontentType="video"/;
const TIMESCALE = /\btimescale="(\d{1,12})"/;
/** As ffmpeg writes it: `PT1H2M3.5S`. */
const PRESENTATION = /\bmediaPresentationDuration="PT(?:(\d{1,6})H)?(?:(\d{1,6})M)?(\d{1,9}(?:\.\d{1,9})?)S"/;
const SEGMENT = /<S\b[^>]{0,100}?\bd="(\d{1,15})"/g;

/** What a manifest of DASH with timelines says. The segments are those of the picture. */
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
 * Reads the segments that the playlist or manifest of an output lists: of HLS with variants, those of the first one. Nothing
 * for other outputs.
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
  const text = await readWrittenText(join(dir, logical.replaceAll('%v', variant)), MAX_BYTES);
  return text === undefined ? {} : read(text);
}
