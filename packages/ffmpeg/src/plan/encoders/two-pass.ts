import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { isDeviceCodec } from '../../allowlist/device-components.ts';
import { type Catalogue, encoderNamed } from '../../catalogue/catalogue.ts';
import { type ArgvOption, hasKey, mapsOf, mayBeVideo, serviceOption } from '../request/argv-option.ts';
import type { StreamEncoders } from './stream-encoders.ts';

/** The prefix of the first pass's log in the scratch folder. ffmpeg appends the number of the stream and `.log`. */
const LOG = 'pass/log';

/** Options that two passes need for each video stream. */
const PER_VIDEO_OPTIONS: ReadonlySet<string> = new Set(['c', 'x265-params']);

/**
 * Prepares options for two passes. Encoders and parameters of libx265 get the number of the video stream: `c:0` becomes `c:v:0`. Each video
 * of libx265 needs its own log, so a specifier whose streams depend on the inputs is an error.
 */
export function numberVideoOptions(
  options: readonly ArgvOption[],
  catalogue: Catalogue,
  errors: FieldError[],
): readonly ArgvOption[] {
  const videosBefore = videoCounter(options);
  return options.map((option) => {
    const { name, key, field, values } = option;
    if (!PER_VIDEO_OPTIONS.has(name.name) || name.specifier === undefined) return option;
    const encoder = name.name === 'c' ? encoderNamed(catalogue, values[0] ?? '') : undefined;
    if (name.name === 'c' && encoder?.kind !== 'video') return option;
    const specifier = videoSpecifier(name.specifier, videosBefore);
    if (specifier !== undefined) return { ...option, name: { ...name, specifier } };
    if (name.name === 'x265-params' || encoder?.name === 'libx265')
      errors.push({
        field,
        code: 'BAD_SPECIFIER',
        message: `"${key}" can mean more than one video. With two passes, each video of libx265 needs a log of its own.`,
        allowed: ['v', 'v:0, v:1, …'],
      });
    return option;
  });
}

/**
 * Returns `v` or `v:N` for a specifier that matches videos, and any other unchanged. undefined: the matching streams depend on the inputs.
 */
function videoSpecifier(specifier: string, videosBefore: (index: number) => number | undefined): string | undefined {
  if (/^[vV](?::\d+)?$/.test(specifier)) return specifier.replace('V', 'v');
  if (/^\d+$/.test(specifier)) {
    const before = videosBefore(Number(specifier));
    return before === undefined ? undefined : `v:${before}`;
  }
  return NO_VIDEO.test(specifier) ? specifier : undefined;
}

/** Matches specifiers that select no video: of other kinds, or by tag or id, which output streams do not have yet. */
const NO_VIDEO = /^[asdt](?::|$)|(?:^|:)(?:m:|i:|#)/;

/** Returns a function that counts the videos before the stream `index`. undefined: the number depends on the inputs. */
function videoCounter(options: readonly ArgvOption[]): (index: number) => number | undefined {
  const maps = mapsOf(options);
  // Without maps, ffmpeg selects one video and puts it first.
  const byDefault = hasKey(options, 'filter_complex') ? undefined : 1;
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
 * The options of two passes: the first writes a log, the second reads it. undefined: no encoder has two passes, so one pass is enough.
 *
 * @param first The options of the first pass, as `numberVideoOptions` returns them.
 * @param options The options of the second pass. Only their filtergraphs differ from `first`.
 * @param keepsAudio True if the first pass also reads the audio.
 */
export function twoPassOptions(
  first: readonly ArgvOption[],
  options: readonly ArgvOption[],
  encoders: StreamEncoders,
  keepsAudio: boolean,
): readonly [first: readonly ArgvOption[], second: readonly ArgvOption[]] | undefined {
  const videos = videoIndexes(options).map((index) => ({
    index,
    names: encoders.of(`v:${index}`).map(({ encoder }) => encoder ?? 'copy'),
  }));
  if (
    videos.every(
      ({ names }) => names.length > 0 && names.every((name) => ONE_PASS_ENCODERS.has(name) || isDeviceCodec(name)),
    )
  )
    return undefined;
  const withPass = (pass: '1' | '2', passOptions: readonly ArgvOption[]): readonly ArgvOption[] => [
    ...passOptions,
    ...videos.flatMap(({ index, names }) => (names.includes('libx265') ? [x265Params(index, pass, options)] : [])),
    serviceOption('pass', [pass]),
    serviceOption('passlogfile', [LOG]),
  ];
  const encoding = first.filter((option) => !option.containerOnly);
  return [[...withPass('1', encoding), ...withoutOtherStreams(options, keepsAudio)], withPass('2', options)];
}

/** Encoders for which ffmpeg writes no log of a first pass. */
const ONE_PASS_ENCODERS: ReadonlySet<string> = new Set(['libsvtav1', 'copy']);

/**
 * The options that leave audio and subtitles out of the first pass. With maps, none: both passes need the same streams, because the name of
 * a log has the number of the video among all streams of the output.
 */
const withoutOtherStreams = (options: readonly ArgvOption[], keepsAudio: boolean): readonly ArgvOption[] =>
  mapsOf(options).length > 0 ? [] : [...(keepsAudio ? [] : [serviceOption('an', [])]), serviceOption('sn', [])];

/** The numbers of all videos that the output may have, by its maps and options. */
function videoIndexes(options: readonly ArgvOption[]): readonly string[] {
  const mapped = Math.max(1, mapsOf(options).filter(mayBeVideo).length);
  const named = options.flatMap(({ name: { name, specifier = '' } }) =>
    PER_VIDEO_OPTIONS.has(name) ? (/^v:(\d+)$/.exec(specifier)?.[1] ?? []) : [],
  );
  return [...new Set([...Array.from({ length: mapped }, (_, index) => `${index}`), ...named])];
}

/** The parameters of libx265 for a pass. They are the only way to tell libx265 the pass and its log. */
function x265Params(index: string, pass: '1' | '2', options: readonly ArgvOption[]): ArgvOption {
  const params = options.findLast(
    ({ name: { name, specifier = 'v' } }) => name === 'x265-params' && ['v', `v:${index}`].includes(specifier),
  )?.values[0];
  const passParams = `pass=${pass}:stats=pass/x265-${index}.log`;
  // The pass comes first, because the client's parameters may end with a colon or in an open quote.
  return serviceOption(`x265-params:v:${index}`, [params === undefined ? passParams : `${passParams}:${params}`]);
}
