import type { MediaRates } from './media-rates.ts';

/** A variant of a master playlist, with its bit rates as the playlist has them. */
export interface MasterVariant {
  readonly uri: string;
  /** The frame size. Absent: the variant has no video. */
  readonly resolution?: string;
  readonly bandwidth: number;
  readonly averageBandwidth: number;
}

const VARIANT = /^#EXT-X-STREAM-INF:/;
const RENDITION = /^#EXT-X-MEDIA:/;
const GROUP_TYPES = ['AUDIO', 'VIDEO', 'SUBTITLES'];

/** Reads an attribute of a tag, without its quotes. */
function attribute(line: string, name: string): string | undefined {
  const [, quoted, plain] = new RegExp(`[:,]${name}=(?:"([^"]{0,1000})"|([^",]{1,1000}))`).exec(line) ?? [];
  return quoted ?? plain;
}

/** The playlists of all renditions, by type and group: `AUDIO group_audio`. */
function renditionsIn(lines: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const line of lines) {
    if (!RENDITION.test(line)) continue;
    const [type, group, uri] = ['TYPE', 'GROUP-ID', 'URI'].map((name) => attribute(line, name));
    if (uri === undefined) continue;
    const key = `${type} ${group}`;
    groups.set(key, [...(groups.get(key) ?? []), uri]);
  }
  return groups;
}

/** The playlists that a master playlist names, each once. */
export function playlistsIn(master: string): readonly string[] {
  const lines = master.split('\n').map((line) => line.trimEnd());
  const variants = lines.flatMap((line, at) => (VARIANT.test(line) ? (lines[at + 1] ?? []) : []));
  return [...new Set([...variants, ...[...renditionsIn(lines).values()].flat()])];
}

/**
 * Replaces BANDWIDTH by the peak, and adds AVERAGE-BANDWIDTH, as RFC 8216 defines them in section 4.3.4.2: the largest sum of a variant and
 * one rendition of each of its groups. A variant with an unknown playlist keeps what ffmpeg wrote.
 *
 * @param rates The measured rates of each playlist, by its URI.
 */
export function withMeasuredRates(
  master: string,
  rates: ReadonlyMap<string, MediaRates>,
): { readonly text: string; readonly variants: readonly MasterVariant[] } {
  const lines = master.split('\n');
  const plain = lines.map((line) => line.trimEnd());
  const groups = renditionsIn(plain);
  const variants: MasterVariant[] = [];
  const changed = lines.map((line, at) => {
    if (!VARIANT.test(line)) return line;
    const uri = plain[at + 1] ?? '';
    // The playlist of a variant without video can be a rendition of its own group, which then counts once.
    const used = GROUP_TYPES.map((type) => groups.get(`${type} ${attribute(line, type)}`) ?? []);
    const playlists = [[uri], ...used.filter((uris) => !uris.includes(uri))];
    const measured = playlists.map((uris) => uris.map((one) => rates.get(one)));
    if (!measured.every((group) => group.length === 0 || group.every((one) => one !== undefined))) return line;
    const sumOf = (read: (one: MediaRates) => number): number =>
      Math.ceil(
        measured.reduce(
          (sum, group) => sum + Math.max(0, ...group.map((one) => (one === undefined ? 0 : read(one)))),
          0,
        ),
      );
    const bandwidth = sumOf(({ peak }) => peak);
    const averageBandwidth = sumOf(({ average }) => average);
    const resolution = attribute(line, 'RESOLUTION');
    variants.push({ uri, ...(resolution !== undefined && { resolution }), bandwidth, averageBandwidth });
    return line
      .replace(/,AVERAGE-BANDWIDTH=\d{1,15}|(?<=:)AVERAGE-BANDWIDTH=\d{1,15},/, '')
      .replace(/(?<=[:,])BANDWIDTH=\d{1,15}/, `BANDWIDTH=${bandwidth},AVERAGE-BANDWIDTH=${averageBandwidth}`);
  });
  return { text: changed.join('\n'), variants };
}
