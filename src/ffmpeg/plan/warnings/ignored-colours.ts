import type { Warning } from '../../../domain/plan.ts';
import type { Build } from '../../catalogue/build.ts';
import { areAllCopied, type StreamEncoders } from '../encoders/stream-encoders.ts';
import { type ArgvOption, sentName } from '../request/argv-option.ts';

const COLOURS: ReadonlySet<string> = new Set(['color_primaries', 'color_trc']);

/**
 * Warns about colour options that ffmpeg 7.1 ignores: it gives the encoder what the frames say. `colorspace` and
 * `color_range` still work.
 */
export function ignoredColours(
  options: readonly ArgvOption[],
  encoders: StreamEncoders,
  { release }: Build,
): readonly Warning[] {
  if (release?.[0] !== 7 || release[1] !== 1) return [];
  if (options.some(({ values }) => values.some((value) => value.includes('setparams')))) return [];
  const ignored = options.filter(
    ({ name }) => COLOURS.has(name.name) && !areAllCopied(encoders, name.specifier ?? 'v'),
  );
  const filter = `setparams=${ignored.map(({ name, values }) => `${name.name}=${values.at(-1)}`).join(':')}`;
  return ignored.map((option) => ({
    field: option.field,
    code: 'NO_EFFECT',
    message: `"${sentName(option)}" has no effect in ffmpeg 7.1.`,
    fix: `Send the filter: "vf": "${filter}".`,
  }));
}
