import { leaveOut, orElse } from '../../../domain/edit.ts';
import type { Warning } from '../../../domain/plan.ts';
import type { StreamEncoders } from '../encoders/stream-encoders.ts';
import { type ArgvOption, sentName } from '../request/argv-option.ts';
import { QUANTIZERS } from './ignored-quality.ts';

/**
 * Options that set a quality, and the encoders that then ignore the bit rate (tried with ffmpeg 5.1). Encoders of VP9 and AV1 have a mode
 * that uses both.
 */
const CONFLICTS: readonly {
  readonly kind: 'v' | 'a';
  readonly quality: RegExp;
  readonly encoders: RegExp;
  readonly limits?: string;
}[] = [
  {
    kind: 'v',
    quality: /^(?:crf|qp)$/,
    encoders: /^(?:libx264|libx265|libx264rgb)$/,
    limits: ' ("maxrate" and "bufsize" limit the bit rate then)',
  },
  { kind: 'v', quality: /^q$/, encoders: new RegExp(`${QUANTIZERS.source}|^libtheora$`) },
  { kind: 'a', quality: /^q$/, encoders: /^(?:aac|libmp3lame|libspeex|libtwolame|libvorbis)$/ },
];

/** Warns about a quality and a bit rate for the same encoder. */
export const crfBitrateConflicts = (
  options: readonly ArgvOption[],
  { encoders, twoPass }: { readonly encoders: StreamEncoders; readonly twoPass: boolean },
): readonly Warning[] =>
  CONFLICTS.flatMap(({ kind, quality: names, encoders: ignoring, limits = '' }): readonly Warning[] => {
    if (!options.some(({ name }) => names.test(name.name))) return [];
    const encoder = encoders.of(kind).find((stream) => ignoring.test(stream.encoder ?? ''))?.encoder;
    const isOfKind = ({ name }: ArgvOption): boolean => (name.specifier ?? kind).toLowerCase().startsWith(kind);
    const quality = options.find((option) => names.test(option.name.name) && isOfKind(option));
    const rate = options.find((option) => option.name.name === 'b' && isOfKind(option));
    if (encoder === undefined || quality === undefined || rate === undefined) return [];
    // Different stream numbers belong to different encoders.
    const numbers = [quality, rate].flatMap(({ name }) => /\d+/.exec(name.specifier ?? '') ?? []);
    if (numbers.length === 2 && numbers[0] !== numbers[1]) return [];
    const [ofQuality, ofRate] = [sentName(quality), sentName(rate)];
    const message = `"${ofQuality}" and "${ofRate}" both control the quality; ${encoder} uses "${ofQuality}".`;
    // Two passes only serve a bit rate.
    if (twoPass && kind === 'v')
      return [
        {
          field: quality.field,
          code: 'NO_EFFECT',
          message: `${message} Two passes are for "${ofRate}".`,
          fix: leaveOut(),
          causes: [rate.field],
        },
      ];
    return [
      {
        field: rate.field,
        code: 'NO_EFFECT',
        message,
        fix: orElse(
          leaveOut(undefined, `"${ofQuality}" sets a constant quality${limits}`),
          leaveOut(ofQuality, `the bit rate is then ${rate.values.at(-1)}`),
        ),
        causes: [quality.field],
      },
    ];
  });
