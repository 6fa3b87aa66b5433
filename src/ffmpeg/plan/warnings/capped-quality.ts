import { addOption } from '../../../domain/edit.ts';
import type { Warning } from '../../../domain/plan.ts';
import type { StreamEncoders } from '../encoders/stream-encoders.ts';
import { type ArgvOption, sentName } from '../request/argv-option.ts';

/**
 * Warns about `crf` for VP8 without `b:v`: libvpx then never writes more than 256 kb/s, whatever the quality. Since VP9 has
 * a mode of quality alone, this is a surprise. Source: libavcodec/libvpxenc.c, "using default of 256kbit/sec".
 */
export const cappedQuality = (options: readonly ArgvOption[], encoders: StreamEncoders): readonly Warning[] =>
  options.flatMap((option) => {
    const { name, field } = option;
    if (name.name !== 'crf' || isRateSet(options)) return [];
    const found = encoders.of(name.specifier ?? 'v');
    if (found.length === 0 || !found.every(({ encoder }) => encoder === 'libvpx')) return [];
    return [
      {
        field,
        code: 'UNUSUAL_VALUE',
        message: `For VP8, "b:v" is the upper limit of "${sentName(option)}", and without it libvpx writes at most 256 kb/s.`,
        fix: addOption('b:v', '8M'),
      },
    ];
  });

const isRateSet = (options: readonly ArgvOption[]): boolean =>
  options.some(({ name }) => name.name === 'b' && /^(?:$|v)/i.test(name.specifier ?? ''));
