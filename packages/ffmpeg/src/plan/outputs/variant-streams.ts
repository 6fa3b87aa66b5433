import { masterPath } from '@telecine/contract/domain/conversion.ts';
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
  if (twice !== undefined) return inSeveralVariants(map, twice);
  const isMixed = variants.some((variant) => videosIn(variant.split(/[,;|/]/)) > 1);
  const isJoined = videosIn(map.split(/[\s,;|/]+/)) > 1 && /(?:[;|/]\s*|,\s+)[vas]:\d/.test(map);
  if (!isMixed && !isJoined) return undefined;
  return {
    code: 'BAD_VALUE',
    message: `"var_stream_map" needs spaces between variants and commas between streams: ${quoted(map)} has ${
      isMixed ? 'several videos in one variant' : 'another separator, or a space after a comma'
    }.`,
    allowed: ['v:0,a:0 v:1,a:1'],
  };
}

const videosIn = (parts: readonly string[]): number => parts.filter((part) => /^v:\d/.test(part)).length;

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

const inSeveralVariants = (map: string, stream: string): ValueError => ({
  code: 'BAD_VALUE',
  message: `"var_stream_map" names ${stream} in several variants: ${quoted(map)}. A stream of the output can be in one variant; variants share audio by a group.`,
  allowed: ['a:0,agroup:sound v:0,agroup:sound v:1,agroup:sound'],
});

/** The mark in a file name that ffmpeg replaces by the name or the number of an HLS variant. */
export const VARIANT_MARK = '%v';

const hasMark = (text: string): boolean => text.includes(VARIANT_MARK);

/** The path of a file split into its folders and its name. */
function split(path: string): { readonly folders: readonly string[]; readonly file: string } {
  const folders = path.split('/');
  return { file: folders.pop() ?? '', folders };
}

/** The error for a path that has `%v` both in a folder and in its file name, with which ffmpeg does not start. */
export function checkMarks(path: string): ValueError | undefined {
  const { folders, file } = split(path);
  if (!hasMark(file) || !folders.some(hasMark)) return undefined;
  return {
    code: 'BAD_FILE_NAME',
    message: `${quoted(path)} has "${VARIANT_MARK}" in a folder and in the file name; ffmpeg allows it in one of them.`,
  };
}

/**
 * The error for an HLS output whose master playlist ffmpeg cannot write: it expects `%v` in the file name or in the folder of the playlists,
 * and does not expand it in folders above.
 */
export function checkMasterFolder(path: string): ValueError | undefined {
  if (!hasMark(masterPath(path, ''))) return undefined;
  return {
    code: 'BAD_FILE_NAME',
    message: `${quoted(path)} has "${VARIANT_MARK}" above the folder of the playlists, where ffmpeg does not expand it for the master playlist.`,
    allowed: [`"${VARIANT_MARK}" in the file name, or in the last folder`],
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
        'The name of a variant in "var_stream_map" has only dots or has a slash, so that its files would leave their folder. Letters and digits are safe.',
    };
  const marked = names.find((name) => name.includes('%'));
  if (marked !== undefined)
    return {
      code: 'BAD_VALUE',
      message: `The name ${quoted(marked)} of a variant contains "%", which ffmpeg would expand again in file names.`,
    };
  const seen = new Set<string>();
  const duplicate = names.find((name) => seen.size === seen.add(name).size);
  if (duplicate === undefined) return undefined;
  return {
    code: 'BAD_VALUE',
    message: `Two variants have the name ${quoted(duplicate)}, so one would overwrite the other. A variant without a name has its number, from 0.`,
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
