import type { Warning } from '../../../domain/plan.ts';
import { codecsOfStrictMuxer, muxerRejectsCodec } from '../../allowlist/container-codecs.ts';
import { type Catalogue, encoderNamed } from '../../catalogue/catalogue.ts';
import type { ArgvOption } from '../request/resolve-options.ts';

/** Codecs that the container is known not to hold, so that the job would fail. */
export const containerMismatches = (
  options: readonly ArgvOption[],
  muxer: string,
  catalogue: Catalogue,
): readonly Warning[] =>
  options.flatMap(({ key, name, field, values: [value = ''] }) => {
    const codec = name.name === 'c' ? encoderNamed(catalogue, value)?.codec : undefined;
    if (codec === undefined || !muxerRejectsCodec(muxer, codec)) return [];
    const held = codecsOfStrictMuxer(muxer);
    return [
      {
        field,
        code: 'CODEC_NOT_HELD',
        message: `The container ${muxer} does not hold ${codec}${held === undefined ? '' : `, only ${held.join(', ')}`}: a job with "${key}": "${value}" would fail.`,
        fix:
          held === undefined
            ? 'Send another codec, or "format": "matroska", which holds nearly all.'
            : 'Send one of those, or another format.',
      },
    ];
  });
