import type { Component } from '../../catalogue/component.ts';
import { channelsOf, isKnownFormat } from '../../values/media-formats.ts';
import { readPlainNumber } from '../../values/number.ts';
import { readRate } from '../../values/rate.ts';
import { badValue, quoted, type ValueError } from '../../values/value-error.ts';
import { encoderComponent, type StreamEncoder } from '../encoders/stream-encoders.ts';
import type { ArgvOption } from '../request/argv-option.ts';
import type { OutputContext, ValueWarning } from './option-targets.ts';

type Check = (key: string, value: string, encoder: Component) => ValueError | ValueWarning | undefined;

/**
 * Checks the pixel or sample format, the rate or the number of channels of an output against what its encoders support. Only warns if
 * ffmpeg itself replaces the value by a supported value.
 */
export function checkStreamValue(
  { name, key, values: [value = ''] }: ArgvOption,
  { encoders, catalogue }: OutputContext,
): ValueError | ValueWarning | undefined {
  const check = CHECKS[name.name];
  if (check === undefined) return undefined;
  const [kind, checkValue] = check;
  for (const stream of encoders.of(name.specifier)) {
    const encoder = stream.kind === kind ? encoderComponent(stream, catalogue) : undefined;
    const result = encoder === undefined ? undefined : checkValue(key, value, encoder);
    if (result !== undefined) return result;
  }
  return undefined;
}

const CHECKS: Readonly<Record<string, readonly [StreamEncoder['kind'], Check]>> = {
  pix_fmt: ['video', pixelFormat],
  r: ['video', frameRate],
  sample_fmt: ['audio', sampleFormat],
  ar: ['audio', sampleRate],
  ac: ['audio', channelCount],
  ch_layout: ['audio', channelLayout],
};

const unsupported = (key: string, encoder: string, value: string): string =>
  `"${key}": ${encoder} does not support ${value}.`;

const replacedValue = (message: string): ValueWarning => ({ warning: { code: 'OTHER_VALUE', message } });

function pixelFormat(
  key: string,
  value: string,
  { name, pixelFormats }: Component,
): ValueError | ValueWarning | undefined {
  const format = value.replace(/^\+/, '');
  // `arrangeDeviceFrames` checks the format in which frames are uploaded to a device.
  if (pixelFormats?.every((one) => one === 'vaapi')) return undefined;
  if (pixelFormats === undefined || format === '' || isKnownFormat(format, pixelFormats)) return undefined;
  if (format === value) {
    const isTransparent = /^(?:yuva|gbrap|rgba|bgra|argb|abgr|ya)/.test(value);
    return replacedValue(
      `${name} does not support the pixel format "${value}"; ffmpeg uses the closest supported one.${
        isTransparent ? ' The transparency is lost.' : ''
      }`,
    );
  }
  const names = pixelFormats.map((one) => `+${one}`);
  return badValue(unsupported(key, name, `the pixel format ${quoted(format)}`), value, { names });
}

function frameRate(_key: string, value: string, { name, frameRates }: Component): ValueWarning | undefined {
  const rate = readRate(value);
  if (rate === undefined || frameRates === undefined) return undefined;
  if (frameRates.some((supported) => Math.abs((readRate(supported) ?? 0) - rate) < 0.001)) return undefined;
  const distance = (one: string): number => Math.abs((readRate(one) ?? 0) - rate);
  const closest = frameRates.toSorted((a, b) => distance(a) - distance(b))[0]?.replace(/\/1$/, '');
  return replacedValue(
    `${name} does not support ${value} frames per second; ffmpeg uses the closest supported rate${closest === undefined ? '' : `, ${closest}`}.`,
  );
}

function sampleFormat(key: string, value: string, { name, sampleFormats }: Component): ValueError | undefined {
  // Accept the planar form of a packed format and the reverse, because ffmpeg converts between them without an option.
  const other = value.endsWith('p') ? value.slice(0, -1) : `${value}p`;
  if (sampleFormats === undefined || sampleFormats.includes(value) || sampleFormats.includes(other)) return undefined;
  return badValue(unsupported(key, name, `the sample format ${quoted(value)}`), value, { names: sampleFormats });
}

/** A sample rate up to this number is probably in kilohertz. Real audio has more samples per second. */
const MAX_KILOHERTZ = 192;

function sampleRate(
  key: string,
  value: string,
  { name, sampleRates }: Component,
): ValueError | ValueWarning | undefined {
  const rate = readPlainNumber(value);
  // 0: ffmpeg chooses the sample rate.
  if (rate === undefined || rate === 0 || sampleRates?.includes(rate) === true) return undefined;
  if (sampleRates === undefined) {
    if (rate > MAX_KILOHERTZ) return undefined;
    const message = `"${key}" is the number of samples per second, and ${value} are too few to hear anything.`;
    return { warning: { code: 'UNUSUAL_VALUE', message } };
  }
  return badNumber(unsupported(key, name, `${quoted(value)} samples per second`), value, sampleRates);
}

/** The error for a number that is not in a list. */
const badNumber = (message: string, value: string, supported: readonly number[]): ValueError =>
  badValue(message, value, { names: supported.toSorted((a, b) => a - b).map(String) });

function channelCount(key: string, value: string, { name, channelLayouts }: Component): ValueError | undefined {
  const count = readPlainNumber(value);
  const counts = channelLayouts?.flatMap((layout) => channelsOf(layout) ?? []);
  if (count === undefined || count === 0 || counts === undefined || counts.length < (channelLayouts?.length ?? 0))
    return undefined;
  if (counts.includes(count)) return undefined;
  return badNumber(unsupported(key, name, `${quoted(value)} channels`), value, [...new Set(counts)]);
}

function channelLayout(key: string, value: string, { name, channelLayouts }: Component): ValueError | undefined {
  const counts = channelLayouts?.map(channelsOf);
  const count = channelsOf(value);
  if (channelLayouts === undefined || counts === undefined || counts.includes(undefined)) return undefined;
  if (channelLayouts.includes(value) || count === undefined || counts.includes(count)) return undefined;
  return badValue(unsupported(key, name, `the channel layout ${quoted(value)}`), value, { names: channelLayouts });
}
