import { parseDuration } from '@telecine/contract/domain/duration.ts';
import { rounded } from '@telecine/contract/domain/quantity.ts';
import { type ArgumentValue, isUnit, type Recipe, type RecipeArgument } from '@telecine/contract/domain/recipe.ts';
import { bareWord } from '@telecine/contract/domain/synonyms/value-words.ts';

/*
 * The meaning of arguments that a recipe does not have: words of other tools and of other recipes for its arguments and inputs.
 */

type Arguments = Readonly<Record<string, ArgumentValue>>;

/**
 * Words that clients use for arguments and inputs. Each row lists words, then names of arguments. A word means the first of these names
 * that the recipe has.
 */
const ROWS: readonly (readonly [words: string, names: string])[] = [
  [
    'start starttime startat starttimestamp startseconds from begin beginning ss seek offset trimstart clipstart in',
    'start at',
  ],
  ['end endtime endat endtimestamp endseconds to stop until trimend clipend out', 'end'],
  ['at time timestamp timecode position second', 'at start place'],
  ['duration length t seconds maxduration cliplength clipduration segmentduration', 'length seconds segment'],
  ['w width maxwidth outputwidth targetwidth', 'width'],
  ['h height maxheight outputheight targetheight', 'height top'],
  ['fps framerate r framespersecond', 'fps'],
  ['samplerate ar hz frequency', 'rate'],
  ['bitrate audiobitrate ba abr kbps', 'bitrate'],
  ['bits bitdepth depth', 'bits'],
  ['speed factor multiplier playbackrate tempo speedfactor speedmultiplier', 'factor'],
  ['angle degrees rotation rotate direction by flip mirror', 'by'],
  ['times count loops repeat repeats repetitions', 'times'],
  ['place position location corner gravity align alignment', 'place'],
  ['percent scale percentage', 'percent'],
  ['opacity alpha', 'opacity'],
  ['margin padding inset distance', 'margin'],
  ['aspect ratio aspectratio', 'aspect'],
  ['fill mode background style', 'fill colour'],
  ['color colour fontcolor fontcolour textcolor textcolour backgroundcolor', 'colour'],
  ['box boxcolor boxcolour', 'box'],
  ['outline outlinecolor outlinecolour border bordercolor bordercolour stroke strokecolor', 'outline'],
  ['fontsize textsize', 'size'],
  ['text caption title string message label', 'text'],
  ['decibels db gain volume amount', 'decibels volume'],
  [
    'lufs loudness target targetlufs targetloudness loudnesstarget loudnesslufs integrated integratedloudness i level',
    'target',
  ],
  ['target targetmb max limit megabytes', 'size'],
  ['in out fadein fadeout', 'seconds'],
  ['tp truepeak truepeakdb truepeakdbtp dbtp peak ceiling limit', 'truePeak'],
  ['strength intensity level amount', 'strength'],
  ['interval every period step', 'every'],
  ['fade crossfade transition transitionduration dissolve xfade', 'fade seconds'],
  ['imageduration pictureduration perimage secondsperimage slideduration', 'seconds'],
  ['segmenttime hlstime segmentlength chunk', 'segment length'],
  ['cols columns', 'columns'],
  ['language lang locale', 'language'],
  ['track stream streamindex index', 'track'],
  ['profile variant', 'profile'],
  ['logo watermark image overlay picture file imagepath logopath overlaypath', 'logo inset picture'],
  ['subtitles subtitle subs srt captions file subtitlepath subtitlefile srtpath', 'subtitles'],
  ['audio sound music song track voice file', 'sound music'],
  ['cover artwork thumbnail image', 'picture'],
];

/** The names of arguments and inputs that a word can mean, most likely first. */
export const namesOf = (word: string): readonly string[] => {
  const bare = bareWord(word);
  return ROWS.flatMap(([words, names]) => (words.split(' ').includes(bare) ? names.split(' ') : []));
};

/** Whether two words mean the same argument, such as `loudness` and `LUFS`. */
export const areSynonyms = (word: string, other: string): boolean =>
  namesOf(word).some((name) => namesOf(other).includes(name));

