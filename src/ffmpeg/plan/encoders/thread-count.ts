import { PARAMS_OPTIONS } from '../../allowlist/encoder-params/tables.ts';
import type { Build } from '../../catalogue/build.ts';
import { readNumber } from '../../values/number.ts';
import { parseParamsString } from '../../values/params-string.ts';
import { type ArgvOption, allFilters, serviceOption } from '../request/argv-option.ts';
import type { StreamEncoders } from './stream-encoders.ts';

/** The facts that determine how many threads an encoder starts. */
export interface Machine {
  readonly cores: number;
  /** Whether `lp` of libsvtav1 is a level of parallelism. In older releases, it is a number of processors. */
  readonly svtLevels: boolean;
}

/**
 * For each level of parallelism, from level 1 on: the fewest processors for which SVT-AV1 2.3 to 4.2 selects it by
 * default.
 */
const CORES_OF_LEVELS = [1, 2, 3, 6, 12, 24];

/**
 * Whether `lp` of libsvtav1 is a level of parallelism, as it is since SVT-AV1 2.3. A build does not report the version
 * of SVT-AV1, so the release of ffmpeg is checked instead: levels are assumed since 7.1.
 */
export const usesSvtLevels = ({ release }: Build): boolean =>
  release === undefined || release[0] > 7 || (release[0] === 7 && release[1] >= 1);

/** Returns the level that SVT-AV1 selects for this number of processors. */
export const svtLevelOf = (cores: number): number =>
  Math.max(1, CORES_OF_LEVELS.filter((fewest) => fewest <= cores).length);

/** Returns the fewest processors for which SVT-AV1 selects a level. Levels above the last one count as the last one. */
const coresOfSvtLevel = (level: number): number =>
  CORES_OF_LEVELS[Math.min(Math.ceil(level), CORES_OF_LEVELS.length) - 1] ?? 1;

const INT_MAX = 2 ** 31 - 1;

/** The number of threads that ffmpeg starts by default. No encoder or decoder that respects `threads` starts more. */
export const defaultThreads = ({ cores }: Machine): number => cores * 1.5;

/** The constants of the AVOption `threads`. 0 means that ffmpeg decides. */
const THREAD_CONSTANTS: Readonly<Record<string, number>> = {
  default: 1,
  max: INT_MAX,
  min: 0,
  none: 0,
  auto: 0,
  all: 0,
};

/** Options of the decoder libdav1d. They override `threads`; 0 means that they are not set. */
const DECODER_OPTIONS: ReadonlySet<string> = new Set(['framethreads', 'tilethreads']);

type Count = (value: string, machine: Machine) => number;

const plainCount: Count = (value) => readNumber(value) ?? 0;

/**
 * Parameters of encoder libraries that override `threads`. The numbers of frame and lookahead threads that x264 and
 * x265 choose by default are included in the other counts.
 */
const THREAD_KEYS: ReadonlyMap<string, Count> = new Map<string, Count>([
  ['threads', (value, machine) => plainCount(value, machine) || defaultThreads(machine)],
  ['pools', poolThreads],
  ['numa-pools', poolThreads],
  ['lp', svtThreads],
  ['frame-threads', plainCount],
  ['lookahead-threads', plainCount],
]);

/**
 * Returns the highest number of concurrent threads that an option requests, or undefined if it does not control
 * threads.
 */
export function requestedThreads(name: string, value: string, machine: Machine): number | undefined {
  if (name === 'threads') {
    const constant = (word: string) => (Object.hasOwn(THREAD_CONSTANTS, word) ? THREAD_CONSTANTS[word] : undefined);
    const threads = readNumber(value, constant) ?? 0;
    return Math.round(threads) > 0 ? threads : defaultThreads(machine);
  }
  if (DECODER_OPTIONS.has(name)) return plainCount(value, machine);
  const params = PARAMS_OPTIONS.get(name);
  if (params === undefined) return undefined;
  const counts = parseParamsString(value, params)?.flatMap(
    ([key, text]) => THREAD_KEYS.get(key.replaceAll('_', '-'))?.(text, machine) ?? [],
  );
  return counts === undefined || counts.length === 0 ? undefined : Math.max(...counts);
}

/**
 * Adds up the counts of all NUMA nodes. `*` and `+` mean all processors of a node, regardless of the text that follows.
 * `-` and `none` mean that the node has no thread pool.
 */
function poolThreads(value: string, { cores }: Machine): number {
  const counts = value.split(',').map((part) => (/^[*+]/.test(part) ? cores : Number.parseInt(part, 10) || 0));
  return counts.reduce((sum, count) => sum + Math.max(count, 0), 0);
}

function svtThreads(value: string, { cores, svtLevels }: Machine): number {
  const parallelism = readNumber(value) ?? 0;
  if (parallelism <= 0) return cores;
  return svtLevels ? coresOfSvtLevel(parallelism) : parallelism;
}

/** Encoders that write colours of both ranges. Others have one, which ffmpeg knows. */
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

/** YUV. The formats of the full range, such as `yuvj420p`, say so. */
const YUV = /^(?:yuva?4\d\dp|nv\d\d|p\d1\d)/;

/** Parameters of encoder libraries that set the range: `fullrange=on`, `range=full`, `color-range=1`. */
const RANGE_PARAMETER = /(?:^|:)[\w-]*range=/;

/**
 * Since release 7, a YUV pixel format leaves the range of the colours as it is, so a film of photos gets the full range of
 * JPEG, which many players show too dark. Older releases convert to the limited range. This adds an option with which
 * newer ones do the same, for each `pix_fmt` or filter `format` that asks for YUV. A request that names a range keeps it.
 */
export function addLimitedRange(
  options: readonly ArgvOption[],
  encoders: StreamEncoders,
  { release }: Pick<Build, 'release'>,
): readonly ArgvOption[] {
  if ((release !== undefined && release[0] < 7) || namesRange(options)) return options;
  const canHaveBoth = (specifier: string | undefined): boolean => {
    const films = encoders.of(specifier).filter(({ kind }) => kind === 'video');
    return films.length > 0 && films.every(({ encoder }) => BOTH_RANGES.has(encoder));
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

/** Options of filters that set the range of what comes out. */
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
