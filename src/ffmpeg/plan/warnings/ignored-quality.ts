import { leaveOut, sendOption } from '../../../domain/edit.ts';
import type { Warning } from '../../../domain/plan.ts';
import {
  ignoresQ,
  MPEG_QUANTIZER,
  qualityInsteadOfQ,
  qualityScale,
  quantizerOfPercent,
  scaleText,
} from '../../allowlist/quality-scales.ts';
import type { StreamEncoders } from '../encoders/stream-encoders.ts';
import { type ArgvOption, sentName } from '../request/argv-option.ts';

/** No encoder of sound has a quality like this: it is a bit rate, `192k` or 192. */
const MIN_BIT_RATE = 32;

function bitRate(option: ArgvOption, encoders: readonly string[]): Warning | undefined {
  const [value = ''] = option.values;
  const isRate = /^\d+k?$/.test(value) && Number.parseInt(value, 10) >= MIN_BIT_RATE;
  if (!isRate || encoders.length === 0 || option.name.specifier?.startsWith('a') !== true) return undefined;
  return {
    field: option.field,
    code: 'UNUSUAL_VALUE',
    message: `"${sentName(option)}" is a quality, such as 2, and ${value} is far beyond its range. A bit rate is "b:a".`,
    fix: sendOption('b:a', value.endsWith('k') ? value : `${value}k`),
  };
}

/** Encoders whose `q:v` is a quantizer from 1, the best, to 31. */
export const QUANTIZERS =
  /^(?:mjpeg|mpeg[124]|mpeg[12]video|libxvid|flv|h26[13]p?|msmpeg4(?:v2)?|wmv[12]|rv[12]0|speedhq|amv)$/;

/**
 * A number after the worst end of the scale, which gives the worst. A quantizer from 32 to 100 is taken for a percentage,
 * of which 100 is the best.
 */
function beyondScale(option: ArgvOption, encoders: readonly string[]): Warning | undefined {
  const [value = ''] = option.values;
  const number = /^\d{1,6}(?:\.\d+)?$/.test(value) ? Number(value) : 0;
  const [encoder] = encoders;
  if (encoder === undefined) return undefined;
  const isQuantizer = encoders.every((one) => QUANTIZERS.test(one));
  const scale = isQuantizer ? MPEG_QUANTIZER : encoders.length === 1 ? qualityScale(encoder, 'q') : undefined;
  if (scale === undefined || number <= scale.max) return undefined;
  const meant = isQuantizer && number <= 100 ? quantizerOfPercent(number) : scale.send;
  return {
    field: option.field,
    code: 'UNUSUAL_VALUE',
    message: `"${sentName(option)}" of ${encoder} is not a percentage: ${scaleText(scale)}. ${value} gives the worst.`,
    fix: sendOption(sentName(option), String(meant)),
  };
}

/** Warns about `q` for encoders that ignore it, such as libx264. */
export const ignoredQuality = (options: readonly ArgvOption[], encoders: StreamEncoders): readonly Warning[] =>
  options.flatMap((option) => {
    const { name, field } = option;
    if (name.name !== 'q') return [];
    const key = sentName(option);
    const found = encoders.of(name.specifier).flatMap(({ encoder }) => encoder ?? []);
    const [first] = found;
    const mistaken = bitRate(option, found) ?? beyondScale(option, found);
    if (mistaken !== undefined) return [mistaken];
    if (first === undefined || !found.every(ignoresQ)) return [];
    const instead = found.length > 1 ? undefined : qualityInsteadOfQ(first, option.values[0] ?? '');
    const { option: other } = instead ?? {};
    // A quality beside a bit rate would replace it, or be ignored.
    const keys = new Set([other, 'b', name.specifier === undefined ? other : `b:${name.specifier}`]);
    const setting = other && options.find(({ key, values }) => keys.has(key) && values[0] !== '0');
    const isRejected = found.every((one) => one === 'libopus');
    return [
      {
        field,
        code: 'NO_EFFECT',
        message: isRejected
          ? `libopus has no quality like "${key}", only a bit rate, and a job with "${key}" would fail.`
          : `"${key}" has no effect: ${[...new Set(found)].join(' and ')} ignore${found.length === 1 ? 's' : ''} it.`,
        fix: setting ? leaveOut(undefined, `"${sentName(setting)}" sets the quality`) : (instead?.fix ?? leaveOut()),
        ...(isRejected && !/\d/.test(name.specifier ?? '') && { failsWith: 'audio' as const }),
      },
    ];
  });
