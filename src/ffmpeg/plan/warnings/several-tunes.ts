import { sendOption } from '../../../domain/edit.ts';
import type { Warning } from '../../../domain/plan.ts';
import type { StreamEncoders } from '../encoders/stream-encoders.ts';
import { type ArgvOption, sentName } from '../request/argv-option.ts';

/** Values of `tune` of x264 for a kind of picture. It uses one of them; the others are about speed, and can be added. */
const OF_PICTURES: ReadonlySet<string> = new Set(['film', 'animation', 'grain', 'stillimage', 'psnr', 'ssim']);

/** Warns about several kinds of pictures in `tune` of x264, which uses only the first. */
export function severalTunes(options: readonly ArgvOption[], encoders: StreamEncoders): readonly Warning[] {
  if (!encoders.of('v').some(({ encoder }) => encoder === 'libx264')) return [];
  return options.flatMap((option) => {
    const words = option.name.name === 'tune' ? (option.values[0] ?? '').split(/[,./+-]/) : [];
    const [first, ...others] = words.filter((word) => OF_PICTURES.has(word));
    if (first === undefined || others.length === 0) return [];
    const kept = words.filter((word) => word === first || !OF_PICTURES.has(word)).join(',');
    return [
      {
        field: option.field,
        code: 'NO_EFFECT',
        message: `"${sentName(option)}" names ${words.filter((word) => OF_PICTURES.has(word)).join(' and ')}, and libx264 uses only the first, ${first}.`,
        fix: sendOption(sentName(option), kept),
      },
    ];
  });
}
