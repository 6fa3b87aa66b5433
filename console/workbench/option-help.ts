import type { OptionDetail, OptionList } from '@telecine/client';
import type { Suggestion } from '../ui/suggest-field.tsx';

export type OptionMeaning = OptionDetail['meanings'][number];

/** Settings of queries about the installed ffmpeg, whose replies stay right until the service restarts. */
export const STABLE = { staleTime: Number.POSITIVE_INFINITY } as const;

/** The encoders and the container of the request. The meaning of an option depends on them. */
export interface ChosenCodecs {
  readonly video?: string;
  readonly audio?: string;
  readonly subtitle?: string;
  readonly muxer?: string;
}

/** The name of an option without its stream specifier: `c` for `c:v:0`. */
export const baseName = (name: string): string => name.split(':', 1)[0] ?? '';

/** The kind of stream to which an option applies: audio for `c:a:0`, video for `b:v`. undefined: the name does not say it. */
export function kindOf(name: string): 'video' | 'audio' | 'subtitle' | undefined {
  const letter = /^[a-z_]+:([vas])(?::|$)/.exec(name)?.[1] ?? /^([vas])codec$/.exec(name)?.[1];
  return letter === 'v' ? 'video' : letter === 'a' ? 'audio' : letter === 's' ? 'subtitle' : undefined;
}

/** Whether the value of an option is an encoder. */
export const namesEncoder = (name: string): boolean => /^(?:c|codec)(?::|$)|^[vas]codec$/.test(name);

/** Whether the value of an option is a filtergraph, which needs a larger field. */
export const isGraph = (name: string): boolean => /^(?:vf|af|filter|filter_complex|lavfi)(?::|$)/.test(name);

/**
 * The meaning of an option: preferably for the chosen encoders and container, then for ffmpeg as a whole, else the
 * first meaning.
 */
export function meaningFor(
  meanings: readonly OptionMeaning[],
  chosen: ChosenCodecs,
  side: 'input' | 'output',
): OptionMeaning | undefined {
  const own = new Set<string | undefined>([chosen.video, chosen.audio, chosen.subtitle, chosen.muxer]);
  const allowed = meanings.filter(({ on }) => on === side || on === 'both' || on === 'global');
  return (
    allowed.find(({ of }) => of.some((component) => own.has(component))) ??
    allowed.find(({ of }) => of.includes('ffmpeg')) ??
    allowed.find(({ of }) => of.some((component) => component.startsWith('every '))) ??
    allowed[0]
  );
}

/** From here on, a bound is only that of the number's type. */
const NO_BOUND = 2 ** 31 - 1;

/** How a value of a type is written, where neither its range nor its words show it. */
const FORMS = new Map([
  ['duration', 'seconds or h:mm:ss'],
  ['rational', 'a fraction, such as 30000/1001'],
  ['video_rate', 'frames a second, such as 25 or 30000/1001'],
  ['image_size', 'width x height'],
  ['color', 'a name or #rrggbb'],
  ['dictionary', 'name=value, with ":" between several'],
  ['binary', 'hexadecimal digits'],
]);

/** The form, the range, the usual values and the default of an option: `0 to 51, usually 18 to 28`. */
export function rangeText({ type, min, max, usual, default: fallback, constants = [] }: OptionMeaning): string {
  const [low, high] = [min, max].map((bound) => (Math.abs(bound ?? NO_BOUND) < NO_BOUND ? bound : undefined));
  const range =
    low !== undefined && high !== undefined
      ? `${low} to ${high}`
      : low !== undefined
        ? `at least ${low}`
        : high !== undefined && `at most ${high}`;
  const isNamed = constants.length > 0;
  return [
    FORMS.get(type),
    !isNamed && range,
    usual !== undefined && `usually ${usual}`,
    fallback !== undefined && fallback !== '' && `default ${fallback}`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** Suggestions before anything is typed. */
const COMMON: readonly Suggestion[] = [
  { value: 'c:v', detail: 'video encoder' },
  { value: 'crf', detail: 'quality of the video' },
  { value: 'b:v', detail: 'bit rate of the video' },
  { value: 'preset', detail: 'speed of the encoder' },
  { value: 's', detail: 'size, such as 1280x720' },
  { value: 'r', detail: 'frames per second' },
  { value: 'vf', detail: 'video filters' },
  { value: 'c:a', detail: 'audio encoder' },
  { value: 'b:a', detail: 'bit rate of the audio' },
  { value: 'af', detail: 'audio filters' },
  { value: 'ss', detail: 'start' },
  { value: 't', detail: 'duration' },
  { value: 'an', detail: 'without audio' },
  { value: 'map', detail: 'choose streams' },
];

/** What frequent options set, in words. */
const WORDS = new Map([
  ...COMMON.map(({ value, detail = '' }) => [value, detail] as const),
  ['tune', 'what to tune for'],
  ['pix_fmt', 'pixel format'],
  ['g', 'maximum number of frames between key frames'],
  ['maxrate', 'highest bit rate'],
]);

/** What an option sets, in words: ours for frequent options, otherwise those of ffmpeg without its hints for its own users. */
export function wordsOf(name: string, { description }: OptionMeaning): string {
  const text = WORDS.get(name) ?? WORDS.get(baseName(name)) ?? description.replace(/ \((?:cf\.|see) [^)]*\)/g, '');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The maximum number of suggestions. */
const OFFERED = 30;

/**
 * Suggests names that begin with the text or contain it. Options of the chosen encoders and container come first. Then come options that the
 * service finds by their descriptions.
 */
export function nameSuggestions(
  text: string,
  own: readonly OptionMeaning[],
  found: OptionList['options'],
): readonly Suggestion[] {
  if (text === '') return COMMON;
  const asked = text.toLowerCase();
  const begins = (name: string): boolean => name.toLowerCase().startsWith(asked);
  const matching = own.filter(({ name }) => name.toLowerCase().includes(asked));
  const all: readonly Suggestion[] = [
    ...COMMON.filter(({ value }) => begins(value)),
    ...[...matching.filter(({ name }) => begins(name)), ...matching, ...found].map(({ name, description, of }) => ({
      value: name,
      detail: of.length <= 2 && !of.includes('ffmpeg') ? `${description} (${of.join(', ')})` : description,
    })),
  ];
  return all.filter((one, i) => all.findIndex(({ value }) => value === one.value) === i).slice(0, OFFERED);
}

/** Suggests values of an option. `names`: encoders or pixel formats, if they are its values. */
export function valueSuggestions(
  text: string,
  meaning: OptionMeaning | undefined,
  names: readonly Suggestion[],
): readonly Suggestion[] {
  const constants = (meaning?.constants ?? []).map(({ name, help }) => ({
    value: name,
    ...(help !== '' && { detail: help }),
  }));
  const booleans = meaning?.type === 'boolean' ? [{ value: 'true' }, { value: 'false' }] : [];
  const all: readonly Suggestion[] = [...names, ...constants, ...booleans];
  const isWhole = all.some(({ value }) => value === text);
  const asked = text.toLowerCase();
  return all
    .filter(({ value, detail = '' }) => isWhole || value.includes(asked) || detail.toLowerCase().includes(asked))
    .slice(0, OFFERED);
}
