import { BOTH, type Manifest, type MediaKind, type NamedPlaylist, ONLY, withoutRepetitions } from './manifest.ts';

/** Codecs of sound in `CODECS` (RFC 6381). Others are of pictures or texts. */
const SOUND_CODEC = /^(?:mp4a|ac-3|ec-3|ac-4|opus|fLaC|flac|alac|mp3)/i;
const TEXT_CODEC = /^(?:wvtt|stpp)/i;

/** Reads a playlist of HLS, a master playlist or one of segments. `base`: its own address. */
export async function readHls(text: string, base: string): Promise<Manifest> {
  const { Parser } = await import('m3u8-parser');
  const parser = new Parser();
  parser.push(text);
  parser.end();
  const { playlists = [], segments = [], mediaGroups } = parser.manifest;
  const addressOf = (uri: string): string => new URL(uri, base).href;
  const groups = Object.values(mediaGroups?.AUDIO ?? {}).flatMap((group) => Object.values(group));
  const sounds = groups.flatMap(({ uri }): readonly NamedPlaylist[] =>
    uri === undefined ? [] : [{ address: addressOf(uri), bandwidth: 0, kinds: ONLY.sound }],
  );
  const variants = playlists.flatMap(({ uri, attributes = {} }): readonly NamedPlaylist[] => {
    if (uri === undefined) return [];
    const kinds = sounds.length > 0 ? ONLY.picture : kindsOf(attributes.CODECS, attributes.RESOLUTION !== undefined);
    return [{ address: addressOf(uri), bandwidth: attributes.BANDWIDTH ?? 0, kinds }];
  });
  if (variants.length + sounds.length > 0) return { playlists: [...variants, ...sounds], renditions: [] };
  let map: string | undefined;
  const uris = segments.flatMap((segment): readonly string[] => {
    if (segment.uri === undefined) return [];
    const isNew = segment.map?.uri !== undefined && segment.map.uri !== map;
    map = segment.map?.uri ?? map;
    return isNew && map !== undefined ? [map, segment.uri] : [segment.uri];
  });
  const isEncrypted = segments.some(({ key }) => key?.method !== undefined && key.method !== 'NONE');
  const parts = withoutRepetitions(uris.map(addressOf));
  return { playlists: [], renditions: [{ bandwidth: 0, kinds: BOTH, parts, isEncrypted }] };
}

/** What a variant contains. Without `CODECS`, it may be both. */
function kindsOf(codecs: string | undefined, hasSize: boolean): ReadonlySet<MediaKind> {
  const all = (codecs ?? '').split(',').map((one) => one.trim());
  const known = all.filter((one) => one !== '' && !TEXT_CODEC.test(one));
  if (known.length === 0) return BOTH;
  const hasSound = known.some((one) => SOUND_CODEC.test(one));
  const hasPicture = hasSize || known.some((one) => !SOUND_CODEC.test(one));
  return hasSound && hasPicture ? BOTH : hasSound ? ONLY.sound : ONLY.picture;
}
