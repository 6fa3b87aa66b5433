import type { Warning } from '../../../domain/plan.ts';
import type { StreamEncoders } from '../encoders/stream-encoders.ts';
import type { ArgvOption } from '../request/resolve-options.ts';

/** Encoders that go by a quality alone where both are said. For VP9 and AV1 both together are a way of their own. */
const ONE_OF_BOTH: ReadonlySet<string> = new Set(['libx264', 'libx265', 'libx264rgb']);

/** A quality and a bit rate for one encoder. */
export function crfBitrateConflicts(options: readonly ArgvOption[], makers: StreamEncoders): readonly Warning[] {
  const encoder = makers.of('v').find((maker) => ONE_OF_BOTH.has(maker.encoder ?? ''))?.encoder;
  const quality = options.find(({ name }) => name.name === 'crf' || name.name === 'qp');
  const rate = options.find(({ name }) => name.name === 'b' && /^[vV]/.test(name.specifier ?? 'v'));
  if (encoder === undefined || quality === undefined || rate === undefined) return [];
  return [
    {
      field: rate.field,
      code: 'NO_EFFECT',
      message: `"${quality.key}" and "${rate.key}" are two ways to choose the quality; ${encoder} goes by "${quality.key}".`,
      fix: `Send one of them; with "${quality.key}", "maxrate" and "bufsize" bound the bit rate.`,
    },
  ];
}
