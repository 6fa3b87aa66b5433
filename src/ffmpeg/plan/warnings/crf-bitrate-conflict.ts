import type { Warning } from '../../../domain/plan.ts';
import type { StreamEncoders } from '../encoders/stream-encoders.ts';
import type { ArgvOption } from '../request/argv-option.ts';

/** Encoders that ignore the bit rate if a quality is set. VP9 and AV1 encoders have a mode that uses both. */
const IGNORE_BIT_RATE: ReadonlySet<string> = new Set(['libx264', 'libx265', 'libx264rgb']);

/** Warns about a quality and a bit rate for the same encoder. */
export function crfBitrateConflicts(
  options: readonly ArgvOption[],
  { encoders, twoPass }: { readonly encoders: StreamEncoders; readonly twoPass: boolean },
): readonly Warning[] {
  const encoder = encoders.of('v').find((stream) => IGNORE_BIT_RATE.has(stream.encoder ?? ''))?.encoder;
  const quality = options.find(({ name }) => name.name === 'crf' || name.name === 'qp');
  const rate = options.find(({ name }) => name.name === 'b' && /^[vV]/.test(name.specifier ?? 'v'));
  if (encoder === undefined || quality === undefined || rate === undefined) return [];
  const message = `"${quality.key}" and "${rate.key}" both control the quality; ${encoder} uses "${quality.key}".`;
  // The second pass is for nothing but the bit rate.
  if (twoPass)
    return [
      {
        field: quality.field,
        code: 'NO_EFFECT',
        message: `${message} Two passes are for "${rate.key}".`,
        fix: 'Leave it out.',
        causes: [rate.field],
      },
    ];
  return [
    {
      field: rate.field,
      code: 'NO_EFFECT',
      message,
      fix: `Send one of them. With "${quality.key}", "maxrate" and "bufsize" limit the bit rate.`,
      causes: [quality.field],
    },
  ];
}
