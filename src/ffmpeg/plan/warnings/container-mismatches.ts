import { addIn, type Edits, sendOption } from '../../../domain/edit.ts';
import { type MediaPath, withExtension } from '../../../domain/media-path.ts';
import type { Warning } from '../../../domain/plan.ts';
import {
  codecsOfStrictMuxer,
  encodersOfMuxer,
  muxerRejectsCodec,
  type NearestCodec,
  nearestCodec,
} from '../../allowlist/container-codecs.ts';
import { holdsNoSound, holdsNoVideo } from '../../allowlist/containers.ts';
import { type Catalogue, encoderNamed } from '../../catalogue/catalogue.ts';
import { type ArgvOption, sentName } from '../request/argv-option.ts';
import type { FormatField } from './format-field.ts';

/** The facts about the output that the warnings depend on. */
interface OutputFacts {
  readonly muxer: string;
  readonly catalogue: Catalogue;
  readonly path: MediaPath;
  readonly formatField: FormatField;
}

/** Warns about codecs that the container is known to reject, so that the job would fail. */
export const containerMismatches = (
  options: readonly ArgvOption[],
  { muxer, catalogue, path, formatField }: OutputFacts,
): readonly Warning[] =>
  options.flatMap((option) => {
    const { name, field, values } = option;
    const [value = ''] = values;
    const encoder = name.name === 'c' ? encoderNamed(catalogue, value) : undefined;
    if (encoder === undefined || !muxerRejectsCodec(muxer, encoder.codec)) return [];
    // Another warning says so if the container holds no stream of this kind.
    if (encoder.kind === 'audio' ? holdsNoSound(muxer) : encoder.kind === 'video' && holdsNoVideo(muxer)) return [];
    const supported = codecsOfStrictMuxer(muxer);
    const nearest = isCover(options) && encoder.kind === 'video' ? COVER : nearestCodec(muxer, encoder.codec);
    const instead = [nearest?.encoder ?? [], encodersOfMuxer(muxer, encoder.kind)]
      .flat()
      .find((one) => catalogue.lists.encoders.has(one));
    return [
      {
        field: nearest?.extension === undefined ? field : formatField,
        code: 'CODEC_NOT_HELD',
        message: `The container ${muxer} does not support ${encoder.codec}${supported === undefined ? '' : `, only ${supported.join(', ')}`}: a job with "${sentName(option)}": "${value}" would fail.`,
        fix:
          nearest?.extension !== undefined
            ? otherContainer(nearest.extension, path, formatField)
            : instead === undefined
              ? {
                  ...addIn({ beside: 'parameters' }, 'format', 'matroska'),
                  why: 'matroska supports nearly every codec',
                }
              : sendOption(sentName(option), instead),
        // With a number in the specifier, the stream can be missing although there are others, or have an encoder of its own.
        ...(encoder.kind !== 'subtitle' && !options.some(namesStream) && { failsWith: encoder.kind }),
      },
    ];
  });

/** Whether an option chooses the encoder of one stream by its number. */
const namesStream = ({ name }: ArgvOption): boolean => name.name === 'c' && /\d/.test(name.specifier ?? '');

/** The encoder of a cover, which every container with covers holds. */
const COVER: NearestCodec = { kind: 'video', encoder: 'mjpeg' };

/** Whether the request makes its picture the cover of a sound. */
const isCover = (options: readonly ArgvOption[]): boolean =>
  options.some(({ name, values }) => name.name === 'disposition' && values.some((one) => one.includes('attached_pic')));

/** The fix that changes the container, where the request names it. */
const otherContainer = (extension: string, path: MediaPath, formatField: FormatField): Edits =>
  formatField === '/output'
    ? sendOption('output', withExtension(path, extension))
    : sendOption(formatField === '/format' ? 'format' : 'f', extension);
