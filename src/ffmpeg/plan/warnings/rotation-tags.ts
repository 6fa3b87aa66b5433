import type { Warning } from '../../../domain/plan.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import type { ArgvOption } from '../request/argv-option.ts';

/** The first release that drops the tag. Before, ffmpeg wrote it as a display matrix. Tried with 5.1 and 7.1. */
const DROPPED_SINCE = 7;

/** Warns about the tag `rotate` of a stream, which recent releases of ffmpeg drop: the picture stays as it was. */
export function rotationTags(options: readonly ArgvOption[], { build }: Catalogue): readonly Warning[] {
  if (build.release === undefined || build.release[0] < DROPPED_SINCE) return [];
  return options.flatMap(({ name, values, field }) => {
    if (name.name !== 'metadata' || !name.specifier?.startsWith('s')) return [];
    const degrees = values.flatMap((value) => /^\s*rotate\s*=\s*(-?\d{1,4})\s*$/.exec(value)?.[1] ?? []).at(-1);
    if (degrees === undefined || Number(degrees) % 360 === 0) return [];
    return [
      {
        field,
        code: 'NO_EFFECT',
        message: `The installed ffmpeg drops the tag "rotate", as releases from ${DROPPED_SINCE} on do: the picture is not turned.`,
        fix: `Leave it out, and send "display_rotation": "${degrees}" in the "parameters" of the input.`,
      },
    ];
  });
}
