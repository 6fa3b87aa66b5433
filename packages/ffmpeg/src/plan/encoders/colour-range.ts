import { PARAMS_OPTIONS } from '../../allowlist/encoder-params/tables.ts';
import type { Build } from '../../catalogue/build.ts';
import { type ArgvOption, allFilters, serviceOption } from '../request/argv-option.ts';
import type { StreamEncoders } from './stream-encoders.ts';

/** Encoders that accept colours of both ranges. For other encoders, ffmpeg knows the only range. */
const BOTH_RANGES: ReadonlySet<string | undefined> = new Set([
  'libx264',
  'libx265',
  'libvpx',
  'libvpx-vp9',
  'libaom-av1',
  'libsvtav1',
  'librav1e',
  'rawvideo',
  'wrapped_avframe',
]);

/** Matches YUV formats of limited range. Formats of full range have other names, such as `yuvj420p`. */
const YUV = /^(?:yuva?4\d\dp|nv\d\d|p\d1\d)/;

/** Matches parameters of encoder libraries that set the colour range: `fullrange=on`, `range=full`, `color-range=1`. */
const RANGE_PARAMETER = /(?:^|:)[\w-]*range=/;

/**
 * For each `pix_fmt` or filter `format` with YUV, adds an option that makes ffmpeg 7 and later convert colours to limited range, as older
 * releases do by default. Without this option, a video of photos gets the full range of JPEG, and many players show it too dark. A request
 * that sets a range itself stays unchanged.
 */
export function addLimitedRange(
  options: readonly ArgvOption[],
  encoders: StreamEncoders,
  { release }: Pick<Build, 'release'>,
): readonly ArgvOption[] {
  if ((release !== undefined && release[0] < 7) || namesRange(options)) return options;
  const canHaveBoth = (specifier: string | undefined): boolean => {
    const videos = encoders.of(specifier).filter(({ kind }) => kind === 'video');
    return videos.length > 0 && videos.every(({ encoder }) => BOTH_RANGES.has(encoder));
  };
  const keys = options.flatMap(({ name, values }) =>
    name.name === 'pix_fmt' && values.every((value) => YUV.test(value)) && canHaveBoth(name.specifier)
      ? [name.specifier === undefined ? 'color_range' : `color_range:${name.specifier}`]
      : [],
  );
  const isFiltered = keys.length === 0 && filtersToYuv(options) && canHaveBoth('v');
  const added = isFiltered ? ['color_range:v'] : [...new Set(keys)];
  return added.length === 0 ? options : [...options, ...added.map((key) => serviceOption(key, ['tv']))];
}

const filtersToYuv = (options: readonly ArgvOption[]): boolean =>
  !options.some(({ name }) => name.name === 'pix_fmt') &&
  allFilters(options).some(
    (filter) =>
      filter.name === 'format' &&
      filter.options.some(({ key, value }) => key === 'pix_fmts' && value.split('|').every((one) => YUV.test(one))),
  );

/** Filter options that set the colour range of the output. */
const RANGE_OPTIONS: ReadonlyMap<string, RegExp> = new Map([
  ['scale', /^out_range$/],
  ['scale2ref', /^out_range$/],
  ['zscale', /^r(?:ange)?$/],
  ['setrange', /^/],
  ['setparams', /^range$/],
  ['colorspace', /^range$/],
  ['format', /^color_ranges$/],
]);

const namesRange = (options: readonly ArgvOption[]): boolean =>
  options.some(
    ({ name, values }) =>
      name.name === 'color_range' ||
      (PARAMS_OPTIONS.has(name.name) && values.some((text) => RANGE_PARAMETER.test(text))),
  ) ||
  allFilters(options).some(({ name, options: own }) =>
    own.some(({ key = '' }) => RANGE_OPTIONS.get(name)?.test(key) === true),
  );
