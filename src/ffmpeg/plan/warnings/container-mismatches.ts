import type { Warning } from '../../../domain/plan.ts';
import { codecsOfStrictMuxer, muxerRejectsCodec } from '../../allowlist/container-codecs.ts';
import { type Catalogue, encoderNamed } from '../../catalogue/catalogue.ts';
import type { ArgvOption } from '../request/argv-option.ts';

/** Warns about codecs that the container is known to reject, so that the job would fail. */
export const containerMismatches = (
  options: readonly ArgvOption[],
  muxer: string,
  catalogue: Catalogue,
): readonly Warning[] =>
  options.flatMap(({ key, name, field, values: [value = ''] }) => {
    const codec = name.name === 'c' ? encoderNamed(catalogue, value)?.codec : undefined;
    if (codec === undefined || !muxerRejectsCodec(muxer, codec)) return [];
    const supported = codecsOfStrictMuxer(muxer);
    return [
      {
        field,
        code: 'CODEC_NOT_HELD',
        message: `The container ${muxer} does not support ${codec}${supported === undefined ? '' : `, only ${supported.join(', ')}`}: a job with "${key}": "${value}" would fail.`,
        fix:
          supported === undefined
            ? 'Send another codec, or "format": "matroska", which supports nearly every codec.'
            : 'Send one of those codecs, or another format.',
      },
    ];
  });
