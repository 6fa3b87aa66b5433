import type { ArgumentUnit } from '../../packages/contract/src/domain/recipe.ts';

/** What is known of a value by the name of its option, or of the setting of its filter. */
export interface KnownValue {
  /** The usual name of the argument. */
  readonly name: string;
  readonly description: string;
  /** Absent: the value says it. */
  readonly type?: 'time' | 'colour' | 'text';
  readonly range?: readonly [min: number, max: number];
  readonly isWhole?: boolean;
  readonly unit?: ArgumentUnit;
  /** Whether it is not proposed as an argument, because people seldom change it from file to file. */
  readonly isSeldom?: boolean;
}

export const WIDTH: KnownValue = {
  ...{ name: 'width', description: 'The width in pixels.', range: [16, 8192], isWhole: true, unit: 'px' },
};
export const HEIGHT: KnownValue = {
  ...{ ...WIDTH, name: 'height', description: 'The height in pixels.', range: [16, 4320] },
};
const FPS: KnownValue = { name: 'fps', description: 'Frames per second.', range: [1, 120], unit: 'fps' };
const START: KnownValue = {
  ...{ name: 'start', description: 'Where the part begins, in seconds or as minutes:seconds.', type: 'time' },
};
export const LENGTH: KnownValue = {
  ...{ name: 'length', description: 'How long the part is, in seconds or as minutes:seconds.', type: 'time' },
};

const lessIsBetter = (option: string): KnownValue => ({
  name: 'quality',
  description: `The quality (${option}). Less is better, and makes the file larger.`,
});
const QUALITY: KnownValue = { name: 'quality', description: 'The quality of the encoder.' };

/** Options, without their stream specifiers. */
const OPTIONS: Readonly<Record<string, KnownValue>> = {
  ss: START,
  t: LENGTH,
  to: { ...START, name: 'end', description: 'Where the part ends, in seconds or as minutes:seconds.' },
  r: FPS,
  ...Object.fromEntries(['crf', 'cq', 'qp', 'q'].map((option) => [option, lessIsBetter(option)])),
  qscale: lessIsBetter('q'),
  global_quality: QUALITY,
  quality: QUALITY,
  duration: { ...LENGTH, name: 'seconds', description: 'How long the image is shown, in seconds.' },
  crossfade: { ...LENGTH, description: 'How long it fades in, in seconds.' },
};

const TARGET: KnownValue = {
  ...{
    name: 'target',
    description: 'How much it is like its source, as SSIM: 0.98 looks the same.',
    range: [0.8, 0.999],
  },
};

/** Members of the request. */
const MEMBERS: Readonly<Record<string, KnownValue>> = {
  'quality.target': TARGET,
  'ladder.target': TARGET,
  'transcribe.language': {
    ...{ name: 'language', description: 'The code of the spoken language, or auto.', type: 'text' },
  },
};

/** Settings of filters, by the names of the filters: a name means something else in another filter. */
const SETTINGS: Readonly<Record<string, Readonly<Record<string, KnownValue>>>> = {
  scale: { w: WIDTH, width: WIDTH, h: HEIGHT, height: HEIGHT },
  fps: { fps: FPS },
  volume: {
    volume: { name: 'volume', description: 'The volume: 1 changes nothing.', range: [0, 10], unit: 'x' },
  },
  atempo: {
    tempo: { name: 'speed', description: 'The speed: 1 changes nothing.', range: [0.5, 2], unit: 'x' },
  },
  drawtext: {
    text: { name: 'text', description: 'The text.', type: 'text' },
    fontsize: { name: 'size', description: 'The height of the letters in pixels.', range: [6, 500], unit: 'px' },
  },
};

/** The settings of filters that are often written without their names. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  scale: ['w', 'h'],
  crop: ['w', 'h', 'x', 'y'],
  pad: ['w', 'h', 'x', 'y', 'color'],
  overlay: ['x', 'y'],
  atempo: ['tempo'],
};

const COLOUR: KnownValue = { name: 'colour', description: 'The colour.', type: 'colour', isSeldom: true };

/** What is known of an option, by its name without stream specifier. */
export const knownOption = (name: string): KnownValue | undefined => memberOf(OPTIONS, name);

/** What is known of a member of the request, such as `quality.target`. */
export const knownMember = (name: string): KnownValue | undefined => memberOf(MEMBERS, name);

/** What is known of a setting of a filter. */
export const knownSetting = (filter: string, name: string): KnownValue | undefined =>
  memberOf(memberOf(SETTINGS, filter) ?? {}, name) ?? (/colou?r$/.test(name) ? COLOUR : undefined);

/** The name of the setting that a filter has at a place. That of the filter: it is not known. */
export const settingAt = (filter: string, place: number): string => memberOf(PLACES, filter)?.[place] ?? filter;

const memberOf = <T>(all: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(all, name) ? all[name] : undefined;