/** Words for the size of a video frame. */
const FRAME_SIZE = /^(?:(?:video|frame|output|target|max)?(?:resolution|size|dimensions?)|scale|resize)$/;

/** Words for the size of a file, with an optional unit. */
const FILE_SIZE =
  /^(?:(?:target|max|maximum|limit|output)?(?:file)?size(?:limit)?(?:in)?(mb|kb|gb|megabytes?|mib|bytes?)?|(?:max|limit|target)?(mb|megabytes?))$/;

/** `8 MB`, `500k`, `0.5 GiB`, `3000000 bytes`, or a number without a unit. */
const FILE_AMOUNT = /^(\d+(?:\.\d+)?)\s*([kmg](?:i?b|(?:ilo|ega|iga)?bytes?)?|b(?:ytes?)?)?$/i;

const MEGABYTES: Readonly<Record<string, number>> = { b: 1e-6, k: 1e-3, m: 1, g: 1000 };

/** The megabytes to which an argument limits an output: `target_size_mb` of 8, or `size` of "8 MB". undefined for other arguments. */
export function megabytesOf(word: string, value: ArgumentValue): number | undefined {
  const name = FILE_SIZE.exec(bareWord(word));
  const [, digits, own] = FILE_AMOUNT.exec(String(value).trim()) ?? [];
  if (name === null || digits === undefined) return undefined;
  const unit = (own ?? name[1] ?? name[2])?.charAt(0);
  // "size" without a unit may be the size of a frame or of letters, and not of the file.
  if (unit === undefined && bareWord(word) === 'size') return undefined;
  const size = Number(digits) * (MEGABYTES[(unit ?? 'm').toLowerCase()] ?? 1);
  return size > 0 ? Number(size.toPrecision(6)) : undefined;
}

/** Reads a width and a height from a value such as `1280x720`, `720p` or `4k`. */
export function frameSize(value: ArgumentValue): { readonly width?: number; readonly height: number } | undefined {
  const text = String(value).trim();
  const [, width, high] = /^(\d{2,5})\s*[x×*:]\s*(\d{2,5})$/i.exec(text) ?? [];
  if (width !== undefined && high !== undefined) return { width: Number(width), height: Number(high) };
  const [, lines] = /^(\d{3,4})[pi]$/i.exec(text) ?? [];
  const height = lines === undefined ? heightNamed(text) : Number(lines);
  return height === undefined ? undefined : { height };
}

/** A map from each word to the key of its row. */
const keyByWord = (rows: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(rows).flatMap(([key, words]) => words.split(' ').map((word) => [word, key] as const)));

/** Names for the height of a video. The key is the height in lines. */
const HEIGHTS = keyByWord({ 2160: '4k uhd 2160', 1440: '1440', 1080: 'fullhd fhd 1080', 720: 'hd 720', 480: 'sd 480' });

/** The height that a name stands for. undefined for other texts. */
const heightNamed = (name: string): number | undefined => {
  const height = HEIGHTS.get(bareWord(name));
  return height === undefined ? undefined : Number(height);
};

/** Matches a number with a unit: `720p`, `128k`, `-6 dB`. */
const WITH_UNIT = /^\+?(-?\d+(?:\.\d+)?)\s*([a-z%°/]{1,12})?$/;

/** The unit of a number, if the argument has another unit: `px` for an argument in percent of the height. */
export function otherUnit(argument: RecipeArgument, value: ArgumentValue): string | undefined {
  if (argument.type !== 'number') return undefined;
  // A number without a unit may be a count: `3 times`.
  const { min, max, unit = 'x' } = argument;
  const sent = WITH_UNIT.exec(String(value).trim().toLowerCase())?.[2];
  if (sent === undefined || isUnit(unit, sent)) return undefined;
  const isShare = max <= 1 || (min === 0 && max === 100);
  return isShare && isUnit('%', sent) ? undefined : sent;
}

/**
 * Converts a value in other words or with a unit to a value that the argument accepts. Examples: `50%` for a share, `720p` for a height, a
 * CRF for a quality.
 */
