import { type Edits, leaveOut, orElse } from '../../../domain/edit.ts';
import type { Warning } from '../../../domain/plan.ts';
import type { StreamEncoders } from '../encoders/stream-encoders.ts';
import { type ArgvOption, sentName } from '../request/argv-option.ts';

/** Encoders whose output has the same size with every bit rate, as tried with ffmpeg 5.1. */
const WITHOUT_BIT_RATE =
  /^(?:prores(?:_aw|_ks)?|ffv1|huffyuv|ffvhuff|utvideo|rawvideo|v210|qtrle|png|apng|gif|bmp|tiff|jpeg2000|dvvideo|flac|alac|wavpack|tta|truehd|mlp|pcm_\w+|adpcm_\w+)$/;

/** Encoders whose bit rate a profile sets. */
const PROFILES: Readonly<Record<string, RegExp>> = { dnxhd: /^(?:dnxhr_\w+|[1-5])$/ };

/** What sets the quality instead. */
const INSTEAD: Readonly<Record<string, string>> = {
  prores_ks: '"profile:v" sets the quality: proxy, lt, standard, hq.',
  prores: '"profile:v" sets the quality: 0 to 3.',
  prores_aw: '"profile:v" sets the quality: 0 to 3.',
  dnxhd: 'The profile sets the quality: dnxhr_lb, dnxhr_sq, dnxhr_hq, dnxhr_hqx.',
};

/** Warns about `b:v` and `b:a` for encoders that ignore it. */
export function ignoredBitRates(options: readonly ArgvOption[], encoders: StreamEncoders): readonly Warning[] {
  const profiles = options.filter(({ name }) => name.name === 'profile' && /^(?:$|v)/.test(name.specifier ?? ''));
  const hasSteps = hasOwnSteps(options);
  return options.flatMap((option) => {
    const { name, field } = option;
    if (name.name !== 'b') return [];
    const found = [...new Set(encoders.of(name.specifier).flatMap(({ encoder }) => encoder ?? []))];
    const [first] = found;
    const ignores = (encoder: string): boolean => WITHOUT_BIT_RATE.test(encoder) || hasOwnRate(encoder, profiles);
    if (first === 'libfdk_aac' && found.length === 1 && hasSteps) return [overriddenBySteps(option)];
    if (first === undefined || !found.every(ignores)) return [];
    const reason = hasOwnRate(first, profiles)
      ? `${first} with this profile ignores`
      : `${found.join(' and ')} ${found.length > 1 ? 'ignore' : 'ignores'}`;
    return [
      {
        field,
        code: 'NO_EFFECT',
        message: `"${sentName(option)}" has no effect: ${reason} a bit rate.`,
        fix: withNote(leaveOut(), INSTEAD[first]),
      },
    ];
  });
}

const withNote = (fix: Edits, note: string | undefined): Edits => ({ ...fix, ...(note !== undefined && { note }) });

const hasOwnRate = (encoder: string, profiles: readonly ArgvOption[]): boolean =>
  profiles.some(({ values: [value = ''] }) => PROFILES[encoder]?.test(value) === true);

/** The five steps of libfdk_aac, which replace its bit rate (libfdk-aacenc.c, `AACENC_BITRATEMODE`). 0 is the bit rate. */
const hasOwnSteps = (options: readonly ArgvOption[]): boolean =>
  options.some(({ name, values: [value = ''] }) => name.name === 'vbr' && /^[1-5]$/.test(value));

const overriddenBySteps = (option: ArgvOption): Warning => ({
  field: option.field,
  code: 'NO_EFFECT',
  message: `"${sentName(option)}" has no effect: "vbr" of libfdk_aac is a quality, which replaces the bit rate.`,
  fix: orElse(leaveOut(), leaveOut('vbr')),
});
