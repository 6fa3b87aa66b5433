import { extension, type MediaPath } from '../../../domain/media-path.ts';
import type { Warning } from '../../../domain/plan.ts';
import { readRate } from '../../values/rate.ts';
import { quoted } from '../../values/value-error.ts';
import { type ArgvOption, lastValue, sentName } from '../request/argv-option.ts';
import { hasCounter, isFilmExtension, isPictureExtension } from '../request/format-names.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';

/** How long a picture is shown if nothing says it. */
const DEFAULT_SECONDS = '3';
/** A fix with more inputs would be too long to read. */
const MOST_INPUTS = 8;

/** Options of a picture that say how long it is shown. A slideshow has `duration` instead. */
const LENGTHS: ReadonlySet<string> = new Set(['t', 'to', 'loop', 'stream_loop', 'framerate', 'r']);
/** Those of them that a slideshow rejects. */
const REJECTED: ReadonlySet<string> = new Set(['t', 'to', 'loop', 'stream_loop']);

/**
 * Warns about several single pictures for a film without a filtergraph or a `map`: ffmpeg shows only one of them. They
 * become a slideshow by `duration`. A video filter is not possible there, so requests with one get no warning before the run.
 */
export function unjoinedPictures(
  options: readonly ArgvOption[],
  inputs: readonly ArgvInput[],
  output: MediaPath,
): readonly Warning[] {
  const pictures = inputs.filter(isPicture);
  const hasFilms = inputs.some(({ source }) => isFilmExtension(extension(source.path)));
  const isArranged = inputs.some(({ duration }) => duration !== undefined) || options.some(arrangesVideo);
  if (pictures.length < 2 || hasFilms || isArranged || !isFilmExtension(extension(output))) return [];
  return [
    {
      field: '/inputs',
      code: 'UNUSED_INPUT',
      message: `ffmpeg shows only one of the ${pictures.length} pictures: it does not join several inputs by itself.`,
      fix: slideshowFix(inputs, pictures),
    },
  ];
}

const isPicture = ({ source: { path, url, sequence } }: ArgvInput): boolean =>
  isPictureExtension(extension(path)) && sequence === undefined && !(url === undefined && hasCounter(path));

const arrangesVideo = ({ key, name }: ArgvOption): boolean =>
  ['map', 'vn', 'filter_complex'].includes(name.name) || /^filter(?:$|:[vV0])/.test(key);

function slideshowFix(inputs: readonly ArgvInput[], pictures: readonly ArgvInput[]): string {
  const conflicts = pictures.flatMap(({ options }) =>
    options.filter((option) => REJECTED.has(option.key) && !isOwn(option)).map(sentName),
  );
  const names = [...new Set(conflicts)].map((name) => quoted(name)).join(' and ');
  const leave = names === '' ? '' : `, and leave ${names} out`;
  const [first] = pictures;
  // The path of a URL is without its query.
  if (first === undefined || inputs.length > MOST_INPUTS || inputs.some(({ source }) => source.url !== undefined))
    return `For a slideshow, send each picture as {"input": "…", "duration": "${secondsOfSlide(first)}"}${leave}.`;
  return `For a slideshow, send "inputs": ${JSON.stringify(inputs.map(slideOf))}${leave}.`;
}

/** Whether an option is one of an input, and not of the whole request. */
const isOwn = ({ field }: ArgvOption): boolean => field.startsWith('/inputs/');

/** An input as the client sends it for a slideshow. */
function slideOf(input: ArgvInput): unknown {
  const { source, options } = input;
  const isSlide = isPicture(input);
  const own = options.filter((option) => isOwn(option) && !(isSlide && LENGTHS.has(option.key)));
  const parameters = Object.fromEntries(
    own.map((option) => [sentName(option), option.values.length > 1 ? option.values : (option.values[0] ?? '')]),
  );
  const members = {
    ...(own.length > 0 && { parameters }),
    ...(isSlide && { duration: secondsOfSlide(input) }),
  };
  return Object.keys(members).length === 0 ? source.path : { input: source.path, ...members };
}

/** The seconds that the options of a picture mean: its length, or one frame at its rate. */
function secondsOfSlide(picture: ArgvInput | undefined): string {
  const options = picture?.options ?? [];
  const length = lastValue('t', options) ?? '';
  if (/^\d{1,6}(?:\.\d{1,6})?$/.test(length) && Number(length) > 0) return length;
  const rate = readRate(lastValue('framerate', options) ?? lastValue('r', options) ?? '');
  const seconds = rate === undefined || rate <= 0 ? 0 : Math.round(1e6 / rate) / 1e6;
  return seconds > 0 && seconds < 1e6 ? String(seconds) : DEFAULT_SECONDS;
}
