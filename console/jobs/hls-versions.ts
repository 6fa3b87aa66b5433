import { formatBitRate } from '../ui/format.ts';

/** A version of a film in a master playlist of HLS. */
export interface HlsVersion {
  /** The path of its playlist. */
  readonly path: string;
  readonly height?: number;
  /** The peak in bits per second. */
  readonly bandwidth?: number;
  readonly averageBandwidth?: number;
  /** Its playlist is that of an audio rendition, which ffmpeg lists as a version too, for connections too slow for the picture. */
  readonly isAudioOnly?: boolean;
}

/** More versions than any player has a use for. Each of them is one more playlist to read. */
const MAX_VERSIONS = 12;

type Attributes = ReadonlyMap<string, string>;

/** The attributes of a line with this tag, without quotes around their values. undefined: the line has another tag. */
function attributesOf(line: string, tag: 'STREAM-INF' | 'MEDIA' | 'MAP'): Attributes | undefined {
  const start = `#EXT-X-${tag}:`;
  if (!line.startsWith(start)) return undefined;
  // A value in quotes is matched as a whole, because it may contain what looks like other attributes.
  const found = line.slice(start.length).matchAll(/([A-Z\d-]+)=(?:"([^"]*)"|([^",]*))/g);
  return new Map(Array.from(found, ([, name = '', quoted, plain = '']) => [name, quoted ?? plain] as const));
}

/** The number that a pattern finds in an attribute, such as `BANDWIDTH=300000`. */
function numberOf(attributes: Attributes, name: string, pattern = /^(\d+)$/): number | undefined {
  const [, text] = pattern.exec(attributes.get(name) ?? '') ?? [];
  return text === undefined ? undefined : Number(text);
}

/**
 * The versions that a master playlist names, the best first. A playlist of one version, and one with versions elsewhere, has none.
 *
 * @param path The path of the playlist, from which its addresses count.
 */
export function readVersions(text: string, path: string): readonly HlsVersion[] {
  const lines = text.split(/\r?\n/).map((one) => one.trim());
  const renditions = new Set(lines.map((line) => audioRenditionOf(line, path)));
  const versions = new Map<string, HlsVersion>();
  let attributes: Attributes | undefined;
  for (const line of lines) {
    attributes = attributesOf(line, 'STREAM-INF') ?? attributes;
    if (line === '' || line.startsWith('#') || attributes === undefined) continue;
    const own = pathOf(line, path);
    const height = numberOf(attributes, 'RESOLUTION', /^\d+x(\d+)$/);
    const bandwidth = numberOf(attributes, 'BANDWIDTH');
    const averageBandwidth = numberOf(attributes, 'AVERAGE-BANDWIDTH');
    attributes = undefined;
    if (own === undefined || versions.size === MAX_VERSIONS) continue;
    versions.set(own, {
      path: own,
      ...(height !== undefined && { height }),
      ...(bandwidth !== undefined && { bandwidth }),
      ...(averageBandwidth !== undefined && { averageBandwidth }),
      ...(renditions.has(own) && { isAudioOnly: true }),
    });
  }
  return [...versions.values()].sort((a, b) => (b.bandwidth ?? 0) - (a.bandwidth ?? 0));
}

/** The path of the playlist of an audio rendition. undefined: the line names none. */
function audioRenditionOf(line: string, playlist: string): string | undefined {
  const attributes = attributesOf(line, 'MEDIA');
  const uri = attributes?.get('TYPE') === 'AUDIO' ? attributes.get('URI') : undefined;
  return uri === undefined ? undefined : pathOf(uri, playlist);
}

/** The files that a playlist of one version names: its segments and their header. Each once, also if it has many segments. */
export function readFiles(text: string, path: string): readonly string[] {
  const files = text.split(/\r?\n/).flatMap((each) => {
    const line = each.trim();
    const uri = line.startsWith('#') ? attributesOf(line, 'MAP')?.get('URI') : line;
    return (uri && pathOf(uri, path)) || [];
  });
  return [...new Set(files)];
}

/** Any origin: only paths below it are files of the job. */
const ORIGIN = 'http://files';

/** The path that an address in a playlist means. undefined: it is elsewhere. */
function pathOf(uri: string, playlist: string): string | undefined {
  const base = `${ORIGIN}/${playlist.split('/').map(encodeURIComponent).join('/')}`;
  if (!URL.canParse(uri, base)) return undefined;
  const { origin, pathname } = new URL(uri, base);
  try {
    return origin === ORIGIN ? decodeURIComponent(pathname.slice(1)) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The name of each version by its path: `480p`, `Audio only`, or that of its playlist. Versions that would have the same name have their bit
 * rates in it, as the player says them: `480p, 300 kbit/s`. If these are the same too, they have their paths in it.
 */
export function versionNames(versions: readonly HlsVersion[]): ReadonlyMap<string, string> {
  const all = versions.map((version) => ({ path: version.path, names: namesOf(version) }));
  const isUnique = (name: string, detail: number): boolean =>
    all.filter(({ names }) => names[detail] === name).length === 1;
  return new Map(all.map(({ path, names }) => [path, names.find(isUnique) ?? path]));
}

/** The names that a version can have, the shortest first. */
function namesOf({ height, bandwidth, isAudioOnly, path }: HlsVersion): readonly string[] {
  const own = isAudioOnly ? 'Audio only' : path.slice(path.lastIndexOf('/') + 1);
  const short = height === undefined ? own : `${height}p`;
  const withRate = bandwidth === undefined ? short : `${short}, ${formatBitRate(bandwidth)}`;
  return [short, withRate, `${withRate}, ${path}`];
}
