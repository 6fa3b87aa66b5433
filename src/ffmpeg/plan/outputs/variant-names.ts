import { quoted, type ValueError } from '../../values/value-error.ts';

/** The text in a file name that ffmpeg replaces by the name or the number of an HLS variant. */
export const VARIANT_MARK = '%v';

/**
 * Checks the variant names in `var_stream_map`. In file names, ffmpeg replaces `%v` by the `name` of a variant, or by
 * its number. ffmpeg accepts every name, and would write a playlist whose files are missing.
 */
export function checkVariantNames(map: string): ValueError | undefined {
  const names = variantNames(map);
  // Together with the text around `%v`, dots could become `..`. ffmpeg writes nothing into a folder that is missing.
  if (names.some((name) => /^\.*$|\//.test(name)))
    return {
      code: 'BAD_VALUE',
      message:
        'The name of a variant consists of dots only or contains a slash, so its files would leave their folder.',
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
    fix: 'Give each a different name: "v:0,name:high v:1,name:low". A variant without a name has its number, from 0.',
  };
}

/** Returns the text that replaces `%v` for each variant. */
export const variantNames = (map: string): readonly string[] =>
  map
    .trim()
    .split(/\s+/)
    .map((variant, index) => {
      const named = variant.split(',').findLast((part) => part.startsWith('name:'));
      return named?.slice('name:'.length) ?? `${index}`;
    });
