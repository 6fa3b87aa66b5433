import type { Warning } from '../../../domain/plan.ts';
import { QUALITY_INSTEAD_OF_Q } from '../../allowlist/encoder-options.ts';
import type { StreamEncoders } from '../encoders/stream-encoders.ts';
import { type ArgvOption, sentName } from '../request/argv-option.ts';

/** Warns about `q` for encoders that ignore it, such as libx264. */
export const ignoredQuality = (options: readonly ArgvOption[], encoders: StreamEncoders): readonly Warning[] =>
  options.flatMap((option) => {
    const { name, field } = option;
    if (name.name !== 'q') return [];
    const key = sentName(option);
    const found = encoders.of(name.specifier).flatMap(({ encoder }) => encoder ?? []);
    const [first] = found;
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
