import type { FieldError } from '../../../domain/problem.ts';
import { type Catalogue, encoderNamed } from '../../catalogue/catalogue.ts';
import { type ArgvOption, serviceOption } from '../request/resolve-options.ts';
import type { StreamEncoders } from './stream-encoders.ts';

/** Where the log of the first of two passes lies, in scratch; ffmpeg appends the stream's number and `.log`. */
const LOG = 'pass/log';

/** Options that must be known of each video before two passes can be planned. */
const OF_VIDEOS: ReadonlySet<string> = new Set(['c', 'x265-params']);

/**
 * The options of an output that gets two passes, encoders and parameters of libx265 by their videos: `c:0` is that of
 * `v:0`. What only the streams themselves tell is added to `errors`, since libx265 is given a log for each video.
 */
export function numberVideoOptions(
  options: readonly ArgvOption[],
  catalogue: Catalogue,
  errors: FieldError[],
): readonly ArgvOption[] {
  const videosBefore = videosCounted(options);
  return options.map((option) => {
    const { name, key, field, values } = option;
    if (!OF_VIDEOS.has(name.name) || name.specifier === undefined) return option;
    const encoder = name.name === 'c' ? encoderNamed(catalogue, values[0] ?? '') : undefined;
    if (name.name === 'c' && encoder?.kind !== 'video') return option;
    const specifier = videoMeant(name.specifier, videosBefore);
    if (specifier !== undefined) return { ...option, name: { ...name, specifier } };
    if (name.name === 'x265-params' || encoder?.name === 'libx265')
      errors.push({
        field,
        code: 'BAD_SPECIFIER',
        message: `"${key}" may mean one video or another, and libx265 needs a log for each of which two passes are made.`,
        allowed: ['v', 'v:0, v:1, …'],
        fix: `Send "${name.name}:v", or "${name.name}:v:0" for the first video.`,
      });
    return option;
  });
}

/** What a specifier means if it means videos, as `v` or `v:N`; itself where it means none. undefined: that is not known. */
function videoMeant(specifier: string, videosBefore: (index: number) => number | undefined): string | undefined {
  if (/^[vV](?::\d+)?$/.test(specifier)) return specifier.replace('V', 'v');
  if (/^\d+$/.test(specifier)) {
    const before = videosBefore(Number(specifier));
    return before === undefined ? undefined : `v:${before}`;
  }
  return NO_VIDEO.test(specifier) ? specifier : undefined;
}

/** Streams of other kinds; and tags and ids, which streams of the output do not have yet. */
const NO_VIDEO = /^[asdt](?::|$)|(?:^|:)(?:m:|i:|#)/;

/** Tells how many videos come before the `index`-th stream. undefined: it depends on the inputs. */
function videosCounted(options: readonly ArgvOption[]): (index: number) => number | undefined {
  const maps = mapsOf(options);
  // Without maps ffmpeg takes one video, and takes it first.
  const byDefault = options.some(({ key }) => key === 'filter_complex') ? undefined : 1;
  if (maps.length === 0) return (index) => (index === 0 ? 0 : byDefault);
  const before = [0];
  if (!maps.some((map) => map.startsWith('-')))
    for (const map of maps) {
      if (!ONE_STREAM.test(map)) break;
      before.push((before.at(-1) ?? 0) + (mayBeVideo(map) ? 1 : 0));
    }
  return (index) => before[Math.min(index, maps.length)];
}

const ONE_STREAM = /^\d+:[vVasdt]:\d+$/;

/**
 * The options of both passes over the video, where the first is to leave a log for the second. undefined: the encoder
 * knows no passes, and one is all that is to be run. `options`: `byVideos`; `makers`: of those.
 */
export function twoPassOptions(
  options: readonly ArgvOption[],
  makers: StreamEncoders,
): readonly [first: readonly ArgvOption[], second: readonly ArgvOption[]] | undefined {
  const streams = videosOf(options).map((index) => ({
    index,
    encoders: makers.of(`v:${index}`).map(({ encoder }) => encoder ?? 'copy'),
  }));
  if (streams.every(({ encoders }) => encoders.length > 0 && encoders.every((one) => ONE_PASS.has(one))))
    return undefined;
  const withPass = (pass: '1' | '2', kept: readonly ArgvOption[]): readonly ArgvOption[] => [
    ...kept,
    ...streams.flatMap(({ index, encoders }) => (encoders.includes('libx265') ? [x265(index, pass, options)] : [])),
    serviceOption('pass', [pass]),
    serviceOption('passlogfile', [LOG]),
  ];
  const encoding = options.filter((option) => !option.containerOnly);
  return [[...withPass('1', encoding), ...leftOut(options)], withPass('2', options)];
}

/** ffmpeg hands them no log. */
const ONE_PASS: ReadonlySet<string> = new Set(['libsvtav1', 'copy']);

/**
 * The first pass writes nothing but its log, so it needs no sound and no subtitles; unless the caller chooses streams,
 * since a log bears the number of its stream among all of the output.
 */
const leftOut = (options: readonly ArgvOption[]): readonly ArgvOption[] =>
  mapsOf(options).length > 0 ? [] : [serviceOption('an', []), serviceOption('sn', [])];

/** The numbers of the videos that there may be: more than one only by several maps, or where options name more. */
function videosOf(options: readonly ArgvOption[]): readonly string[] {
  const mapped = Math.max(1, mapsOf(options).filter(mayBeVideo).length);
  const named = options.flatMap(({ name: { name, specifier = '' } }) =>
    OF_VIDEOS.has(name) ? (/^v:(\d+)$/.exec(specifier)?.[1] ?? []) : [],
  );
  return [...new Set([...Array.from({ length: mapped }, (_, index) => `${index}`), ...named])];
}

const mapsOf = (options: readonly ArgvOption[]): readonly string[] =>
  options.flatMap(({ key, values }) => (key === 'map' ? values : []));

const mayBeVideo = (map: string): boolean => !map.startsWith('-') && !/^\d+:[asdt](?:\?$|:|$)/.test(map);

/** libx265 takes its passes only among its own parameters, and each stream needs a log of its own. */
function x265(index: string, pass: '1' | '2', options: readonly ArgvOption[]): ArgvOption {
  const said = options.findLast(
    ({ name: { name, specifier = 'v' } }) => name === 'x265-params' && ['v', `v:${index}`].includes(specifier),
  )?.values[0];
  const passes = `pass=${pass}:stats=pass/x265-${index}.log`;
  // In front: what is said may end on a colon, or in a quote that is never closed.
  return serviceOption(`x265-params:v:${index}`, [said === undefined ? passes : `${passes}:${said}`]);
}
