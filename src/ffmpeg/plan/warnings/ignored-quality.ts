import type { Warning } from '../../../domain/plan.ts';
import { QUALITY_INSTEAD_OF_Q } from '../../allowlist/encoder-options.ts';
import { sendOption } from '../../values/value-error.ts';
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
const QUANTIZERS =
  /^(?:mjpeg|mpeg[124]|mpeg[12]video|libxvid|flv|h26[13]p?|msmpeg4(?:v2)?|wmv[12]|rv[12]0|speedhq|amv)$/;
const MAX_QUANTIZER = 31;

/** A percentage, of which 100 is the best, as a quantizer. */
function percentage(option: ArgvOption, encoders: readonly string[]): Warning | undefined {
  const [value = ''] = option.values;
  const percent = /^\d{2,3}$/.test(value) ? Number(value) : 0;
  const [encoder] = encoders;
  if (percent <= MAX_QUANTIZER || percent > 100 || encoder === undefined) return undefined;
  if (!encoders.every((one) => QUANTIZERS.test(one))) return undefined;
  const meant = Math.max(2, Math.round(2 + ((100 - percent) * (MAX_QUANTIZER - 2)) / 100));
  return {
    field: option.field,
    code: 'UNUSUAL_VALUE',
    message: `"${sentName(option)}" of ${encoder} is from 2, the best, to 31, the worst: ${value} is not a percentage, and gives the worst.`,
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
    const mistaken = bitRate(option, found) ?? percentage(option, found);
    if (mistaken !== undefined) return [mistaken];
    if (first === undefined || !found.every((encoder) => QUALITY_INSTEAD_OF_Q.has(encoder))) return [];
    const instead = QUALITY_INSTEAD_OF_Q.get(first);
    return [
      {
        field,
        code: 'NO_EFFECT',
        message: `"${key}" has no effect: ${[...new Set(found)].join(' and ')} ignore${found.length === 1 ? 's' : ''} it.`,
        fix: instead === undefined || found.length > 1 ? `Leave "${key}" out.` : `Send ${instead} instead.`,
      },
    ];
  });
