import {
  addressOf,
  BOTH,
  MAX_PARTS,
  MAX_RENDITIONS,
  type Manifest,
  type MediaKind,
  type NamedPlaylist,
  ONLY,
} from './manifest.ts';

/** Matches the audio codecs in `CODECS` (RFC 6381). Other codecs are for video or text. */
const AUDIO_CODEC = /^(?:mp4a|ac-3|ec-3|ac-4|opus|fLaC|flac|alac|mp3)/i;
const TEXT_CODEC = /^(?:wvtt|stpp)/i;

/** Matches tags that name or describe files, and their attributes. */
const TAG = /^#EXT-X-(STREAM-INF|MEDIA|MAP|KEY):(.*)$/;
/** `BANDWIDTH=300000`, `CODECS="avc1.64000c,mp4a.40.2"` (RFC 8216, 4.2). */
const ATTRIBUTE = /([A-Z0-9-]{1,40})=(?:"([^"]*)"|([^",]*))/g;

type Attributes = ReadonlyMap<string, string>;

/**
 * Reads an HLS playlist (RFC 8216). `base`: its base URL. The text is not trusted, so parsing takes linear time and
 * ignores variables (`EXT-X-DEFINE`).
 */
export function readHls(text: string, base: string): Manifest {
  const audios: NamedPlaylist[] = [];
  const variants: { readonly uri: string; readonly attributes: Attributes }[] = [];
  const parts: string[] = [];
  /** Adds a file. If several segments in a row are in the same file, adds it once. */
  const addPart = (uri: string): void => {
    const address = addressOf(uri, base);
    if (address !== parts.at(-1)) parts.push(address);
  };
  let variant: Attributes | undefined;
  let map: string | undefined;
  let writtenMap: string | undefined;
  let hasKey = false;
  let isEncrypted = false;
  for (const line of text.split(/\r?\n/)) {
    if (variants.length + audios.length === MAX_RENDITIONS || parts.length > MAX_PARTS) break;
    const uri = line.trim();
    const [, tag, rest = ''] = TAG.exec(uri) ?? [];
    if (tag !== undefined) {
      const attributes = attributesOf(rest);
      const named = attributes.get('URI');
      if (tag === 'STREAM-INF') variant = attributes;
      else if (tag === 'KEY') hasKey = attributes.get('METHOD') !== 'NONE';
      else if (named === undefined) continue;
      else if (tag === 'MAP') map = named;
      else if (attributes.get('TYPE') === 'AUDIO')
        audios.push({ address: addressOf(named, base), bandwidth: 0, kinds: ONLY.audio });
    } else if (uri === '' || uri.startsWith('#')) continue;
    else if (variant !== undefined) {
      variants.push({ uri, attributes: variant });
      variant = undefined;
    } else {
      if (map !== undefined && map !== writtenMap) addPart(map);
      writtenMap = map;
      addPart(uri);
      isEncrypted ||= hasKey;
    }
  }
  if (variants.length + audios.length === 0)
    return { playlists: [], renditions: [{ bandwidth: 0, kinds: BOTH, listParts: () => parts, isEncrypted }] };
  const videos = variants.map(({ uri, attributes }): NamedPlaylist => {
    const kinds =
      audios.length > 0 ? ONLY.video : kindsOf(attributes.get('CODECS'), attributes.get('RESOLUTION') !== undefined);
    return { address: addressOf(uri, base), bandwidth: Number(attributes.get('BANDWIDTH')) || 0, kinds };
  });
  return { playlists: [...videos, ...audios], renditions: [] };
}

const attributesOf = (text: string): Attributes =>
  new Map(Array.from(text.matchAll(ATTRIBUTE), ([, name = '', quoted, plain]) => [name, quoted ?? plain ?? '']));

/** Returns what a variant contains: video, audio or both. Without `CODECS`, it may contain both. */
function kindsOf(codecs: string | undefined, hasSize: boolean): ReadonlySet<MediaKind> {
  const all = (codecs ?? '').split(',').map((one) => one.trim());
  const known = all.filter((one) => one !== '' && !TEXT_CODEC.test(one));
  if (known.length === 0) return BOTH;
  const hasAudio = known.some((one) => AUDIO_CODEC.test(one));
  const hasVideo = hasSize || known.some((one) => !AUDIO_CODEC.test(one));
  return hasAudio && hasVideo ? BOTH : hasAudio ? ONLY.audio : ONLY.video;
}