export function meantValue(argument: RecipeArgument, name: string, value: ArgumentValue): ArgumentValue | undefined {
  const text = String(value).trim().toLowerCase();
  if (argument.type === 'number') return meantNumber(argument, name, text);
  if (argument.type !== 'choice') return undefined;
  const { choices } = argument;
  if (Object.hasOwn(choices, text)) return text;
  const bare = bareWord(text);
  const word =
    TURNS.get(text.replace(/ ?(?:°|deg(?:rees)?)$/, '')) ??
    SHAPES.get(bare) ??
    QUALITIES.get(bare) ??
    PLACES.get(bare) ??
    Object.keys(choices).find((one) => bareWord(one) === bare);
  return word !== undefined && Object.hasOwn(choices, word) ? word : nearestChoice(choices, text);
}

function meantNumber(
  argument: RecipeArgument & { readonly type: 'number' },
  name: string,
  text: string,
): number | undefined {
  const megabytes = megabytesOf(name, text);
  if (megabytes !== undefined) return megabytes;
  const { max, description, unit } = argument;
  const [, count, sent] = WITH_UNIT.exec(text) ?? [];
  if (sent === 'ms' && unit === 's') return Number(count) / 1000;
  if (sent === '%' && unit === 'x') return Number(count) / 100;
  if (otherUnit(argument, text) !== undefined) return undefined;
  const factor = unit === 'x' ? FACTORS.get(text) : undefined;
  if (factor !== undefined) return factor;
  const lines = /height|lines/i.test(description) ? heightNamed(text) : undefined;
  if (lines !== undefined) return lines;
  const digits = WITH_UNIT.exec(text)?.[1];
  if (digits === undefined) return undefined;
  const isShare = max <= 1 && Number(digits) > 1 && Number(digits) <= 100;
  return isShare ? Number(digits) / 100 : Number(digits);
}

const FACTORS: ReadonlyMap<string, number> = new Map(
  Object.entries({ half: 0.5, double: 2, twice: 2, triple: 3, quarter: 0.25 }),
);

/**
 * The choice whose number is nearest to `text`. This is for qualities whose choices stand for CRF values. undefined: the choices do not
 * stand for numbers.
 */
function nearestChoice(choices: Readonly<Record<string, string>>, text: string): string | undefined {
  const wanted = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  const numbers = Object.entries(choices).map(([choice, number]) => ({
    choice,
    distance: Math.abs(Number(number) - wanted),
  }));
  if (numbers.length === 0 || numbers.some(({ distance }) => !Number.isFinite(distance))) return undefined;
  const all = Object.values(choices).map(Number);
  // A number far from all choices belongs to another scale.
  if (wanted < Math.min(...all) / 2 || wanted > Math.max(...all) * 2) return undefined;
  return numbers.toSorted((a, b) => a.distance - b.distance)[0]?.choice;
}

const QUALITIES = keyByWord({
  best: 'ultra veryhigh excellent hq v0 320 highest max maximum',
  good: 'v2 medium normal default standard',
  small: 'v5 small worst low lowest',
});

const PLACES = keyByWord({
  centre: 'center middle centered',
  bottom: 'bottomcenter south',
  top: 'topcenter north',
  'bottom-left': 'lowerleft southwest',
  'bottom-right': 'lowerright southeast',
  'top-left': 'upperleft northwest',
  'top-right': 'upperright northeast',
});

const SHAPES = keyByWord({
  '1:1': 'square 1x1',
  '16:9': 'widescreen landscape 16/9 16x9',
  '9:16': 'portrait vertical 9/16 9x16',
  '21:9': 'cinema',
  '4:3': '4/3 4x3',
});

const TURNS = keyByWord({
  right: '90 -270 clockwise cw',
  left: '270 -90 counterclockwise ccw',
  half: '180 -180',
  mirror: 'horizontal',
  flip: 'vertical',
});

const seconds = (value: ArgumentValue | undefined): number | undefined => {
  if (value === undefined || typeof value === 'boolean') return undefined;
  return typeof value === 'number' ? value : parseDuration(value.trim());
};

