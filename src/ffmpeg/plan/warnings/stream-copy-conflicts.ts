import { leaveOut, orElse } from '../../../domain/edit.ts';
import type { Warning } from '../../../domain/plan.ts';
import { areAllCopied, type StreamEncoders } from '../encoders/stream-encoders.ts';
import type { ArgvOption } from '../request/argv-option.ts';

/** Options that only encoders apply, with the kind of stream that they are for. */
const ENCODING_OPTIONS: Readonly<Record<string, 'v' | 'a'>> = {
  r: 'v',
  s: 'v',
  pix_fmt: 'v',
  ar: 'a',
  ac: 'a',
  sample_fmt: 'a',
  ch_layout: 'a',
};

/** Warns about options that have no effect because their streams are copied. */
export const streamCopyConflicts = (options: readonly ArgvOption[], encoders: StreamEncoders): readonly Warning[] =>
  options.flatMap(({ key, name, field }) => {
    const kind = ENCODING_OPTIONS[name.name];
    if (kind === undefined || !areAllCopied(encoders, name.specifier ?? kind)) return [];
    return [
      {
        field,
        code: 'NO_EFFECT',
        message: `"${key}" has no effect on the ${kind === 'v' ? 'video' : 'audio'}: it is copied, not encoded.`,
        fix: orElse(leaveOut(key), `send an encoder ("c:${kind}")`),
      },
    ];
  });
