import { masterPath } from '@telecine/contract/domain/conversion.ts';
import { sendValue } from '@telecine/contract/domain/edit.ts';
import { quoted, type ValueError } from '../../values/value-error.ts';

/** Matches a stream of the output: `v:0`, `a:1`. */
const STREAM = /^([vas]):(\d{1,4})$/;

/**
 * Checks `var_stream_map`, in which spaces separate variants, and commas the streams of a variant. A stream must be in one variant only,
 * and a variant must not have two videos, which players cannot play.
 */
export function checkVariantStreams(map: string): ValueError | undefined {
  const variants = map.trim().split(/\s+/);
  const twice = repeatedStream(variants);
  if (twice !== undefined) return inSeveralVariants(map, variants, twice);
  const isMixed = variants.some((variant) => videosIn(variant.split(/[,;|/]/)) > 1);
  const meant =
    isMixed || /[;|/]|,\s/.test(map) ? meantMap(map.split(/[\s,;|/]+/).filter((part) => part !== '')) : undefined;
  if (!isMixed && (meant === undefined || meant === variants.join(' '))) return undefined;
  return {
    code: 'BAD_VALUE',
    message: `"var_stream_map" needs spaces between variants and commas between streams: ${quoted(map)} has ${
      isMixed ? 'several videos in one variant' : 'another separator, or a space after a comma'
    }.`,
    allowed: ['v:0,a:0 v:1,a:1'],
    ...(meant === undefined ? {} : { fix: sendValue(meant) }),
  };
}

const videosIn = (parts: readonly string[]): number => parts.filter((part) => /^v:\d/.test(part)).length;

/**
 * The map that the client means: one variant for each video, with the streams that follow the video. If streams are ordered by kind
 * (`v:0,v:1,a:0,a:1`), each video gets the audio at the same position, or all videos get the only audio. undefined: unclear.
 */
function meantMap(parts: readonly string[]): string | undefined {
  if (!/^v:/.test(parts[0] ?? '') || !parts.every((part) => STREAM.test(part) || /^[a-z]+:[^:]*$/.test(part)))
    return undefined;
  const isByKind = parts.every((part) => STREAM.test(part));
  const ofKind = (letter: string): readonly string[] => parts.filter((part) => STREAM.exec(part)?.[1] === letter);
  const [videos, audios] = [ofKind('v'), ofKind('a')];
  const [audio] = audios;
  if (new Set(parts).size < parts.length || videos.length < 2) return undefined;
  const isPaired = parts.join() === [...videos, ...audios].join();
  if (isByKind && isPaired && audios.length === videos.length)
    return videos.map((video, at) => `${video},${audios[at]}`).join(' ');
  if (isByKind && isPaired && audios.length === 1)
    return [`${audio},agroup:sound`, ...videos.map((video) => `${video},agroup:sound`)].join(' ');
  const variants: string[][] = [];
  for (const part of parts) {
    if (/^v:/.test(part)) variants.push([]);
    variants.at(-1)?.push(part);
  }
  return variants.map((variant) => variant.join(',')).join(' ');
}

/** The first stream that is in several variants. ffmpeg writes each stream of the output once. */
function repeatedStream(variants: readonly string[]): string | undefined {
  const before = new Set<string>();
  for (const variant of variants) {
    const streams = new Set(variant.split(',').filter((part) => STREAM.test(part)));
    for (const stream of streams) {
      if (before.has(stream)) return stream;
      before.add(stream);
    }
  }
  return undefined;
}

function inSeveralVariants(map: string, variants: readonly string[], stream: string): ValueError {
  const meant = withSharedAudio(variants);
  return {
    code: 'BAD_VALUE',
    message: `"var_stream_map" names ${stream} in several variants: ${quoted(map)}. A stream of the output can be in one variant; variants share audio by a group ("agroup").`,
    fix:
      meant === undefined
        ? `Send a "map" for each variant that has the stream, and name them ${stream}, ${stream.replace(/(?<!\d)\d+$/, (number) => String(Number(number) + 1))} and so on in "var_stream_map".`
        : sendValue(meant),
  };
}

/** A map in which several videos share the only audio by a group. undefined: the variants also share another stream. */
function withSharedAudio(variants: readonly string[]): string | undefined {
  const parts = variants.map((variant) => variant.split(','));
  const all = parts.flat();
  const [audio, ...otherAudios] = new Set(all.filter((part) => part.startsWith('a:')));
  const videos = all.filter((part) => part.startsWith('v:'));
  const isPlain = all.every((part) => /^(?:[va]:\d{1,4}|name:.+)$/.test(part));
  if (audio === undefined || otherAudios.length > 0 || !isPlain) return undefined;
  if (new Set(videos).size < videos.length || parts.some((one) => videosIn(one) !== 1)) return undefined;
  const name = all.some((part) => part.startsWith('name:')) ? ',name:sound' : '';
  const withGroups = parts.map((one) =>
    one.map((part) => (part.startsWith('v:') && one.includes(audio) ? `${part},agroup:sound` : part)),
  );
  return [
    `${audio},agroup:sound${name}`,
    ...withGroups.map((one) => one.filter((part) => part !== audio).join(',')),
  ].join(' ');
}

