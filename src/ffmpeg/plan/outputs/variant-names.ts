import type { ValueError } from '../../values/value-error.ts';

/** ffmpeg's mark for the number or name of a variant of HLS. */
export const VARIANT_MARK = '%v';

/**
 * What is wrong with the names that the variants of `var_stream_map` have in file names, where `%v` stands: the `name`
 * of each, or its number. ffmpeg takes all of them, and leaves a playlist whose files are not there.
 */
export function checkVariantNames(map: string): ValueError | undefined {
  const names = variantNames(map);
  // With what stands around `%v`, dots become `..`; into a folder that is not there, ffmpeg writes nothing.
  if (names.some((name) => /^\.*$|\//.test(name)))
    return {
      code: 'BAD_VALUE',
      message: 'A variant whose name is nothing but dots, or holds a slash, would be put into another folder.',
      fix: 'Name it by letters and digits: "v:0,a:0,name:high".',
    };
  const seen = new Set<string>();
  const twice = names.find((name) => seen.size === seen.add(name).size);
  if (twice === undefined) return undefined;
  return {
    code: 'BAD_VALUE',
    message: `Two variants are called "${twice.slice(0, 64)}", so one would overwrite the other.`,
    fix: 'Give each a name of its own: "v:0,name:high v:1,name:low"; without one it is called by its number, from 0.',
  };
}

/** How the variants are called where `%v` stands. */
export const variantNames = (map: string): readonly string[] =>
  map
    .trim()
    .split(/\s+/)
    .map((variant, index) => {
      const named = variant.split(',').findLast((part) => part.startsWith('name:'));
      return named?.slice('name:'.length) ?? `${index}`;
    });
