import type { Catalogue } from '../../catalogue/catalogue.ts';
import type { Component } from '../../catalogue/component.ts';
import { channelsOf } from '../../values/channel-layout.ts';
import { isKnownFormat } from '../../values/media-formats.ts';
import { readPlainNumber } from '../../values/number.ts';
import { readRate } from '../../values/rate.ts';
import { badValue, quoted, sendInstead, type ValueError } from '../../values/value-error.ts';
import { encoderComponent, type StreamEncoder, type StreamEncoders } from '../encoders/stream-encoders.ts';
import type { ArgvOption } from '../request/resolve-options.ts';
import type { ValueWarning } from './no-effect.ts';

type Check = (key: string, value: string, encoder: Component) => ValueError | ValueWarning | undefined;

/**
 * Whether the encoders of the streams that are meant can take the pixel or sample format, rate, or channels that an
 * option of ffmpeg's own asks for. A remark: ffmpeg takes another instead, which is only worth a warning.
 */
export function checkStreamValue(
  { name, key }: ArgvOption,
  value: string,
  makers: StreamEncoders,
  catalogue: Catalogue,
): ValueError | ValueWarning | undefined {
  const check = CHECKS[name.name];
  if (check === undefined) return undefined;
  const [kind, told] = check;
  for (const maker of makers.of(name.specifier)) {
    const encoder = maker.kind === kind ? encoderComponent(maker, catalogue) : undefined;
    const result = encoder === undefined ? undefined : told(key, value, encoder);
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

/** ffmpeg takes another value than was sent. */
const otherwise = (message: string): ValueWarning => ({ warning: { code: 'OTHER_VALUE', message } });

function pixelFormat(
  key: string,
  value: string,
  { name, pixelFormats }: Component,
): ValueError | ValueWarning | undefined {
  const format = value.replace(/^\+/, '');
  if (pixelFormats === undefined || format === '' || isKnownFormat(format, pixelFormats)) return undefined;
  if (format === value)
    return otherwise(`${name} does not take the pixel format "${value}"; ffmpeg takes the nearest that it does.`);
  return badValue(`"${key}": ${name} does not take the pixel format ${quoted(format)}.`, format, {
    names: pixelFormats,
  });
}

function frameRate(_key: string, value: string, { name, frameRates }: Component): ValueWarning | undefined {
  const rate = readRate(value);
  if (rate === undefined || frameRates === undefined) return undefined;
  if (frameRates.some((one) => Math.abs((readRate(one) ?? 0) - rate) < 0.001)) return undefined;
  return otherwise(
    `${name} does not write ${value} frames a second; ffmpeg takes the nearest of ${frameRates.join(', ')}.`,
  );
}

function sampleFormat(key: string, value: string, { name, sampleFormats }: Component): ValueError | undefined {
  // ffmpeg itself turns planes into packed samples and back.
  const other = value.endsWith('p') ? value.slice(0, -1) : `${value}p`;
  if (sampleFormats === undefined || sampleFormats.includes(value) || sampleFormats.includes(other)) return undefined;
  return badValue(`"${key}": ${name} does not take the sample format ${quoted(value)}.`, value, {
    names: sampleFormats,
  });
}

function sampleRate(key: string, value: string, { name, sampleRates }: Component): ValueError | undefined {
  const rate = readPlainNumber(value);
  // 0 leaves the choice to ffmpeg.
  if (rate === undefined || rate === 0 || sampleRates === undefined || sampleRates.includes(rate)) return undefined;
  const sorted = [...sampleRates].sort((a, b) => a - b);
  return {
    code: 'BAD_VALUE',
    message: `"${key}": ${name} does not take ${quoted(value)} samples a second.`,
    allowed: sorted.map(String),
    // One that keeps all that is heard, where there is one.
    fix: sendInstead(String(sorted.find((one) => one >= rate) ?? sorted.at(-1))),
  };
}

function channelCount(key: string, value: string, { name, channelLayouts }: Component): ValueError | undefined {
  const count = readPlainNumber(value);
  const counts = channelLayouts?.map(channelsOf);
  if (count === undefined || count === 0 || counts === undefined || counts.includes(undefined)) return undefined;
  if (counts.includes(count)) return undefined;
  const sorted = [...new Set(counts)].sort((a, b) => Number(a) - Number(b));
  const near = sorted.findLast((one) => Number(one) < count) ?? sorted[0];
  return {
    code: 'BAD_VALUE',
    message: `"${key}": ${name} does not write ${quoted(value)} channels.`,
    allowed: sorted.map(String),
    fix: sendInstead(String(near)),
  };
}

function channelLayout(key: string, value: string, { name, channelLayouts }: Component): ValueError | undefined {
  const counts = channelLayouts?.map(channelsOf);
  const count = channelsOf(value);
  if (channelLayouts === undefined || counts === undefined || counts.includes(undefined)) return undefined;
  if (channelLayouts.includes(value) || count === undefined || counts.includes(count)) return undefined;
  return badValue(`"${key}": ${name} does not write the layout ${quoted(value)}.`, value, { names: channelLayouts });
}