/** Converts a length to an end, or an end to a length, if the recipe has only the other argument. */
function meantTime({ arguments: known }: Recipe, word: string, value: ArgumentValue, sent: Arguments) {
  const has = (name: string): boolean => Object.hasOwn(known, name);
  const names = namesOf(word);
  const time = seconds(value);
  const start = seconds(sent['start'] ?? 0);
  if (time === undefined || start === undefined || !has('start')) return undefined;
  if (names.includes('length') && has('end') && !has('length')) return { end: rounded(start + time, 6) };
  if (names.includes('end') && has('length') && !has('end') && time > start)
    return { length: rounded(time - start, 6) };
  return undefined;
}

/** Converts a rate of images per second to the seconds between two images. */
const meantInterval = (word: string, value: ArgumentValue): number | undefined =>
  namesOf(word).includes('fps') && Number(value) > 0 ? rounded(1 / Number(value), 6) : undefined;

/** The recipe arguments that an unknown argument means, if any. `sent`: the other arguments, with the start that a length may need. */
export function meantArguments(
  recipe: Recipe,
  word: string,
  value: ArgumentValue,
  sent: Arguments,
): Arguments | undefined {
  const has = (name: string): boolean =>
    !Object.hasOwn(sent, name) &&
    (Object.hasOwn(recipe.arguments, name) || recipe.inputs.slice(1).some(({ role }) => role === name));
  const size = megabytesOf(word, value);
  if (size !== undefined) return isInMegabytes(recipe.arguments['size']) && has('size') ? { size } : undefined;
  const lines = /^(?:font|text)size$/.test(bareWord(word)) ? LINES[recipe.name] : undefined;
  if (lines !== undefined)
    return Number(value) > 0 ? { size: Math.round((1000 * Number(value)) / lines) / 10 } : undefined;
  const time = meantTime(recipe, word, value, sent);
  if (time !== undefined) return time;
  const every = meantInterval(word, value);
  if (every !== undefined && has('every') && !has('fps')) return { every };
  const frame = FRAME_SIZE.test(bareWord(word)) ? frameSize(value) : undefined;
  if (frame !== undefined) {
    if (has('top')) return { top: frame.height };
    const sides = Object.entries(frame).filter(([side]) => has(side));
    // The width or the height is enough, because the recipe computes the other side from the shape of the frame.
    return sides.length === 0 ? undefined : (Object.fromEntries(sides) as Arguments);
  }
  const rates = namesOf(word).includes('bitrate') && has('quality') ? QUALITY_RATES[recipe.name] : undefined;
  const quality = rates && nearestChoice(rates, String(value).replace(/(?<!\s)\s*k(?:b(?:it)?(?:ps|\/s)?)?$/i, ''));
  if (quality !== undefined) return { quality };
  // A number for a name such as `crf` is meant as an ffmpeg option.
  const isQuality = /^(?:crf|cq|qp)$/.test(bareWord(word)) && Number.isNaN(Number(value));
  const name = isQuality ? ['quality'].find(has) : namesOf(word).find(has);
  if (name === undefined) return undefined;
  const argument = recipe.arguments[name];
  return { [name]: (argument && meantValue(argument, name, value)) ?? value };
}

/** By recipe: the bit rate in kbit/s that each quality stands for. The numbers are those of `-q:a` of LAME for stereo. */
const QUALITY_RATES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  mp3: { small: '115', good: '190', best: '245' },
};

/** The recipe that limits the size of a video. */
export const SIZE_RECIPE = 'target-size';

/** Whether an argument limits the size of a file. In some recipes, `size` is the size of letters. */
export const isInMegabytes = (argument: RecipeArgument | undefined): boolean =>
  argument?.type === 'number' && argument.unit === 'MB';

/**
 * Recipes whose `size` of letters is in percent of the image height. The number is the image height for which other tools state font sizes.
 */
const LINES: Readonly<Record<string, number>> = { 'burn-subtitles': 288 };
