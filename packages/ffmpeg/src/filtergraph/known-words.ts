import type { KnownWords, WordKind } from '../allowlist/filter-text.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { AvOption } from '../catalogue/component.ts';
import { checkAvFlags } from '../values/av-value.ts';
import { checkChannelLayout, checkColor, checkPixelFormat, checkSampleFormat } from '../values/media-formats.ts';
import { readPlainNumber } from '../values/number.ts';
import { checkRate } from '../values/rate.ts';
import { checkSize } from '../values/size.ts';
import { badValue, ofPart, quoted, type ValueError } from '../values/value-error.ts';

/** Checks one part of a value. `option`: the entry of the filter option in ffmpeg's help. */
type Check = (
  shown: string,
  part: string,
  catalogue: Catalogue,
  option: AvOption | undefined,
) => ValueError | undefined;

/** Checks that ffmpeg knows the words of a filter option. */
export function checkKnownWords(
  shown: string,
  value: string,
  { of, joined, also = [] }: KnownWords,
  catalogue: Catalogue,
  option: AvOption | undefined,
): ValueError | undefined {
  const checkPart = (part: string): ValueError | undefined => {
    const error = also.includes(part) ? undefined : CHECKS[of](shown, part, catalogue, option);
    return error === undefined || also.length === 0
      ? error
      : { ...error, allowed: [...also, ...(error.allowed ?? [])] };
  };
  if (joined === undefined) return checkPart(value);
  for (const part of value.split(joined)) {
    const error = part === '' ? undefined : checkPart(part);
    if (error !== undefined) return ofPart(error, part);
  }
  return undefined;
}

/** Matches a number, which ffmpeg accepts instead of the name of a format. */
const NUMBER = /^\d{1,4}$/;

const CHECKS: Readonly<Record<WordKind, Check>> = {
  color: (shown, part, { lists }) => checkColor(shown, part, lists.colors),
  'pixel format': (shown, part, { lists, devices }) =>
    // The type of a device (`cuda`) is also the pixel format of frames in its memory.
    NUMBER.test(part) || devices?.has(part) ? undefined : checkPixelFormat(shown, part, lists.pixelFormats),
  'sample format': (shown, part, { lists }) =>
    NUMBER.test(part) ? undefined : checkSampleFormat(shown, part, lists.sampleFormats),
  'sample rate': checkSampleRate,
  'frame rate': (shown, part) => checkRate(shown, part),
  size: (shown, part) => checkSize(shown, part),
  'channel layout': (shown, part, { lists }) => checkChannelLayout(shown, part, lists.channelLayouts),
  channels: checkChannels,
  mixture: checkMixture,
  'scaler flags': checkScalerFlags,
  'color matrix': checkMatrix,
  'color space': (shown, part, { generic }) =>
    among(shown, part, 'a colour space', [
      ...SPACES,
      ...(generic.codec.get('colorspace')?.constants.map(({ name }) => name) ?? []),
    ]),
  'color range': (shown, part) => among(shown, part, 'a colour range', RANGES),
  'alpha mode': (shown, part) => among(shown, part, 'an alpha mode', ALPHA_MODES),
};

export function checkScalerFlags(shown: string, value: string, { generic }: Catalogue): ValueError | undefined {
  const flags = generic.scaler.get('sws_flags');
  return value === '' || flags === undefined ? undefined : checkAvFlags(shown, flags, value);
}

function checkSampleRate(shown: string, part: string): ValueError | undefined {
  const rate = readPlainNumber(part);
  if (rate !== undefined && rate > 0) return undefined;
  return badValue(`"${shown}" must be a number of samples per second, not ${quoted(part)}.`, part, {
    shapes: ['48000', '44.1k'],
  });
}

const CHANNEL = /(?<![\w.])[A-Za-z]\w*/g;

/** Matches channels with a number as their name: of the input (`c0`), ambisonic, or without a name of their own. */
const NUMBERED = /^(?:c|ambi|usr|ch)\d{1,4}$/i;

function checkChannels(shown: string, part: string, { lists }: Catalogue): ValueError | undefined {
  const wrong = part.match(CHANNEL)?.find((name) => !lists.channelLayouts.has(name) && !NUMBERED.test(name));
  if (wrong === undefined) return undefined;
  const names = [...lists.channelLayouts].filter((name) => /^[A-Z]+$/.test(name));
  const message = `"${shown}" must name channels; ${quoted(wrong)} is not a channel.`;
  return ofPart(badValue(message, wrong, { names }), wrong);
}

function checkMixture(shown: string, part: string, catalogue: Catalogue): ValueError | undefined {
  const bar = part.indexOf('|');
  const [layout, channels] = bar < 0 ? [part, ''] : [part.slice(0, bar), part.slice(bar)];
  const error = checkChannelLayout(shown, layout.trim(), catalogue.lists.channelLayouts);
  return error === undefined ? checkChannels(shown, channels, catalogue) : ofPart(error, layout.trim());
}

/** Before version 7, ffmpeg looks for the name of a matrix anywhere in the value. If there is none, it uses BT.601. */
function checkMatrix(shown: string, part: string, _catalogue: Catalogue, option: AvOption | undefined) {
  const names = option?.constants.map(({ name }) => name) ?? [];
  return names.length === 0 || names.some((name) => part.includes(name))
    ? undefined
    : among(shown, part, 'a colour matrix', names);
}

const among = (shown: string, part: string, what: string, names: readonly string[]): ValueError | undefined =>
  names.includes(part) ? undefined : badValue(`"${shown}" must be ${what}, not ${quoted(part)}.`, part, { names });

/** The names of `av_color_space_name`, some of which differ from those of the codec option. */
const SPACES: readonly string[] = (
  'gbr bt709 unknown fcc bt470bg smpte170m smpte240m ycgco bt2020nc bt2020c smpte2085 chroma-derived-nc ' +
  'chroma-derived-c ictcp ipt-c2 ycgco-re ycgco-ro'
).split(' ');

const RANGES = ['tv', 'pc', 'unknown'];
const ALPHA_MODES = ['straight', 'premultiplied', 'unspecified'];
