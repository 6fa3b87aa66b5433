import { type Catalogue, encoderNamed } from '../catalogue/catalogue.ts';
import { made, type ReadOption } from './read-options.ts';

/** Where the log of the first of two passes lies, in scratch; ffmpeg appends the stream's number and `.log`. */
const LOG = 'pass/log';

/**
 * The options of both passes over the video, where the first is to leave a log for the second. undefined: the encoder
 * knows no passes, and one is all that is to be run.
 */
export function passesOf(
  options: readonly ReadOption[],
  catalogue: Catalogue,
): readonly [first: readonly ReadOption[], second: readonly ReadOption[]] | undefined {
  const streams = Array.from({ length: videosOf(options) }, (_, i) => encoderOf(i, options, catalogue));
  if (streams.every((encoder) => encoder !== undefined && ONE_PASS.has(encoder))) return undefined;
  const withPass = (pass: '1' | '2', kept: readonly ReadOption[]): readonly ReadOption[] => [
    ...kept,
    ...streams.flatMap((encoder, i) => (encoder === 'libx265' ? [x265(i, pass, options)] : [])),
    made('pass', [pass]),
    made('passlogfile', [LOG]),
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
const leftOut = (options: readonly ReadOption[]): readonly ReadOption[] =>
  options.some(({ key }) => key === 'map') ? [] : [made('an', []), made('sn', [])];

/** How many streams of video there may be: more than one only by several maps. */
const videosOf = (options: readonly ReadOption[]): number =>
  Math.max(1, options.flatMap(({ key, values }) => (key === 'map' ? values : [])).filter(mayBeVideo).length);

const mayBeVideo = (map: string): boolean => !map.startsWith('-') && !/^\d+:[asdt](?:\?$|:|$)/.test(map);

/** What the last option says that is for the `index`-th video. */
const saidOf = (name: string, index: number, options: readonly ReadOption[]): string | undefined =>
  options.findLast(
    ({ name: { name: own, specifier = 'v' } }) =>
      own === name && ['v', `v:${index}`].includes(specifier.replace('V', 'v')),
  )?.values[0];

function encoderOf(index: number, options: readonly ReadOption[], catalogue: Catalogue): string | undefined {
  const said = saidOf('c', index, options);
  return said === undefined || said === 'copy' ? said : encoderNamed(catalogue, said)?.name;
}

/** libx265 takes its passes only among its own parameters, and each stream needs a log of its own. */
function x265(index: number, pass: '1' | '2', options: readonly ReadOption[]): ReadOption {
  const said = saidOf('x265-params', index, options);
  const passes = `pass=${pass}:stats=pass/x265-${index}.log`;
  // In front: what is said may end on a colon, or in a quote that is never closed.
  return made(`x265-params:v:${index}`, [said === undefined ? passes : `${passes}:${said}`]);
}
