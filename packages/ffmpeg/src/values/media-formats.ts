import { rememberEach } from '@telecine/contract/domain/remember.ts';
import { readPlainNumber } from './number.ts';
import { badValue, quoted, type ValueError } from './value-error.ts';

/** Pixel formats that libavutil knows only as another name for `bgra`, `rgba` and similar, so that its list lacks them. */
const ALIASES: ReadonlySet<string> = new Set(['rgb32', 'bgr32']);

/** True for a pixel format. A name without a byte order, such as `yuv420p10`, is valid: it has the byte order of the machine. */
const isPixelFormat = (name: string, known: ReadonlySet<string>): boolean =>
  known.has(name) || ALIASES.has(name) || known.has(`${name}le`);

/** True if `names` contains `format`, perhaps with the byte order (`le`) or by another name. */
export const isKnownFormat = (format: string, names: readonly string[]): boolean =>
  names.includes(format) ||
  names.includes(`${format}le`) ||
  (ALIASES.has(format) && names.some((name) => /^(?:bgra|rgba)$/.test(name)));

export const checkPixelFormat = (key: string, value: string, known: ReadonlySet<string>): ValueError | undefined =>
  value === 'none' || isPixelFormat(value, known) ? undefined : notAFormat('pixel', key, value, known);

export const checkSampleFormat = (key: string, value: string, known: ReadonlySet<string>): ValueError | undefined =>
  value === 'none' || known.has(value) ? undefined : notAFormat('sample', key, value, known);

const notAFormat = (of: 'pixel' | 'sample', key: string, value: string, names: ReadonlySet<string>): ValueError =>
  badValue(`"${key}" must be a ${of} format of the installed ffmpeg, not ${quoted(value)}.`, value, { names });

const COUNTED = /^\d{1,3}(?:[cC]| channels)?$/;
const MASK = /^0x[\da-f]{1,16}$/i;
const AMBISONIC = /^ambisonic \d{1,2}(?:\+|$)/;

/** True for `stereo`, `5.1(side)`, `FL+FR+LFE`, `6c` and `0x3`. `known`: the names of layouts and of channels. */
function isChannelLayout(value: string, known: ReadonlySet<string>): boolean {
  if (known.has(value) || COUNTED.test(value) || MASK.test(value)) return true;
  const channels = value.replace(AMBISONIC, '').split(/[+|]/);
  return channels.every((channel) =>
    channel === '' ? channels.length === 1 : known.has(channel.replace(/@\w+$/, '')),
  );
}

export function checkChannelLayout(key: string, value: string, known: ReadonlySet<string>): ValueError | undefined {
  if (value !== '' && isChannelLayout(value, known)) return undefined;
  return badValue(`"${key}" must be a channel layout, not ${quoted(value)}.`, value, {
    shapes: ['FL+FR+…', '6c'],
    names: known,
  });
}

const COUNTS: Readonly<Record<string, number>> = {
  mono: 1,
  stereo: 2,
  downmix: 2,
  quad: 4,
  'quad(side)': 4,
  hexagonal: 6,
  octagonal: 8,
  cube: 8,
  hexadecagonal: 16,
};

/** The number of channels of a layout. undefined: its name does not show the number. */
export function channelsOf(layout: string): number | undefined {
  const named = COUNTS[layout];
  if (named !== undefined) return named;
  const [, main, low, more] = /^(\d{1,2})\.(\d)(?:\.(\d))?(?:\(\w+\))?$/.exec(layout) ?? [];
  if (main !== undefined) return Number(main) + Number(low) + Number(more ?? 0);
  const counted = /^(\d{1,3})(?:[cC]| channels)$/.exec(layout)?.[1];
  if (counted !== undefined) return Number(counted);
  return /^[A-Z]{2,4}(?:\+[A-Z]{2,4})*$/.test(layout) ? layout.split('+').length : undefined;
}

const HEX = /^(?:#|0x)?(?:[\da-f]{6}|[\da-f]{8})$/i;
const ALPHA_HEX = /^0x[\da-f]{1,2}$/i;

/** True for `red`, `#RRGGBB[AA]`, `0xRRGGBB[AA]` and `random`, also with an opacity: `red@0.5`. */
function isColor(value: string, colors: ReadonlySet<string>): boolean {
  const at = value.indexOf('@');
  const name = at < 0 ? value : value.slice(0, at);
  if (at >= 0 && !isAlpha(value.slice(at + 1))) return false;
  const lower = name.toLowerCase();
  return (
    (HEX.test(name) && !name.startsWith('0X')) ||
    lower === 'random' ||
    lower === 'bikeshed' ||
    inLowerCase(colors).has(lower)
  );
}

/** The colours in lower case: ffmpeg prints `AliceBlue`, but accepts any case. */
const inLowerCase = rememberEach(
  (colors: ReadonlySet<string>): ReadonlySet<string> => new Set([...colors].map((name) => name.toLowerCase())),
);

function isAlpha(text: string): boolean {
  if (ALPHA_HEX.test(text)) return true;
  const alpha = /^[\d.]+$/.test(text) ? readPlainNumber(text) : undefined;
  return alpha !== undefined && alpha >= 0 && alpha <= 1;
}

export function checkColor(key: string, value: string, colors: ReadonlySet<string>): ValueError | undefined {
  if (isColor(value, colors)) return undefined;
  return badValue(`"${key}" must be a colour, not ${quoted(value)}.`, value, {
    shapes: ['#RRGGBB', '#RRGGBBAA', 'NAME@0.5', 'random'],
    names: colors,
  });
}

/** The maximum number of channels that these encoders take. ffmpeg mixes additional channels into them. */
export const MOST_CHANNELS: Readonly<Record<string, number>> = {
  ...{ libmp3lame: 2, libshine: 2, libspeex: 2, libtwolame: 2, mp2: 2, mp2fixed: 2, wmav1: 2, wmav2: 2 },
  ...{ ac3: 6, ac3_fixed: 6, eac3: 6 },
};
