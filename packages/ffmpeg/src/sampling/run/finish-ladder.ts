import { lstat, rm, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { OutputLadder } from '@telecine/contract/domain/ladder.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import { isPlannedName } from '@telecine/contract/domain/planned-names.ts';
import type { ChosenLadder, PlannedLadder, SizedPoint } from '@telecine/contract/domain/sampling.ts';
import type { PreparedRun } from '../../run/conversion-run.ts';
import { readWrittenText } from '../../run/playlists.ts';
import { kilobits } from '../choosers/sizes.ts';

/** The most segments of a playlist. Each needs a look at its file. */
const MAX_SEGMENTS = 50_000;

/** The bit rates of a media playlist, in bits per second, as RFC 8216 defines them in section 4.1. */
interface MediaRates {
  readonly peak: number;
  readonly average: number;
}

/** Writes the true bit rates into the master playlist of a finished ladder, and returns the rungs with them. */
export async function finishLadder(
  { dir, plan }: PreparedRun,
  { hasAudio: _, rungs, ...ladder }: ChosenLadder,
): Promise<OutputLadder | undefined> {
  const [output] = plan.outputs;
  if (output?.manifest === undefined) return undefined;
  const { names, manifest, subfolder } = output;
  // The master playlist is above the folders of the variants.
  const name = names.flatMap(([part, ...others]) => (others.length === 0 && typeof part === 'string' ? part : []));
  const [master = manifest] = name.filter((one) => posix.basename(one) === manifest);
  /** undefined: the plan has no such file. A compromised ffmpeg may have put anything there. */
  const pathOf: PathOf = (file) => (isPlannedName(names, file) ? join(dir, 'out', subfolder, file) : undefined);
  const path = pathOf(master);
  const text = path && (await readWrittenText(path));
  const measure = (uri: string) => ratesOf(pathOf, posix.join(posix.dirname(master), uri));
  const measured = text === undefined ? undefined : await measureVariants(text, measure);
  if (path === undefined || measured?.videos.length !== rungs.length) return undefined;
  // First removed, since it may be a symlink.
  await rm(path, { force: true });
  await writeFile(path, measured.text, { flag: 'wx', mode: 0o644, encoding: 'latin1' });
  const none = { bandwidth: 0, averageBandwidth: 0 };
  return {
    ...ladder,
    rungs: rungs.map(({ bitsPerSecond: __, ...rung }, at) => ({ ...rung, ...none, ...measured.videos[at] })),
  };
}

/** The path of a file of the output. */
type PathOf = (name: string) => string | undefined;

/**
 * Replaces BANDWIDTH by the peak, and adds AVERAGE-BANDWIDTH, as RFC 8216 defines them in section 4.3.4.2: the sum of a variant and its audio.
 * undefined: a playlist or a segment is missing. All variants keep what ffmpeg wrote then: players could not compare measured rates with others.
 */
export async function measureVariants(master: string, measure: (uri: string) => Promise<MediaRates | undefined>) {
  const lines = master.split('\n');
  const [audio] = lines.flatMap((line) => /^#EXT-X-MEDIA:TYPE=AUDIO,.*,URI="([^"]{1,1000})"/.exec(line)?.[1] ?? []);
  const ofAudio = audio === undefined ? { peak: 0, average: 0 } : await measure(audio);
  const videos: { readonly bandwidth: number; readonly averageBandwidth: number }[] = [];
  for (const [at, line] of lines.entries()) {
    if (!line.startsWith('#EXT-X-STREAM-INF:')) continue;
    const uri = lines[at + 1]?.trimEnd() ?? '';
    const own = await measure(uri);
    if (own === undefined || ofAudio === undefined) return undefined;
    // The audio alone is a variant of its own group.
    const more = uri === audio || !line.includes('AUDIO=') ? { peak: 0, average: 0 } : ofAudio;
    const bandwidth = Math.ceil(own.peak + more.peak);
    const averageBandwidth = Math.ceil(own.average + more.average);
    if (/[:,]RESOLUTION=/.test(line)) videos.push({ bandwidth, averageBandwidth });
    lines[at] = line
      .replace(/,AVERAGE-BANDWIDTH=\d{1,15}|(?<=:)AVERAGE-BANDWIDTH=\d{1,15},/, '')
      .replace(/(?<=[:,])BANDWIDTH=\d{1,15}/, `BANDWIDTH=${bandwidth},AVERAGE-BANDWIDTH=${averageBandwidth}`);
  }
  return { text: lines.join('\n'), videos };
}

/** Measures the segments of a media playlist. undefined: the playlist or a segment is missing. */
async function ratesOf(pathOf: PathOf, name: string): Promise<MediaRates | undefined> {
  const playlist = pathOf(name);
  const { targetSeconds, segments } = parsePlaylist((playlist && (await readWrittenText(playlist))) ?? '');
  if (segments.length === 0 || segments.length > MAX_SEGMENTS) return undefined;
  let [peak, bits, total] = [0, 0, 0];
  for (const { uri, seconds, bytes: listed } of segments) {
    const path = pathOf(posix.join(posix.dirname(name), uri));
    const stats = listed === undefined && path !== undefined ? await lstat(path).catch(() => undefined) : undefined;
    const bytes = listed ?? (stats?.isFile() === true ? stats.size : undefined);
    if (bytes === undefined) return undefined;
    bits += bytes * 8;
    total += seconds;
    // A shorter segment does not count for the peak.
    if (seconds >= targetSeconds / 2) peak = Math.max(peak, (bytes * 8) / seconds);
  }
  return { peak: Math.max(peak, bits / total), average: bits / total };
}

/** Matches a segment in the order in which ffmpeg writes its lines (hlsplaylist.c, 5.1 to 8): seconds, bytes, and after a date its name. */
const SEGMENT =
  /^#EXTINF:(\d{1,15}(?:\.\d{1,9})?),[^\n]*\n(?:#EXT-X-BYTERANGE:(\d{1,15})[^\n]*\n)?(?:#[^\n]*\n)?([^#\n][^\n]*)/gm;

/** Reads a media playlist. `bytes`: the length of a segment that is a part of a file. */
export function parsePlaylist(text: string) {
  const segments = [...text.matchAll(SEGMENT)].map(([, seconds, bytes, uri = '']) => ({
    ...{ uri: uri.trimEnd(), seconds: Number(seconds) },
    ...(bytes !== undefined && { bytes: Number(bytes) }),
  }));
  const targetSeconds = Number(/^#EXT-X-TARGETDURATION:(\d{1,15})/m.exec(text)?.[1] ?? 0);
  return { targetSeconds, segments: segments.filter(({ seconds }) => seconds > 0) };
}

/** The warning about a ladder above its limit. */
export function ladderWarnings(
  { maxBitrate = Number.POSITIVE_INFINITY }: Pick<PlannedLadder, 'maxBitrate'>,
  { rungs }: { readonly rungs: readonly Pick<SizedPoint, 'bitsPerSecond'>[] },
): readonly Warning[] {
  const least = Math.min(...rungs.map(({ bitsPerSecond }) => bitsPerSecond));
  if (least <= maxBitrate) return [];
  return [
    {
      field: '/ladder/maxBitrate',
      code: 'QUALITY_MISSED',
      message: `The ladder has one rung, of about ${kilobits(least)} kb/s: nothing that was tried has at most "maxBitrate" (${maxBitrate / 1000} kb/s).`,
      fix: `Send a "maxBitrate" of at least ${2 * least}, a lower "target", or a lower frame rate, such as "r": "15".`,
    },
  ];
}
