import type { Warning } from '../../../domain/plan.ts';
import { codecsOfStrictMuxer, encodersOfMuxer, muxerRejectsCodec } from '../../allowlist/container-codecs.ts';
import { holdsNoSound, holdsNoVideo } from '../../allowlist/container-streams.ts';
import { type Catalogue, encoderNamed } from '../../catalogue/catalogue.ts';
import { type ArgvOption, sentName } from '../request/argv-option.ts';

/** Warns about codecs that the container is known to reject, so that the job would fail. */
export const containerMismatches = (
  options: readonly ArgvOption[],
  muxer: string,
  catalogue: Catalogue,
): readonly Warning[] =>
  options.flatMap((option) => {
    const { name, field, values } = option;
    const [value = ''] = values;
    const encoder = name.name === 'c' ? encoderNamed(catalogue, value) : undefined;
    if (encoder === undefined || !muxerRejectsCodec(muxer, encoder.codec)) return [];
    // Another warning says so if the container holds no stream of this kind.
    if (encoder.kind === 'audio' ? holdsNoSound(muxer) : encoder.kind === 'video' && holdsNoVideo(muxer)) return [];
    const supported = codecsOfStrictMuxer(muxer);
    const instead = encodersOfMuxer(muxer, encoder.kind).find((one) => catalogue.lists.encoders.has(one));
    return [
      {
        field,
        code: 'CODEC_NOT_HELD',
        message: `The container ${muxer} does not support ${encoder.codec}${supported === undefined ? '' : `, only ${supported.join(', ')}`}: a job with "${sentName(option)}": "${value}" would fail.`,
        fix:
          instead === undefined
            ? 'Send "format": "matroska" beside "parameters": matroska supports nearly every codec.'
            : `Send "${instead}", or an output of another format.`,
      },
    ];
  });
