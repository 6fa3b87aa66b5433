import { sendOption } from '../../../domain/edit.ts';
import type { Warning } from '../../../domain/plan.ts';
import type { StreamEncoders } from '../encoders/stream-encoders.ts';
import { type ArgvOption, sentName } from '../request/argv-option.ts';

/** A quality that looks like the original. */
const VISUALLY_LOSSLESS = '17';

/** Formats for players, which mostly show only the profiles up to High. */
const FOR_PLAYERS: ReadonlySet<string> = new Set([
  'mp4',
  'mov',
  'ipod',
  '3gp',
  '3g2',
  'f4v',
  'flv',
  'hls',
  'dash',
  'mpegts',
]);

/**
 * Warns about `crf` 0, which people send for the best quality. Of libx264 it is lossless, with the profile High 4:4:4
 * Predictive. `qp` 0 says the same, and experts send it for that.
 */
export const losslessQuality = (
  options: readonly ArgvOption[],
  encoders: StreamEncoders,
  muxer: string,
): readonly Warning[] => {
  if (
    !FOR_PLAYERS.has(muxer) ||
    options.some(({ name, values }) => name.name === 'profile' && /444/.test(values[0] ?? ''))
  )
    return [];
  return options.flatMap((option) => {
    const { name, field, values } = option;
    if (name.name !== 'crf' || Number(values[0]) !== 0) return [];
    // With more than 8 bits, 0 is not lossless.
    if (options.some((one) => one.name.name === 'pix_fmt' && /1[0-6](?:le|be)$/.test(one.values[0] ?? ''))) return [];
    if (!encoders.of(name.specifier ?? 'v').some(({ encoder }) => encoder === 'libx264')) return [];
    return [
      {
        field,
        code: 'UNUSUAL_VALUE',
        message: `"${sentName(option)}": 0 of libx264 is lossless: few players show its profile, High 4:4:4 Predictive.`,
        fix: sendOption(sentName(option), VISUALLY_LOSSLESS),
      },
    ];
  });
};
