import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { OutputPlan } from '../../domain/plan.ts';

/** A playlist or manifest of this size lists some ten thousand segments. */
const MAX_BYTES = 2 * 1024 * 1024;

const EXTINF = /^#EXTINF:(\d{1,9}(?:\.\d{1,9})?),/gm;

/** The longest segment in a playlist of HLS, in seconds. undefined if it lists none. */
export function longestInPlaylist(text: string): number | undefined {
  return longestOf([...text.matchAll(EXTINF)].map(([, seconds]) => Number(seconds)));
}

/** A manifest may list more than the arguments that `Math.max` takes. */
function longestOf(all: readonly number[]): number | undefined {
  const longest = all.reduce((max, seconds) => Math.max(max, seconds), 0);
  return longest > 0 && Number.isFinite(longest) ? longest : undefined;
}

const IS_VIDEO = /<AdaptationSet\b[^>]{0,500}\bcontentType="video"/;
const TIMESCALE = /\btimescale="(\d{1,12})"/;
const SEGMENT = /<S\b[^>]{0,100}?\bd="(\d{1,15})"/g;

/** The longest segment of the picture in a manifest of DASH with timelines, in seconds. undefined if it lists none. */
export function longestInManifest(text: string): number | undefined {
  const timelines = text
    .split('</AdaptationSet>')
    .filter((set) => IS_VIDEO.test(set))
    .flatMap((set) => set.split('</SegmentTimeline>'));
  const all = timelines.flatMap((timeline) => {
    const scale = Number(TIMESCALE.exec(timeline)?.[1] ?? Number.NaN);
    return [...timeline.matchAll(SEGMENT)].map(([, units]) => Number(units) / scale);
  });
  return longestOf(all);
}

const READERS: Readonly<Record<string, (text: string) => number | undefined>> = {
  hls: longestInPlaylist,
  dash: longestInManifest,
};

/**
 * Reads how long the longest segment is that the playlist or manifest of an output lists, in seconds: of HLS with variants,
 * that of the first one. undefined for other outputs. An ffmpeg that was exploited may have put anything there, so only a
 * regular file is read.
 *
 * @param dir The scratch folder, absolute.
 */
export async function readLongestSegment(
  dir: string,
  { output: { logical, muxer }, passes }: Pick<OutputPlan, 'output' | 'passes'>,
): Promise<number | undefined> {
  const read = READERS[muxer];
  if (read === undefined) return undefined;
  const argv = passes.at(-1) ?? [];
  const at = argv.indexOf('-var_stream_map');
  const variant = at < 0 ? '0' : (/^[^ ]*?\bname:([\w-]+)/.exec(argv[at + 1] ?? '')?.[1] ?? '0');
  const path = join(dir, logical.replaceAll('%v', variant));
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => undefined,
  );
  if (handle === undefined) return undefined;
  try {
    const stats = await handle.stat();
    if (!stats.isFile() || stats.size > MAX_BYTES) return undefined;
    return read(await handle.readFile('latin1'));
  } finally {
    await handle.close();
  }
}