/** The mark in a file name that ffmpeg replaces by the name or the number of an HLS variant. */
export const VARIANT_MARK = '%v';

const hasMark = (text: string): boolean => text.includes(VARIANT_MARK);

/** The path of a file split into its folders and its name. */
function split(path: string): { readonly folders: readonly string[]; readonly file: string } {
  const folders = path.split('/');
  return { file: folders.pop() ?? '', folders };
}

/** The path without `%v` in its file name: `v%v/a_%v.m3u8` → `v%v/a.m3u8`. */
function withoutMark(path: string): string {
  const { folders, file } = split(path);
  const bare = file.replace(/[-_. ]?%v/g, '');
  return [...folders, /^(?:\.|$)/.test(bare) ? `index${bare}` : bare].join('/');
}

/** The path without the folders that have `%v`: `parts/v%v/a_%v.ts` → `parts/a_%v.ts`. */
export function withoutMarkedFolders(path: string): string {
  const { folders, file } = split(path);
  return [...folders.filter((folder) => !hasMark(folder)), file].join('/');
}

/** The path with `%v` in its file name and in no folder: `parts/v%v/a.ts` → `parts/v%v_a.ts`. */
export function withMarkInName(path: string): string {
  const { folders, file } = split(path);
  return [...folders.filter((folder) => !hasMark(folder)), [...folders.filter(hasMark), file].join('_')].join('/');
}

/**
 * The error for a path that has `%v` both in a folder and in its file name, with which ffmpeg does not start. `meant`: the path that the fix
 * sends.
 */
export function checkMarks(path: string, meant = withoutMark(path)): ValueError | undefined {
  const { folders, file } = split(path);
  if (!hasMark(file) || !folders.some(hasMark)) return undefined;
  return {
    code: 'BAD_FILE_NAME',
    message: `${quoted(path)} has "${VARIANT_MARK}" in a folder and in the file name; ffmpeg allows it in one of them.`,
    fix: sendValue(meant),
  };
}

/**
 * The error for an HLS output whose master playlist ffmpeg cannot write: it expects `%v` in the file name or in the folder of the playlists,
 * and does not expand it in folders above.
 */
export function checkMasterFolder(path: string): ValueError | undefined {
  if (!hasMark(masterPath(path, ''))) return undefined;
  const { folders, file } = split(path);
  const marked = folders.find(hasMark) ?? '';
  return {
    code: 'BAD_FILE_NAME',
    message: `${quoted(path)} has "${VARIANT_MARK}" above the folder of the playlists, where ffmpeg does not expand it for the master playlist.`,
    allowed: [`"${VARIANT_MARK}" in the file name, or in the last folder`],
    fix: sendValue([...folders.filter((folder) => !hasMark(folder)), marked, file].join('/')),
  };
}

/** Checks the names in `var_stream_map` that replace `%v` in file names. With some, ffmpeg writes a playlist without its files. */
export function checkVariantNames(map: string): ValueError | undefined {
  const names = variantNames(map);
  // Reject dots, which could become `..` with the text around `%v`, and slashes: ffmpeg writes nothing into a folder that does not exist.
  if (names.some((name) => /^\.*$|\//.test(name)))
    return {
      code: 'BAD_VALUE',
      message:
        'The name of a variant in "var_stream_map" has only dots or has a slash, so that its files would leave their folder.',
      fix: 'Use letters and digits: "v:0,a:0,name:high".',
    };
  const marked = names.find((name) => name.includes('%'));
  if (marked !== undefined)
    return {
      code: 'BAD_VALUE',
      message: `The name ${quoted(marked)} of a variant contains "%", which ffmpeg would expand again in file names.`,
      fix: 'Use letters and digits: "v:0,a:0,name:high".',
    };
  const seen = new Set<string>();
  const duplicate = names.find((name) => seen.size === seen.add(name).size);
  if (duplicate === undefined) return undefined;
  return {
    code: 'BAD_VALUE',
    message: `Two variants have the name ${quoted(duplicate)}, so one would overwrite the other.`,
    fix: 'Give each variant a different name: "v:0,name:high v:1,name:low". A variant without a name has its number, from 0.',
  };
}

/** The text that replaces `%v` for each variant. */
export const variantNames = (map: string): readonly string[] =>
  map
    .trim()
    .split(/\s+/)
    .map((variant, index) => {
      const named = variant.split(',').findLast((part) => part.startsWith('name:'));
      return named?.slice('name:'.length) ?? `${index}`;
    });
