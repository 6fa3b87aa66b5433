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

/** Warns about `q` for encoders that ignore it, such as libx264. */
export const ignoredQuality = (options: readonly ArgvOption[], encoders: StreamEncoders): readonly Warning[] =>
  options.flatMap((option) => {
    const { name, field } = option;
    if (name.name !== 'q') return [];
    const key = sentName(option);
    const found = encoders.of(name.specifier).flatMap(({ encoder }) => encoder ?? []);
    const [first] = found;
    const rate = bitRate(option, found);
    if (rate !== undefined) return [rate];
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
